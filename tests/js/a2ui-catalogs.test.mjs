// Components and calls that name their catalog, places of components, and the reserved type.
import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { messageStream, Surfaces } from "byname/messages";

await init();

const basicId = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";
const value = { type: "string", required: true };
const shop = defineCatalog({
  components: {
    Badge: { props: { label: value } },
    Rack: { props: { items: "children" }, allowedChildren: ["Badge", "Rack"] },
    Page: { props: { child: "component" }, allowedParents: ["Surface"] },
  },
  functions: { shout: { args: { value }, returns: "string" } },
});
const merged = basicCatalog.extend({ components: shop.components, functions: shop.functions });

/** Returns a function that receives components and returns the codes, and the sent errors. */
function connect(create = { catalogId: basicId }, version = "v1.0") {
  const sent = [];
  const surface = new Surface({ catalog: merged });
  const target = a2uiTarget(surface, {
    catalogs: { [basicId]: basicCatalog, shop },
    functions: { shout: (args) => `${args.value}!` },
    onMessage: ({ error }) => sent.push(error),
  });
  assert.ok(target.receive({ version, createSurface: { surfaceId: "s", ...create } }).ok);
  const receive = (...components) => {
    const body = { updateComponents: { surfaceId: "s", components } };
    return target.receive({ version, ...body }).diagnostics.map(({ code }) => code);
  };
  return { surface, target, receive, sent };
}

const text = (more) => ({ id: "root", component: "Text", text: "Hi", ...more });
const call = (more) => ({ "@call": "shout", args: { value: "a" }, ...more });

test("a component belongs to the catalog that it names, else to that of the surface", () => {
  for (const key of ["catalogId", "@catalogId"]) {
    const badge = { id: "root", component: "Badge", label: "New", [key]: "shop" };
    const { receive, surface, sent } = connect();
    assert.deepEqual(receive(badge), []);
    assert.equal(surface.tree().component, "Badge");
    assert.deepEqual(receive({ ...badge, [key]: "other" }), ["A2UI014"]);
    assert.deepEqual(receive({ ...badge, [key]: basicId }), ["A2UI015"]);
    assert.deepEqual(receive({ ...badge, [key]: "" }), ["A2UI014"]);
    assert.deepEqual(
      sent.map(({ code, message }) => `${code} ${message}`),
      [
        "CATALOG_ERROR Catalog not found: other",
        `VALIDATION_FAILED unknown component \`Badge\` of \`root\` in the catalog \`${basicId}\``,
        "CATALOG_ERROR Catalog not found: ",
      ],
    );
  }
});

test("a surface without a catalog has no default, and a component keeps none", () => {
  const { receive, surface } = connect({});
  assert.deepEqual(receive(text()), ["A2UI014"]);
  assert.equal(surface.tree(), null);
  assert.deepEqual(receive(text({ catalogId: basicId })), []);
  assert.deepEqual(receive(text({ text: "Bye" })), ["A2UI014"]);
  assert.equal(surface.tree().props.text, "Hi");
  // Earlier versions have one catalog.
  assert.deepEqual(connect({}, "v0.9").receive(text()), []);
});

test("all ids of the basic catalog name it", () => {
  for (const catalogId of ["basic", "https://a2ui.org/specification/v0_9/basic_catalog.json"])
    assert.deepEqual(connect({ catalogId }).receive(text()), []);
});

test("a call belongs to the catalog that it names, else to that of the surface", () => {
  const cases = [
    [call({ catalogId: "shop" }), []],
    [call(), ["A2UI016"]],
    [call({ catalogId: "other" }), ["A2UI014"]],
    [{ "@call": "formatString", catalogId: "shop", args: { value: "a" } }, ["A2UI016"]],
    [call({ catalogId: "shop", args: { phrase: 3 } }), ["CAT001", "CAT002"]],
    [{ "@call": "@index" }, ["A2UI022"]],
    [{ "@call": "@index", catalogId: "shop" }, ["A2UI022", "HAM031"]],
  ];
  for (const [value, codes] of cases)
    assert.deepEqual(connect().receive(text({ text: value })), codes, JSON.stringify(value));
  const badge = { id: "root", component: "Badge", catalogId: "shop" };
  assert.deepEqual(connect().receive({ ...badge, label: call() }), ["A2UI016"]);
  const inner = { "@call": "formatString", args: { value: call() } };
  assert.deepEqual(connect().receive(text({ text: inner })), ["A2UI016"]);
  assert.deepEqual(connect({ catalogId: "shop" }).receive({ ...badge, label: call() }), []);
});

test("components at a wrong place are reported with the text of the specification", () => {
  const { receive, sent } = connect({ catalogId: "shop" });
  assert.deepEqual(receive({ id: "root", component: "Rack", items: ["a", "b"] }), []);
  assert.deepEqual(receive({ id: "a", component: "Badge", label: "A" }), []);
  assert.deepEqual(receive({ id: "b", component: "Page" }), ["CAT015", "CAT015"]);
  assert.deepEqual(
    sent.map(({ code, message }) => `${code} ${message}`),
    [
      "UNALLOWED_PARENT Component 'b' (Page) cannot be placed under parent 'root' (Rack). Allowed parents: ['Surface'].",
      "UNALLOWED_CHILD Container 'root' (Rack) cannot contain child 'b' (Page). Allowed children: ['Badge', 'Rack'].",
    ],
  );
  assert.deepEqual(receive({ id: "root", component: "Page", child: "a" }), []);
});

test("the type `Surface` is reserved", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  target.receive({ createSurface: { surfaceId: "s" } });
  const components = [text(), { id: "top", component: "Surface", child: "root" }];
  const { ok, diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["A2UI019"]]);
  assert.equal(surface.tree().props.text, "Hi");
});

test("a stream reports an error once, and an equal message does not repeat it", () => {
  const { receive, sent } = connect();
  for (let at = 0; at < 3; at += 1) receive(text({ catalogId: "other" }));
  assert.equal(sent.length, 1);
});

test("errors of a stream name the component by its index in the message of the agent", () => {
  const bad = (id) => ({ id, component: "Text", text: { "@call": "nothing", args: {} } });
  const components = [text(), bad("a"), text({ id: "b" }), bad("c")];
  const log = [
    { version: "v1.0", createSurface: { surfaceId: "s", catalogId: basicId } },
    { version: "v1.0", updateComponents: { surfaceId: "s", components } },
  ];
  const source = log.map((message) => JSON.stringify(message)).join("");
  for (const size of [1, 50, 10_000]) {
    const sent = [];
    const a2ui = {
      catalogs: { [basicId]: basicCatalog },
      onMessage: ({ error }) => sent.push(error),
    };
    const stream = messageStream(new Surfaces({ a2ui }));
    for (let at = 0; at < source.length; at += size) stream.push(source.slice(at, at + size));
    stream.end();
    assert.deepEqual(
      sent.map(({ path }) => path),
      ["/updateComponents/components/1/text", "/updateComponents/components/3/text"],
    );
  }
});
