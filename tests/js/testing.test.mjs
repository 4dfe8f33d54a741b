// `byname/testing`: queries, actions, changes and scripted streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { basicCatalog as catalog } from "byname/dom";
import { render, scriptedStream } from "byname/testing";

await init();

const surfaceId = "s";
const components = [
  { id: "root", component: "Column", children: ["title", "people", "name", "send"] },
  { id: "title", component: "Text", text: "# Team" },
  {
    id: "people",
    component: "List",
    children: { binding: { node: "root", key: "people" }, template: "person" },
  },
  { id: "person", component: "Text", text: { binding: { key: "name" } } },
  {
    id: "name",
    component: "TextField",
    label: "Name",
    value: { binding: { node: "form", key: "name" } },
  },
  {
    id: "send",
    component: "Button",
    child: "send_text",
    action: {
      event: { name: "send", context: { who: { binding: { node: "form", key: "name" } } } },
    },
    checks: [
      {
        condition: {
          call: "required",
          args: { value: { binding: { node: "form", key: "name" } } },
        },
        message: "Enter a name",
      },
    ],
  },
  { id: "send_text", component: "Text", text: "Send" },
];
const nodes = {
  root: { people: ["*ann", "*bob"] },
  ann: { name: "Ann" },
  bob: { name: "Bob" },
  form: { name: "" },
};
const messages = [
  { createSurface: { surfaceId } },
  { updateComponents: { surfaceId, components } },
  { updateDataModel: { surfaceId, nodes } },
];

test("instances are found by id, role, name, component and node", () => {
  const view = render(messages, { catalog });
  assert.deepEqual(view.diagnostics, []);
  assert.equal(view.text(), "Team\nAnn\nBob\nName\nSend");
  assert.equal(view.get("title").component, "Text");
  assert.equal(view.role("title"), "heading");
  assert.equal(view.get({ role: "button", name: "Send" }).id, "send");
  assert.equal(view.get({ role: "textbox", name: /^na/i }).id, "name");
  assert.equal(view.all({ id: "person" }).length, 2);
  assert.equal(view.get({ id: "person", node: "bob" }).props.text, "Bob");
  assert.equal(view.find("missing"), undefined);
  assert.throws(() => view.get("missing"), /no instance with the id `missing`; .*ids root, title/);
  assert.throws(() => view.get("person"), /several instances/);
  assert.throws(() => view.get({ text: "x" }), { name: "BynameError", code: "argument" });
});

test("input and clicks reach the data and the agent; a disabled button says why", () => {
  const view = render(messages, { catalog });
  assert.equal(view.error("send"), "Enter a name");
  assert.throws(() => view.press("send"), /`send` is disabled: Enter a name/);
  view.type("name", "Cy");
  assert.equal(view.surface.store.get("form").name, "Cy");
  const action = view.press({ role: "button" });
  assert.deepEqual([action.name, action.context], ["send", { who: "Cy" }]);
  assert.deepEqual(view.actions, [action]);
  assert.throws(() => view.press("title"), /no action/);
  assert.throws(() => view.type("title", "x"), /takes no input/);
});

test("changes are recorded, in order", () => {
  const view = render(messages, { catalog });
  assert.deepEqual(view.changes, []);
  view.send({ updateDataModel: { surfaceId, nodes: { ann: { name: "Anna" }, "!bob": null } } });
  assert.deepEqual(view.changes.map(({ kind }) => kind).sort(), ["set", "unmount"]);
});

test("calls are evaluated, and plain A2UI is rendered", () => {
  const text = { call: "formatNumber", args: { value: { path: "/n" } } };
  const view = render(
    [
      { version: "v0.9", createSurface: { surfaceId } },
      {
        version: "v0.9",
        updateComponents: { surfaceId, components: [{ id: "root", component: "Text", text }] },
      },
      { version: "v0.9", updateDataModel: { surfaceId, path: "/n", value: 1234.5 } },
    ],
    { catalog, a2ui: true },
  );
  assert.equal(view.text(), "1,234.5");
});

test("a scripted stream arrives in chunks, with pauses, and ends by its signal", async () => {
  const view = render([], { catalog });
  const chunks = [];
  async function* observed() {
    for await (const chunk of scriptedStream([messages[0], 5, messages[1], messages[2]], {
      chunkSize: 40,
    })) {
      chunks.push(chunk);
      yield chunk;
    }
  }
  const { ok } = await view.receive(observed());
  assert.ok(ok);
  assert.ok(chunks.length > 10 && chunks.every((chunk) => chunk.length <= 40));
  assert.equal(view.get("title").props.text, "# Team");
  assert.equal(render().tree(), null);

  const controller = new AbortController();
  const stream = scriptedStream(["a", 10_000, "b"], { signal: controller.signal });
  assert.equal((await stream.next()).value, "a");
  const next = stream.next();
  controller.abort(new Error("enough"));
  await assert.rejects(next, /enough/);
  await assert.rejects(scriptedStream("a", { delay: -1 }).next(), { code: "argument" });
  await assert.rejects(scriptedStream(5).next(), { code: "argument" });
});

test("faulty messages are in the diagnostics", () => {
  const view = render('{"createSurface": {"surfaceId": "s"', { catalog });
  assert.ok(view.diagnostics.some(({ severity }) => severity === "error"));
  assert.equal(view.text(), "");
});

test("a test may begin without messages, but an empty text is an error", () => {
  assert.deepEqual(render([], { catalog }).diagnostics, []);
  assert.deepEqual(render(undefined, { catalog }).diagnostics, []);
  const codes = render("", { catalog }).diagnostics.map(({ code }) => code);
  assert.deepEqual(codes, ["HAM035"]);
});

test("messages that cannot be serialised are reported", () => {
  const messages = (levels) => {
    const value = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    return [{ updateDataModel: { nodes: { a: value } } }];
  };
  for (const levels of [600, 5000, 20_000]) {
    const { diagnostics } = render(messages(levels), { catalog });
    assert.ok(
      diagnostics.some(({ code }) => code === "JSON009"),
      `${levels} levels`,
    );
  }
  const circular = {};
  circular.updateDataModel = circular;
  assert.ok(render([circular], { catalog }).diagnostics.some(({ code }) => code === "JSON013"));
});
