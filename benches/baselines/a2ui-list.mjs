// @a2ui/web_core with its node layer: a resolver over a surface, and one listener on the properties
// of every rendered node.
import {
  Catalog,
  ChildListSchema,
  ComponentModel,
  DynamicStringSchema,
  effect,
  getValue,
  isComponentNode,
  NodeResolver,
  peekValue,
  SurfaceModel,
} from "@a2ui/web_core/v0_9";
import { z } from "zod";
import { FIELDS, LIST } from "../data/rows.mjs";

const list = { name: "List", schema: z.object({ children: ChildListSchema.optional() }) };
const properties = FIELDS.map((field) => [field, DynamicStringSchema.optional()]);
const row = { name: "Row", schema: z.object(Object.fromEntries(properties)) };

/** Returns a surface of rows; `calls` counts listener calls. */
export function boundList(rows) {
  const catalog = new Catalog("bench", [list, row], []);
  const surface = new SurfaceModel("bench", catalog);
  surface.dataModel.set(`/${LIST}`, rows);
  const paths = FIELDS.map((field) => [field, { path: field }]);
  add(surface, "row", "Row", Object.fromEntries(paths));
  add(surface, "root", "List", { children: { path: `/${LIST}`, componentId: "row" } });
  const resolver = new NodeResolver(surface, catalog);
  const shown = { surface, resolver, calls: 0 };
  listen(shown, peekValue(resolver.rootNode));
  shown.calls = 0;
  return shown;
}

/** Returns the rendered rows. */
export function shownRows({ resolver }) {
  return peekValue(peekValue(resolver.rootNode).props).children.map((node) =>
    FIELDS.map((field) => peekValue(node.props)[field].value),
  );
}

function add(surface, id, type, props) {
  surface.componentsModel.addComponent(new ComponentModel(id, type, props));
}

// A renderer draws a node again if its properties change, and new children.
function listen(shown, node) {
  const seen = new Set();
  const end = effect(() => {
    shown.calls++;
    for (const value of Object.values(getValue(node.props)).flat()) {
      if (!isComponentNode(value) || seen.has(value)) continue;
      seen.add(value);
      value.onDestroyed.subscribe(() => seen.delete(value));
      listen(shown, value);
    }
  });
  node.addCleanup(end);
}
