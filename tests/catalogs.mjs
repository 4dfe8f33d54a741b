// Catalogs of every shape, a validator for their schemas, and valid and invalid messages.
import Ajv from "ajv/dist/2020.js";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

export const shop = defineCatalog({
  id: "shop",
  components: {
    Shelf: { props: { title: "string", books: { type: "children", required: true } } },
    Book: {
      description: "One book",
      props: {
        title: { type: "string", required: true },
        pages: { type: "integer", minimum: 10, required: true },
        cover: ["hard", "soft"],
        tags: { type: "array", items: "string" },
        onOpen: "action",
      },
    },
    Rating: { props: { stars: { type: "number", input: true, minimum: 0, maximum: 5 } } },
    Frame: { props: { inner: { type: "component", required: true } } },
    Pages: {
      props: {
        pages: {
          type: "array",
          items: { properties: { name: "string", page: { type: "component", required: true } } },
          required: true,
          minItems: 1,
        },
      },
    },
  },
  functions: { shout: { args: { text: { type: "string", required: true } }, returns: "string" } },
});

/** Catalogs without lists, with one component, without bindings, and with every kind of property. */
export const catalogs = {
  basic: basicCatalog,
  shop,
  chart: defineCatalog({
    components: {
      Chart: {
        props: {
          points: {
            type: "array",
            items: { properties: { x: { type: "number", required: true }, y: "number" } },
            required: true,
          },
        },
      },
    },
  }),
  bare: defineCatalog({ components: { Logo: {} } }),
  form: defineCatalog({
    components: { Ask: { props: { answer: { type: "boolean", input: true }, go: "action" } } },
  }),
  frame: defineCatalog({
    components: {
      Box: { props: { inner: { type: "component", required: true } } },
      Word: { props: { says: { type: "string", required: true } } },
    },
  }),
  column: defineCatalog({
    components: { Column: { props: { children: { type: "children", required: true } } } },
  }),
  page: defineCatalog({
    components: {
      Page: { props: { children: { type: "children", required: true } } },
      Section: { props: { title: "string", body: { type: "children", required: true } } },
      Card: { props: { child: { type: "component", required: true } } },
    },
  }),
  either: defineCatalog({
    components: { Cell: { props: { holds: { anyOf: ["component", "string"], required: true } } } },
  }),
  rows: defineCatalog({
    components: {
      Rows: {
        props: {
          rows: { type: "array", items: "component", required: true },
          more: { properties: { one: "component" }, required: true },
        },
      },
    },
  }),
  extended: basicCatalog.extend({
    components: { Chart: { props: { points: { type: "array", items: "number" } } } },
  }),
};

const strict = { strict: true, strictTypes: false, strictRequired: false };
const quick = new Ajv(strict);
const takers = new Map();
/** Returns whether the schema of a catalog accepts a message. */
export const takes = (catalog, message) => {
  const known = takers.get(catalog) ?? quick.compile(catalog.schema());
  takers.set(catalog, known);
  return known(message);
};

const ajv = new Ajv({ allErrors: true, ...strict });
const validators = new Map();
/** Returns the errors of a message against the schema of a catalog. */
export const validate = (catalog, message, options) => {
  const own = validators.get(catalog) ?? new Map();
  validators.set(catalog, own);
  const key = JSON.stringify(options);
  const known = own.get(key) ?? ajv.compile(catalog.schema(options));
  own.set(key, known);
  return known(message) ? [] : known.errors;
};
/** Returns the example messages of a prompt. */
export const examples = (text) =>
  text
    .split("\n")
    .filter((line) => /^\{"[a-z]\w+":\{/.test(line))
    .map((line) => JSON.parse(line));

export const component = (one) => ({ updateComponents: { surfaceId: "s", components: [one] } });
export const text = (value) => component({ id: "root", component: "Text", text: value });
const nodes = (given) => ({ updateDataModel: { surfaceId: "s", nodes: given } });
/** Messages that each schema rejects. */
export const broken = {
  "an unknown component": component({ id: "root", component: "Texte", text: "a" }),
  "a misspelt property": component({ id: "root", component: "Text", text: "a", varient: "h1" }),
  "a property that is missing": component({ id: "root", component: "Text" }),
  "a literal of another type": text(1),
  "a literal that is none of those": component({
    id: "root",
    component: "Text",
    text: "a",
    variant: "h9",
  }),
  "a component without an id": component({ component: "Text", text: "a" }),
  "a path": text({ path: "/users/0/name" }),
  "a binding that is a path": text({ binding: { path: "/users/0" } }),
  "a binding that is a text": text({ binding: "name" }),
  "a key that is a path": text({ binding: { node: "users", key: "0/name" } }),
  "a pointer for a node": text({ binding: { node: "*u1", key: "name" } }),
  "a ChildList without a template": component({
    id: "root",
    component: "List",
    children: { binding: { key: "rows" } },
  }),
  "components inside components": component({
    id: "root",
    component: "Column",
    children: [{ id: "a", component: "Text", text: "a" }],
  }),
  "an unknown function": text({ call: "eval", args: { code: "1" } }),
  "an argument of another type": text({ call: "formatNumber", args: { value: "1" } }),
  "an action without an event": component({
    id: "root",
    component: "Button",
    child: "t",
    action: "go",
  }),
  "an unknown message": { updateNodes: {} },
  "two messages in one": { ...nodes({}), deleteSurface: { surfaceId: "s" } },
  "a data model by path": { updateDataModel: { surfaceId: "s", path: "/a/0", value: 1 } },
  "a list of nodes": nodes([{ id: "root", value: 1 }]),
};
/** Messages with invalid nodes, which a schema for all servers cannot detect. */
export const brokenNodes = {
  "an id that is a pointer": nodes({ "*u1": {} }),
  "a deletion of nothing": nodes({ "!": null }),
  "a deletion with a value": nodes({ "!a": 1 }),
};
