// @a2ui/web_core as its node layer is meant to be used: a resolver over a surface, one listener on
// the properties of every node that a renderer would draw.
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

/** A surface that shows these rows; `calls` counts what a renderer is called for. */
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

/** The rows as they are shown. */
export function shownRows({ resolver }) {
  return peekValue(peekValue(resolver.rootNode).props).children.map((node) =>
    FIELDS.map((field) => peekValue(node.props)[field].value),
  );
}

function add(surface, id, type, props) {
  surface.componentsModel.addComponent(new ComponentModel(id, type, props));
}

// A renderer draws a node again when its properties change, and children that are new.
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
