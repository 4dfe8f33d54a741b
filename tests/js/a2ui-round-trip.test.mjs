// Plain A2UI to HAM and back: after each message an A2UI renderer has the same components and data
// as with the agent's own messages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalog, MessageProcessor } from "@a2ui/web_core/v0_9";
import { HamStore, init, Surface } from "byname";
import { FromA2ui, ToA2ui, toA2uiAction, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { exampleFiles } from "../a2ui/examples.mjs";

await init();

/** Components and data of an A2UI renderer. */
class Renderer {
  constructor({ catalogId, surfaceId }) {
    this.processor = new MessageProcessor([new Catalog(catalogId, [], [])]);
    this.surfaceId = surfaceId;
  }

  receive(message) {
    this.processor.processMessages([{ ...structuredClone(message), version: "v0.9" }]);
  }

  get state() {
    const surface = this.processor.model.getSurface(this.surfaceId);
    const components = [...(surface?.componentsModel.entries ?? [])].map(([id, one]) => [
      id,
      { component: one.type, ...one.properties },
    ]);
    return structuredClone({
      components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
      model: surface?.dataModel.get("/"),
    });
  }
}

const files = exampleFiles();
test("finds the 50 examples of v0.9, and those of v1.0", () => {
  assert.equal(files.filter(({ folder }) => folder.startsWith("v0_9")).length, 50);
  assert.ok(files.length > 90);
});

for (const { folder, name, messages } of files) {
  test(`${folder.slice(0, 4)} ${name}: translates to HAM and back`, () => {
    const { createSurface } = messages.find((message) => message.createSurface);
    const agent = new Renderer(createSurface);
    const back = new Renderer(createSurface);
    const from = new FromA2ui();
    const to = new ToA2ui();
    for (const message of messages) {
      agent.receive(message);
      const ham = from.translate(message);
      assert.deepEqual(ham.diagnostics, []);
      assert.doesNotMatch(JSON.stringify(ham.messages), /"path":/);
      for (const one of ham.messages) {
        const again = to.translate(one);
        assert.deepEqual(again.diagnostics, []);
        assert.doesNotMatch(JSON.stringify(again.messages), /"(binding|template|nodes)":/);
        for (const sent of again.messages) {
          assert.equal(sent.version, message.version);
          back.receive(sent);
        }
      }
      assert.deepEqual(back.state, agent.state);
    }
    assert.ok(Object.keys(agent.state.components).length > 0);
  });
}

test("translates a surface of v1.0 that is created with data", () => {
  const from = new FromA2ui();
  const { messages } = from.translate({
    version: "v1.0",
    createSurface: {
      surfaceId: "s",
      components: [{ id: "root", component: "Text", text: { path: "/user/name" } }],
      dataModel: { user: { name: "Ann" } },
    },
  });
  const surface = new Surface({ catalog: basicCatalog });
  for (const message of messages) assert.deepEqual(surface.receive(message).diagnostics, []);
  assert.equal(surface.tree().props.text, "Ann");
});

test("keeps the user's input, and sends it back, when the agent updates another key", () => {
  const actions = [];
  const surface = new Surface({
    catalog: basicCatalog,
    onAction: (action) => actions.push(action),
    now: () => "2026-01-02T03:04:05Z",
  });
  const from = new FromA2ui({ store: surface.store });
  const agent = (message) => {
    for (const one of from.translate({ version: "v0.9", ...message }).messages) {
      assert.ok(surface.receive(one).ok);
    }
  };
  const total = { call: "formatNumber", args: { value: { path: "/form/seats" }, decimals: 1 } };
  agent({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  agent({
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["name", "mail", "send"] },
        { id: "name", component: "TextField", label: "Name", value: { path: "/form/name" } },
        { id: "mail", component: "TextField", label: "Mail", value: { path: "/form/mail" } },
        {
          id: "send",
          component: "Button",
          child: "label",
          action: { event: { name: "send", context: { who: { path: "/form/name" }, total } } },
        },
        { id: "label", component: "Text", text: "Send" },
      ],
    },
  });
  // The model is empty, so the input creates the keys.
  surface.input("root/name", "value", "* Ann");
  agent({ updateDataModel: { surfaceId: "s", path: "/form/mail", value: "ann@example.org" } });
  agent({ updateDataModel: { surfaceId: "s", path: "/form/seats", value: 2 } });
  assert.equal(surface.tree().children[0].props.value, "* Ann");
  assert.deepEqual(toA2uiDataModel({ s: surface.store }), {
    version: "v0.9",
    surfaces: { s: { form: { name: "* Ann", mail: "ann@example.org", seats: 2 } } },
  });
  surface.trigger("root/send", "action");
  assert.deepEqual(toA2uiAction(actions[0], { version: "v1.0", locale: "en" }), {
    version: "v1.0",
    action: {
      name: "send",
      surfaceId: "s",
      sourceComponentId: "send",
      timestamp: "2026-01-02T03:04:05Z",
      context: { who: "* Ann", total: "2.0" },
    },
  });
});

