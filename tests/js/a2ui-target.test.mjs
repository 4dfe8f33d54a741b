// Text of an A2UI agent, split anywhere, compared with its messages one by one.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, FromA2ui, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { messageStream } from "byname/messages";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";

await init();

for (const example of exampleFiles()) {
  test(`${example.folder.slice(0, 4)} ${example.name}: gives the same result in chunks`, () => {
    const expected = new Surface({ catalog: basicCatalog });
    for (const message of hamMessages(example)) assert.ok(expected.receive(message).ok);
    const text = example.messages.map((message) => JSON.stringify(message)).join("\n");
    for (const size of [7, 100, text.length]) {
      const surface = new Surface({ catalog: basicCatalog });
      const stream = messageStream(a2uiTarget(surface));
      for (let at = 0; at < text.length; at += size) {
        const { ok, diagnostics } = stream.push(text.slice(at, at + size));
        assert.ok(ok, JSON.stringify(diagnostics));
      }
      assert.ok(stream.end().ok);
      assert.deepEqual(surface.tree(), expected.tree());
    }
  });
}

test("reports an invalid message, and accepts the next one", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  assert.equal(target.receive("{").ok, false);
  assert.equal(target.receive("[]").ok, false);
  assert.equal(target.receive({ hello: 1 }).ok, false);
  const far = { updateDataModel: { surfaceId: "s", path: "/a/1000000000", value: 1 } };
  assert.equal(target.receive(far).diagnostics[0].code, "A2UI005");
  assert.ok(target.receive({ createSurface: { surfaceId: "s", catalogId: "c" } }).ok);
});

const rootText = { id: "root", component: "Text", text: { path: "/user/name" } };
const update = (body) => ({ updateDataModel: { surfaceId: "s", ...body } });
const components = { updateComponents: { surfaceId: "s", components: [rootText] } };
const data = { updateDataModel: { surfaceId: "s", path: "/user", value: { name: "Ann" } } };

test("a rejected surface keeps the data of the existing one", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  for (const message of [{ createSurface: { surfaceId: "s" } }, components, data])
    assert.ok(target.receive(message).ok);
  assert.deepEqual(target.receive({ createSurface: { surfaceId: "s" } }).ok, true);
  for (const surfaceId of ["other"]) {
    const { ok, diagnostics } = target.receive({ createSurface: { surfaceId } });
    assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["HAM029"]]);
  }
  assert.equal(surface.tree().props.text, "Ann");
});

test("rejects a message with several parts or invalid data, and changes nothing", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  for (const message of [components, data]) assert.ok(target.receive(message).ok);
  const cases = [
    [{ ...data, ...components }, "A2UI009"],
    [{ deleteSurface: { surfaceId: "s" }, ...data }, "A2UI009"],
    [{ ...components, createSurface: { surfaceId: "s" } }, "A2UI009"],
    [update({ path: ["user", "name"], value: "Bo" }), "A2UI009"],
    [update({ path: null, value: "Bo" }), "A2UI009"],
    [update({ nodes: { root: { user: 1 } } }), "A2UI009"],
    [update({ path: "/user", contents: [{ key: "name", valueString: "Bo" }] }), "A2UI009"],
  ];
  for (const [message, code] of cases) {
    const { ok, diagnostics } = target.receive(message);
    assert.deepEqual([ok, diagnostics.map((one) => one.code)], [false, [code]]);
    assert.equal(surface.tree()?.props.text, "Ann", JSON.stringify(message));
  }
  // Structured outputs write absent keys as null.
  assert.ok(target.receive({ ...data, updateComponents: null }).ok);
  assert.ok(target.receive(update({ path: "/user" })).ok);
  assert.equal(surface.tree().props.text, null);
});

test("an update does not read its sibling values", () => {
  const start = process.cpuUsage();
  const target = a2uiTarget(new Surface());
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ name: `row ${at}` }));
  const set = (path, value) =>
    assert.ok(target.receive({ updateDataModel: { surfaceId: "s", path, value } }).ok);
  set("/rows", rows);
  // Took 5 ms each when the complete list was read.
  for (let at = 0; at < 10_000; at += 1) set(`/rows/${at}/name`, "x");
  assert.deepEqual(target.store.get("/rows/9999"), { name: "x" });
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 20_000_000, `${(user + system) / 1e6} s`);
});

test("a target accepts bytes, as a surface does", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  const bytes = (message) => new TextEncoder().encode(JSON.stringify(message));
  assert.ok(target.receive(bytes({ createSurface: { surfaceId: "s" } })).ok);
  assert.ok(target.receive(bytes(update({ path: "/user", value: { name: "Ann" } }))).ok);
  assert.deepEqual(surface.store.toJSON(), { user: { name: "Ann" } });
  assert.equal(target.receive(new Uint8Array([123])).ok, false);
});

test("keeps the data when no surface, or another one, is deleted", () => {
  const from = new FromA2ui();
  from.translate({ createSurface: { surfaceId: "s" } });
  from.translate(update({ path: "/name", value: "Ann" }));
  from.translate({ deleteSurface: null });
  from.translate({ deleteSurface: { surfaceId: "other" } });
  const { messages } = from.translate(update({ path: "/age", value: 3 }));
  assert.deepEqual(messages[0].updateDataModel.nodes, { root: { name: "Ann", age: 3 } });
  from.translate({ deleteSurface: { surfaceId: "s" } });
  const after = from.translate(update({ path: "/age", value: 3 }));
  assert.deepEqual(after.messages[0].updateDataModel.nodes, { root: { age: 3 } });
});

test("reports the user's input below a missing key, and keeps it", () => {
  const paths = ["/form/address/street", "/form/name"];
  const fields = paths.map((path, at) => ({
    id: `f${at}`,
    component: "TextField",
    label: path,
    value: { path },
  }));
  const all = [
    { id: "root", component: "Column", children: fields.map(({ id }) => id) },
    ...fields,
  ];
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  target.receive({ createSurface: { surfaceId: "s" } });
  target.receive({ updateComponents: { surfaceId: "s", components: all } });
  const typed = ["Main St 1", "Ann"];
  for (const [at, text] of typed.entries()) surface.input(`root/f${at}`, "value", text);
  const form = { address: { street: "Main St 1" }, name: "Ann" };
  const model = () => toA2uiDataModel({ s: surface.store }).surfaces.s;
  assert.deepEqual(model(), { form });
  target.receive(update({ path: "/note", value: "hi" }));
  assert.deepEqual(model(), { form, note: "hi" });
  assert.deepEqual(
    surface.tree().children.map(({ props }) => props.value),
    typed,
  );
});

test("throws on misuse", () => {
  const wrong = { code: "argument" };
  assert.throws(() => a2uiTarget({}), wrong);
  assert.throws(() => a2uiTarget(new Surface()).receive(Promise.resolve()), wrong);
  for (const message of ['{"createSurface": {}}', Promise.resolve(), null, 5, []]) {
    assert.throws(() => new FromA2ui().translate(message), wrong);
  }
});

test("rejects a store with another pointer prefix", () => {
  const store = new HamStore({ sigil: "@" });
  const wrong = { code: "argument", message: /the sigil `@`; .* begin with `\*`/ };
  assert.throws(() => new FromA2ui({ store }), wrong);
  assert.throws(() => a2uiTarget(new Surface({ store })), wrong);
  assert.equal(store.sigil, "@");
  assert.equal(new FromA2ui({ store: new HamStore() }).translate({}).messages.length, 1);
});
