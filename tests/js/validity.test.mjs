// `Surface.validity()`: failed checks of all inputs, without a document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

await init();

const value = { binding: { key: "mail" } };
const check = (call, message, args = {}) => ({
  condition: { call, args: { value, ...args } },
  message,
});
const field = (id, checks) => ({ id, component: "TextField", label: id, value, checks });
const surfaceOf = (components, nodes, catalog = basicCatalog) => {
  const surface = new Surface({ catalog });
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply(nodes);
  return surface;
};

test("an empty text fails `email` only together with `required`", () => {
  const format = check("email", "no address");
  const needed = check("required", "missing");
  const errors = (checks, mail) =>
    surfaceOf([field("root", checks)], { root: { mail } })
      .validity()
      .errors.map(({ message }) => message);
  assert.deepEqual(errors([format], ""), []);
  assert.deepEqual(errors([format], "ann"), ["no address"]);
  assert.deepEqual(errors([format], "ann@example.org"), []);
  assert.deepEqual(errors([needed, format], ""), ["missing"]);
  const both = { call: "and", args: { values: [needed.condition, format.condition] } };
  assert.deepEqual(errors([{ condition: both, message: "both" }], ""), ["both"]);
});

test("lists key, property and message of each input, also in rows, and follows input", () => {
  const components = [
    { id: "root", component: "Column", children: { binding: { key: "rows" }, template: "row" } },
    field("row", [check("required", "missing")]),
  ];
  const surface = surfaceOf(components, {
    root: { rows: ["*a", "*b"] },
    a: { mail: "" },
    b: { mail: "x" },
  });
  assert.deepEqual(surface.validity(), {
    valid: false,
    errors: [{ key: "root/row:a", prop: "value", message: "missing" }],
  });
  surface.input("root/row:a", "value", "y");
  assert.deepEqual(surface.validity(), { valid: true, errors: [] });
});

test("a failed check of a button is not an error of an input", () => {
  const root = { id: "root", component: "Button", child: "t", action: { event: { name: "go" } } };
  const checks = [{ condition: false, message: "no" }];
  const surface = surfaceOf([{ ...root, checks }], {});
  assert.deepEqual(surface.validity(), { valid: true, errors: [] });
});

test("names the input property of a custom component", () => {
  const catalog = defineCatalog({
    components: { Stars: { props: { rating: { type: "number", input: true }, checks: "checks" } } },
  });
  const rating = { binding: { key: "stars" } };
  const condition = { call: "numeric", args: { value: rating, min: 1 } };
  const root = { id: "root", component: "Stars", rating, checks: [{ condition }] };
  const surface = surfaceOf([root], { root: { stars: 0 } }, catalog);
  assert.deepEqual(surface.validity().errors, [
    { key: "root", prop: "rating", message: "This value is not valid" },
  ]);
});

test("throws without a typed catalog and without a renderer", () => {
  const surface = surfaceOf([field("root", [])], {}, { components: {} });
  assert.throws(() => surface.validity(), { code: "argument", message: /typed catalog/ });
});

test("prompts explain checks and `submit` if the catalog has them", () => {
  assert.match(basicCatalog.prompt(), /its first condition that is false; a Button with a false/);
  assert.match(basicCatalog.prompt(), /A Button with "submit":true acts only when all inputs/);
  const checks = { props: { checks: "checks" } };
  const own = defineCatalog({ components: { Stars: checks } }).prompt();
  assert.match(own, /first condition that is false\.\n/);
  assert.doesNotMatch(own, /Button/);
});