test("keeps the input below a key that the agent set to null, until the agent sets it again", () => {
  for (const [path, model] of [
    ["/form/name", { form: null, other: 1 }],
    ["/form/who/name", { form: null, other: 1 }],
    ["/form/who/name", { form: { who: null }, other: 1 }],
    ["/form/name", null],
  ]) {
    const surface = new Surface({ catalog: basicCatalog });
    const from = new FromA2ui({ store: surface.store });
    const agent = (message) => {
      for (const one of from.translate(message).messages) {
        assert.deepEqual(surface.receive(one), { ok: true, diagnostics: [] });
      }
    };
    const displayedValue = () => surface.tree().props.value;
    const root = { id: "root", component: "TextField", label: "Name", value: { path } };
    agent({ createSurface: { surfaceId: "s" } });
    agent({ updateComponents: { surfaceId: "s", components: [root] } });
    agent({ updateDataModel: { surfaceId: "s", path: "/", value: model } });
    surface.input("root", "value", "Ann");
    agent({ updateDataModel: { surfaceId: "s", path: "/other", value: 2 } });
    assert.equal(displayedValue(), "Ann", JSON.stringify(model));
    assert.match(JSON.stringify(toA2uiDataModel({ s: surface.store })), /"name":"Ann"/);
    agent({ updateDataModel: { surfaceId: "s", path: "/form", value: null } });
    assert.equal(displayedValue(), null);
  }
});

test("removes values by path, and resizes lists", () => {
  const from = new FromA2ui();
  const store = new HamStore();
  const nodeIds = [];
  const set = (path, value) => {
    const message = { updateDataModel: { surfaceId: "s", path, value } };
    if (value === undefined) delete message.updateDataModel.value;
    for (const one of from.translate(message).messages) {
      nodeIds.push(Object.keys(one.updateDataModel.nodes));
      store.apply(one.updateDataModel.nodes);
    }
  };
  set("/", { rows: [{ n: 1 }, { n: 2 }], "a/b": { "*": "*x", 0: "zero" } });
  set("/rows/2", { n: 3 });
  set("/rows/0/n", 10);
  set("/a~1b/0", undefined);
  assert.deepEqual(store.toJSON(), { rows: [{ n: 10 }, { n: 2 }, { n: 3 }], "a/b": { "*": "*x" } });
  assert.deepEqual(nodeIds.slice(1), [["/rows", "/rows/2"], ["/rows/0"], ["!/a~1b/0", "/a~1b"]]);
  set("/rows", [{ n: 2 }]);
  assert.deepEqual(store.toJSON().rows, [{ n: 2 }]);
  assert.equal(store.has("/rows/0"), false);
  set("/", undefined);
  assert.deepEqual(store.export(), {});
});

test("a HAM document moves what components are bound to", () => {
  const to = new ToA2ui({ version: "v0.9" });
  const components = [
    { id: "root", component: "Text", text: { binding: { node: "u2", key: "name" } } },
    {
      id: "both",
      component: "Text",
      text: {
        call: "formatString",
        args: { value: "${a} and ${a}", values: { a: { binding: { node: "u1", key: "name" } } } },
      },
    },
  ];
  const update = (nodes) => to.translate({ updateDataModel: { surfaceId: "s", nodes } }).messages;
  to.translate({ updateComponents: { surfaceId: "s", components } });
  const first = update({ root: { users: ["*u1", "*u2"] }, u1: { name: "A" }, u2: { name: "B" } });
  assert.deepEqual(to.model, { users: [{ name: "A" }, { name: "B" }] });
  assert.equal(first[1].updateComponents.components[0].text.path, "/users/1/name");
  assert.equal(
    first[1].updateComponents.components[1].text.args.value,
    "${/users/0/name} and ${/users/0/name}",
  );
  assert.deepEqual(update({ u2: { name: "C" } }), [
    { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/users/1/name", value: "C" } },
  ]);
  const moved = update({ "!u1": null });
  assert.deepEqual(to.model, { users: [{ name: "C" }] });
  assert.equal(moved[1].updateComponents.components[0].text.path, "/users/0/name");
});

test("reports what A2UI cannot express", () => {
  const codes = (nodes) =>
    new ToA2ui()
      .translate({ updateDataModel: { surfaceId: "s", nodes } })
      .diagnostics.map(({ code, location }) => [code, location.pointer]);
  assert.deepEqual(codes({ root: ["*a"], a: { self: "*a" } }), [
    ["A2UI002", "/updateDataModel/nodes/a"],
  ]);
  assert.deepEqual(codes({ root: ["*a", "*a"], a: 1 }), [["A2UI003", "/updateDataModel/nodes/a"]]);
  const component = (text) => ({
    updateComponents: { components: [{ id: "root", component: "Text", text }] },
  });
  const template = { call: "formatString", args: { value: "${n}", values: { n: 1 } } };
  assert.equal(new ToA2ui().translate(component(template)).diagnostics[0].code, "A2UI004");
  const deep = new FromA2ui().translate(component({ path: "user/name" }));
  assert.equal(deep.diagnostics[0].code, "A2UI001");
  const { text } = deep.messages[0].updateComponents.components[0];
  assert.deepEqual(text, { binding: { node: "/user", key: "name" } });
  const doubling = {};
  for (let n = 0; n < 40; n += 1)
    doubling[n === 0 ? "root" : `n${n}`] = [`*n${n + 1}`, `*n${n + 1}`];
  doubling.n40 = 1;
  assert.throws(() => codes(doubling), { name: "BynameError", code: "too-large" });
});
