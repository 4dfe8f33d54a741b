// Expected tree of a surface by the processor and data model of A2UI: every component
// with each `{path}` in it and its value in the data model.

import { Catalog, DataContext, MessageProcessor } from "@a2ui/web_core/v0_9";
import { pathsOf } from "../../pkg/functions/template.js";
import { catalog } from "./catalog.mjs";

export class Oracle {
  constructor(catalogId, surfaceId) {
    this.processor = new MessageProcessor([new Catalog(catalogId, [], [])]);
    this.surfaceId = surfaceId;
  }

  /** The data model is the same in v0.9 and v1.0; the processor expects the older version. */
  receive(message) {
    this.processor.processMessages([{ ...structuredClone(message), version: "v0.9" }]);
  }

  /** Returns the complete data model. */
  get model() {
    return this.surface?.dataModel.get("/");
  }

  get surface() {
    return this.processor.model.getSurface(this.surfaceId);
  }

  /** Returns {id, component, bound, actions, children}, or null without a root. */
  tree() {
    if (!this.surface?.componentsModel.get("root")) return null;
    return this.expand("root", new DataContext(this.surface, "/"));
  }

  expand(id, context) {
    const model = this.surface.componentsModel.get(id);
    if (!model) return { id, component: "", bound: [], children: [] };
    const bound = [];
    const held = catalog.components[model.type] ?? {};
    const children = [];
    for (const [prop, value] of Object.entries(model.properties)) {
      if ((held.child ?? []).includes(prop)) children.push(this.expand(value, context));
      else if ((held.children ?? []).includes(prop)) {
        children.push(...this.items(value, context, bound, [prop]));
      } else {
        collect(value, [prop], context, bound);
        const nested = (held.child ?? []).filter((path) => path.startsWith(`${prop}.`));
        for (const path of nested) {
          const name = path.split(".")[1];
          children.push(...value.map((item) => this.expand(item[name], context)));
        }
      }
    }
    return { id, component: model.type, bound, children };
  }

  items(value, context, bound, place) {
    if (Array.isArray(value)) return value.map((id) => this.expand(id, context));
    const list = context.resolveDynamicValue({ path: value.path });
    bound.push({ place, path: value.path, value: list ?? null });
    if (!Array.isArray(list)) return [];
    return list.map((_, at) =>
      this.expand(value.componentId, context.nested(`${value.path}/${at}`)),
    );
  }
}

/** Adds each `{path}` inside a property with its location and value to `bound`. */
function collect(value, place, context, bound) {
  if (typeof value !== "object" || value === null) return;
  if (typeof value.path === "string") {
    const resolved = context.resolveDynamicValue({ path: value.path });
    bound.push({ place, path: value.path, value: resolved ?? null });
    return;
  }
  if (value.call === "formatString" && typeof value.args.value === "string") {
    for (const { path } of pathsOf(value.args.value)) {
      const resolved = context.resolveDynamicValue({ path });
      const inner = [...place, "args", "values", path];
      bound.push({ place: inner, path, value: resolved ?? null });
    }
  }
  for (const [name, item] of Object.entries(value)) {
    collect(item, [...place, name], context, bound);
  }
}
