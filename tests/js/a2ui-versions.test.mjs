// Spellings of A2UI by version: bindings and envelope keys with and without `@`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, FromA2ui, ToA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";

await init();

/** Returns a surface with a Button `root`, its action context, and the result of the message. */
function press({ version, atKeys, context, dataModel = { x: 5, person: { name: "Ann" } } }) {
  const actions = [];
  const surface = new Surface({ catalog: basicCatalog, onAction: (one) => actions.push(one) });
  const target = a2uiTarget(surface);
  const label = atKeys ? { "@path": "/person/name" } : { path: "/person/name" };
  const components = [
    { id: "root", component: "Button", child: "t", action: { event: { name: "go", context } } },
    { id: "t", component: "Text", text: label },
  ];
  const result = target.receive({
    ...(version === undefined ? {} : { version }),
    createSurface: { surfaceId: "s", components, dataModel },
  });
  surface.trigger("root", "action");
  return { ...result, context: actions[0].context, text: surface.tree().children[0].props.text };
}

test("binds `@path` as `path` in every version", () => {
  for (const version of [undefined, "v0.9", "0.9", "v0.9.1", "v1.0", "1.0"]) {
    const context = { a: { "@path": "/x" }, list: [{ "@path": "/person" }] };
    const { ok, diagnostics, ...result } = press({ version, atKeys: true, context });
    assert.deepEqual([ok, diagnostics], [true, []]);
    assert.deepEqual(result, { context: { a: 5, list: [{ name: "Ann" }] }, text: "Ann" });
  }
});

test("a bare path in a context is a binding until the surface uses `@`", () => {
  const context = { a: { path: "/x" }, b: { path: "/x", kind: "file" } };
  const bare = press({ version: "v1.0", atKeys: false, context });
  assert.deepEqual([bare.ok, bare.context], [true, { a: 5, b: { path: "/x", kind: "file" } }]);
  for (const [version, atKeys] of [
    ["v1.0", true],
    ["1.0", false],
  ]) {
    const { ok, context: sent, text } = press({ version, atKeys, context });
    assert.deepEqual([ok, sent, text], [true, context, "Ann"]);
  }
  const named = press({ version: "v0.9", atKeys: false, context: { path: { path: "/x" } } });
  assert.deepEqual(named.context, { path: 5 });
});

test("`@@` escapes a key in literals, and data are never unescaped", () => {
  const context = { a: { "@@x": 1, inner: [{ "@@@y": 2 }] }, b: { "@path": "/data" } };
  const data = { "@path": "/x", "@@z": 1, path: "/x" };
  const { ok, context: sent } = press({ version: "1.0", context, dataModel: { data } });
  assert.ok(ok);
  assert.deepEqual(sent, { a: { "@x": 1, inner: [{ "@@y": 2 }] }, b: data });
});

test("reports a reserved key", () => {
  const { ok, diagnostics, context } = press({
    version: "1.0",
    context: { a: { "@x": 1, b: 2 } },
  });
  assert.deepEqual([ok, context], [false, { a: { b: 2 } }]);
  const [{ code, message, location }] = diagnostics;
  assert.equal(code, "A2UI010");
  assert.match(message, /expected a property name, found the reserved key `@x`/);
  assert.equal(location.pointer, "/createSurface/components/0/action/event/context/a/@x");
});

test("accepts `@` envelope keys and calls, which come before the bare keys", () => {
  const field = {
    id: "root",
    component: "TextField",
    label: "Name",
    "@catalogId": "basic",
    "@accessibility": { label: { "@path": "/label" } },
    accessibility: { label: "other" },
    "@metadata": { extensions: {} },
    "@checks": [{ condition: { "@call": "required", args: { value: { "@path": "/name" } } } }],
    value: { "@path": "/name" },
  };
  const { messages, diagnostics } = new FromA2ui().translate({
    version: "1.0",
    updateComponents: { surfaceId: "s", components: [field] },
  });
  assert.deepEqual(diagnostics, []);
  const binding = (key) => ({ binding: { node: "root", key } });
  assert.deepEqual(messages[0].updateComponents.components[0], {
    id: "root",
    component: "TextField",
    label: "Name",
    catalogId: "basic",
    accessibility: { label: binding("label") },
    metadata: { extensions: {} },
    checks: [{ condition: { call: "required", args: { value: binding("name") } } }],
    value: binding("name"),
  });
});

