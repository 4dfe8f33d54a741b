// Contents of `createSurface`: read back with `info()`, and accepted by typed catalogs.
import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";

await init();

const theme = { primaryColor: "#336699" };
const body = { surfaceId: "s", catalogId: "c", sendDataModel: true, theme };
const root = { id: "root", component: "Text", text: "Hi" };

test("a surface returns what `createSurface` states", () => {
  const surface = new Surface({ catalog: basicCatalog });
  assert.equal(surface.info(), null);
  const metadata = { extensions: { vendor: 1 } };
  const message = { version: "v1.0", createSurface: { ...body, metadata, components: [root] } };
  assert.deepEqual(surface.receive(message), { ok: true, diagnostics: [] });
  const expected = { surfaceId: "s", version: "v1.0", catalogId: "c", theme, metadata };
  assert.deepEqual(surface.info(), { ...expected, sendDataModel: true });
  surface.receive({ deleteSurface: { surfaceId: "s" } });
  assert.equal(surface.info(), null);
});

test("text, bytes and objects give the same information", () => {
  const text = JSON.stringify({ createSurface: body });
  for (const message of [text, new TextEncoder().encode(text), { createSurface: body }]) {
    const surface = new Surface();
    assert.ok(surface.receive(message).ok);
    assert.deepEqual(surface.info(), body);
  }
});

test("a rejected message and later updates change nothing", () => {
  const surface = new Surface({ catalog: basicCatalog });
  assert.ok(surface.receive({ createSurface: body }).ok);
  assert.equal(surface.receive({ createSurface: { surfaceId: "other" } }).ok, false);
  surface.receive({ updateComponents: { surfaceId: "s", components: [root] } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root: { theme: 1 } } } });
  assert.deepEqual(surface.info(), body);
});

test("a stream keeps the keys that follow the components", async () => {
  for (const wrap of [(surface) => surface, a2uiTarget]) {
    const surface = new Surface({ catalog: basicCatalog });
    const message = { surfaceId: "s", components: [root], theme, sendDataModel: true };
    const text = JSON.stringify({ version: "v0.9", createSurface: message });
    assert.deepEqual(await receiveAll(wrap(surface), text), { ok: true, diagnostics: [] });
    const { components: _, ...rest } = message;
    assert.deepEqual(surface.info(), { ...rest, version: "v0.9" });
  }
});

test("an action has its message, its call and the request for a response", () => {
  const actions = [];
  const surface = new Surface({ catalog: basicCatalog, onAction: (one) => actions.push(one) });
  const button = (action) => ({ id: "root", component: "Button", child: "a", action });
  const components = (action) => [button(action), { id: "a", component: "Text", text: "Go" }];
  surface.receive({ createSurface: { surfaceId: "s" } });
  surface.receive({ updateDataModel: { nodes: { root: { name: "Ann" } } } });
  const event = { name: "go", userMessage: { binding: { node: "root", key: "name" } } };
  const response = { wantResponse: true, responsePath: "/a" };
  const call = { call: "save", args: { name: "x" }, catalogId: "c" };
  for (const action of [{ event: { ...event, ...response } }, { functionCall: call }]) {
    const message = { updateComponents: { surfaceId: "s", components: components(action) } };
    assert.deepEqual(surface.receive(message), { ok: true, diagnostics: [] });
    surface.trigger("root", "action");
  }
  const [first, second] = actions;
  assert.deepEqual(
    [first.userMessage, first.wantResponse, first.responsePath, first.functionCall],
    ["Ann", true, "/a", undefined],
  );
  assert.deepEqual([second.name, second.functionCall], ["save", call]);
});
