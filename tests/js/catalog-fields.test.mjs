// Fields of a catalog that concern agents: callers of functions, places of components, instructions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMessages, defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

const child = { type: "component", required: true };
const catalog = defineCatalog({
  instructions: "## Tone\nBe brief.",
  components: {
    Box: { props: { child }, allowedChildren: ["Label", "Button"] },
    Label: { props: { text: "string" }, metadata: { extensions: { vendor: 1 } } },
    Page: { props: { items: "children" }, allowedParents: ["Surface"] },
    Film: {},
  },
  functions: { open: { allowedCallers: "rendererOrAgent", requiresUserActivation: true } },
});

test("a catalog keeps the fields, and a part that extends it too", () => {
  const extended = catalog.extend({ components: { More: {} } });
  for (const one of [catalog, extended]) {
    assert.deepEqual(one.components.Box.allowedChildren, ["Label", "Button"]);
    assert.deepEqual(one.components.Page.allowedParents, ["Surface"]);
    assert.deepEqual(one.components.Label.metadata, { extensions: { vendor: 1 } });
    assert.equal(one.functions.open.allowedCallers, "rendererOrAgent");
    assert.equal(one.instructions, "## Tone\nBe brief.");
  }
});

test("the prompt has the instructions and the places of components", () => {
  const prompt = catalog.prompt();
  assert.match(prompt, /^## Tone\nBe brief\.$/m);
  assert.match(prompt, /^Box\(child: component\) Contains only Label, Button\.$/m);
  assert.match(prompt, /^Page\(items\?: children\) Only in Surface\.$/m);
  assert.doesNotMatch(basicCatalog.prompt(), /Only in|Contains only/);
});

/** Returns the codes and messages for components. */
function check(components) {
  return checkMessages(catalog, { updateComponents: { surfaceId: "s", components } }).map(
    ({ code, message, location }) => `${code} ${location.pointer} ${message}`,
  );
}

test("a component at a place that is not allowed is an error", () => {
  const film = { id: "film", component: "Film" };
  const page = { id: "page", component: "Page", items: ["film"] };
  assert.deepEqual(check([{ id: "root", component: "Box", child: "film" }, film]), [
    "CAT015 /updateComponents/components/1 `film` (a `Film`) is not allowed in `root` (a `Box`)",
  ]);
  assert.deepEqual(check([{ id: "root", component: "Box", child: "page" }, page]), [
    "CAT015 /updateComponents/components/1 `page` (a `Page`) is not allowed in `root` (a `Box`)",
    "CAT015 /updateComponents/components/1 `page` (a `Page`) is not allowed in `root` (a `Box`)",
  ]);
  assert.deepEqual(check([{ ...page, id: "root" }, film]), []);
  const label = { id: "root", component: "Box", child: "l" };
  assert.deepEqual(check([label, { id: "l", component: "Label", text: "Hi" }]), []);
});

test("components of a template are checked too", () => {
  const items = { binding: { key: "rows" }, template: "page" };
  const components = [
    { id: "root", component: "Page", items },
    { id: "page", component: "Page", items: [] },
  ];
  assert.deepEqual(check(components), [
    "CAT015 /updateComponents/components/1 `page` (a `Page`) is not allowed in `root` (a `Page`)",
  ]);
});

test("throws on misuse", () => {
  const cases = [
    [{ components: { Surface: {} } }, /`Surface` is reserved/],
    [{ components: { A: { allowedParents: "B" } } }, /`allowedParents` of `A`/],
    [{ components: { A: { allowedChildren: [1] } } }, /`allowedChildren` of `A`/],
    [{ components: { A: { metadata: [] } } }, /`metadata` of `A`/],
    [{ components: { A: {} }, instructions: 1 }, /`instructions`/],
    [{ components: { A: {} }, functions: { f: { allowedCallers: "any" } } }, /`allowedCallers`/],
    [{ components: { A: {} }, functions: { f: { requiresUserActivation: 1 } } }, /Activation`/],
  ];
  for (const [definition, message] of cases)
    assert.throws(() => defineCatalog(definition), { code: "argument", message });
});