test("custom components may have literal objects with a path", () => {
  const translate = (version, file) => {
    const component = { id: "root", component: "FileLink", file };
    const from = new FromA2ui();
    const message = { version, updateComponents: { surfaceId: "s", components: [component] } };
    const { messages } = from.translate(message);
    const surface = new Surface();
    for (const one of messages) assert.ok(surface.receive(one).ok);
    return surface.tree().props.file;
  };
  assert.deepEqual(translate("1.0", { path: "/etc" }), { path: "/etc" });
  assert.deepEqual(translate("v0.9", { path: "/etc" }), null);
  assert.deepEqual(translate("v0.9", { path: "/etc", size: 1 }), { path: "/etc", size: 1 });
});

test("reports an unknown version", () => {
  for (const version of ["v99.0", 1]) {
    const { messages, diagnostics } = new FromA2ui().translate({
      version,
      createSurface: { surfaceId: "s" },
    });
    assert.deepEqual([messages, diagnostics.map(({ code }) => code)], [[], ["A2UI011"]]);
    assert.match(diagnostics[0].message, /expected a protocol version of A2UI, found /);
  }
});

test("a bare `@` is a reserved key in v1.0, also on a surface without other `@` keys", () => {
  const context = { a: { "@": "x", kept: 1 } };
  const { ok, diagnostics, context: sent } = press({ version: "v1.0", atKeys: false, context });
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["A2UI010"]]);
  assert.deepEqual(sent, { a: { kept: 1 } });
  const earlier = press({ version: "v0.9", atKeys: false, context });
  assert.deepEqual([earlier.ok, earlier.context], [true, context]);
});

test("ToA2ui writes the spelling of the version, or that of the agent", () => {
  const binding = { binding: { node: "root", key: "name" } };
  const ham = {
    id: "root",
    component: "TextField",
    label: { call: "formatString", args: { value: "a" } },
    value: binding,
    checks: [{ condition: { call: "required", args: { value: binding } }, message: "m" }],
    action: { event: { name: "go", context: { who: binding, "@x": 1 } } },
  };
  const written = (options, version) => {
    const message = { createSurface: { surfaceId: "s", components: [ham] } };
    const { messages } = new ToA2ui(options).translate({ ...message, ...(version && { version }) });
    return messages[0].createSurface.components[0];
  };
  const bare = (path) => ({ path });
  const at = (path) => ({ "@path": path });
  const expected = (bind, call, checks, x) => ({
    id: "root",
    component: "TextField",
    label: { [call]: "formatString", args: { value: "a" } },
    value: bind("/name"),
    [checks]: [{ condition: { [call]: "required", args: { value: bind("/name") } }, message: "m" }],
    action: { event: { name: "go", context: { who: bind("/name"), [x]: 1 } } },
  });
  assert.deepEqual(written({ version: "v0.9" }), expected(bare, "call", "checks", "@x"));
  assert.deepEqual(written({ version: "v1.0" }), expected(bare, "call", "checks", "@x"));
  const current = expected(at, "@call", "@checks", "@@x");
  assert.deepEqual(written({ version: "1.0" }), current);
  assert.deepEqual(written({}, "1.0"), current);
  const stage4 = written({ version: "v1.0", atKeys: true });
  assert.deepEqual(stage4, expected(at, "@call", "checks", "@@x"));
});

test("messages of v1.0 with `@` keys are equal after both translations", () => {
  const components = [
    { id: "root", component: "List", children: { componentId: "row", path: "/items" } },
    { id: "row", component: "Text", text: { "@path": "name" }, "@catalogId": "c" },
  ];
  const message = { version: "1.0", updateComponents: { surfaceId: "s", components } };
  const from = new FromA2ui();
  const [ham] = from.translate(message).messages;
  const to = new ToA2ui({ version: from.version, atKeys: from.atKeys });
  assert.deepEqual(to.translate(ham).messages, [message]);
});
