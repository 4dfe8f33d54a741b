import { pathsOf } from "../functions/template.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Binding, HamNodes, Json } from "../types.js";
import { bindingOf, isIndex, ROOT, segmentsOf } from "./node-ids.js";

const sigil = "*";

/** Paths of the components that a template repeats. */
interface Template {
  /** Path of the list and the id of the template, joined by a space. */
  list: string;
  component: string;
  /** Relative paths of values. */
  paths: Set<string>;
  nested: Template[];
}

/**
 * Views of lists: HAM binds to one property of an item, so an item whose components use a path of
 * several steps is displayed through a view. A view is a node with one pointer per path. A pointer
 * to a value is written through, so that input reaches the data.
 */
export class TemplateViews {
  readonly #components = new Map<string, JsonObject>();
  #templates: Template[] = [];
  /** Components inside a view. */
  readonly #inside = new Set<string>();
  /** Components that `root` displays outside of templates. */
  #outside = new Set<string>();

  get isEmpty(): boolean {
    return this.#templates.length === 0;
  }

  clear(): void {
    this.#components.clear();
    this.#templates = [];
    this.#inside.clear();
    this.#outside.clear();
  }

  add(components: readonly Json[]): void {
    for (const one of components) {
      if (isJsonObject(one) && typeof one["id"] === "string") this.#components.set(one["id"], one);
    }
    this.#inside.clear();
    this.#outside = this.#reach(ROOT).ids;
    const tops = [...this.#components.keys()].flatMap((id) => {
      const { templates } = this.#reach(id, false);
      return templates.filter(({ path }) => path.startsWith("/") || this.#outside.has(id));
    });
    this.#templates = tops.flatMap(({ path, component }) => {
      const template = this.#template(path.startsWith("/") ? path : `/${path}`, component, []);
      return template && needsView(template) ? [template] : [];
    });
    for (const one of this.#templates) this.#enter(one);
  }

  /** Returns whether a component is displayed at the top level, where paths begin at the root. */
  isTop(id: Json | undefined): boolean {
    return typeof id === "string" && this.#outside.has(id) && !this.#inside.has(id);
  }

  /** Returns the binding of a path inside a view, or undefined outside. */
  bind(id: Json | undefined, path: string, template?: Json): Binding | undefined {
    if (template !== undefined) {
      const list = `${path.startsWith("/") ? "" : this.isTop(id) ? "/" : ""}${path}`;
      const key = listKey(list, String(template));
      if (this.#templates.some((one) => one.list === key)) return { node: `items:${key}` };
    }
    if (typeof id !== "string" || !this.#inside.has(id) || path.startsWith("/")) return undefined;
    return { key: template === undefined ? path : listKey(path, String(template)) };
  }

  /** Adds the nodes of all views to the nodes of a data model. */
  addTo(nodes: HamNodes): void {
    for (const one of this.#templates) {
      const { path } = parseKey(one.list);
      addList(nodes, `items:${one.list}`, locate(nodes, ROOT, path, false), one);
    }
  }

  #enter(template: Template): void {
    for (const id of this.#reach(template.component).ids) this.#inside.add(id);
    for (const one of template.nested) this.#enter(one);
  }

  #template(path: string, component: string, ancestors: readonly string[]): Template | undefined {
    if (ancestors.includes(component)) return undefined;
    const { paths, templates } = this.#reach(component);
    const nested = templates
      .filter((one) => !one.path.startsWith("/"))
      .flatMap((one) => this.#template(one.path, one.component, [...ancestors, component]) ?? []);
    return { list: listKey(path, component), component, paths, nested };
  }

  /** Returns the paths and templates of a component, by default with those it contains. */
  #reach(
    start: string,
    isDeep = true,
  ): { ids: Set<string>; paths: Set<string>; templates: { path: string; component: string }[] } {
    const ids = new Set<string>();
    const paths = new Set<string>();
    const templates: { path: string; component: string }[] = [];
    const visitText = (text: string): void => {
      if (isDeep && this.#components.has(text) && !ids.has(text)) visitComponent(text);
    };
    const visit = (value: Json): void => {
      if (typeof value === "string") visitText(value);
      if (Array.isArray(value)) for (const item of value) visit(item);
      if (!isJsonObject(value)) return;
      const path = value["@path"] ?? value["path"];
      const { componentId, args } = value;
      if (typeof path === "string" && typeof componentId === "string") {
        templates.push({ path, component: componentId });
        return;
      }
      if (typeof path === "string" && !path.startsWith("/")) paths.add(path);
      const text = isJsonObject(args) ? args["value"] : undefined;
      const call = value["@call"] ?? value["call"];
      if (call === "formatString" && typeof text === "string") {
        for (const one of pathsOf(text)) if (!one.path.startsWith("/")) paths.add(one.path);
      }
      for (const item of Object.values(value)) visit(item);
    };
    const visitComponent = (id: string): void => {
      ids.add(id);
      const { id: _, component, ...props } = this.#components.get(id) ?? {};
      for (const value of Object.values(props)) visit(value);
    };
    visitComponent(start);
    return { ids, paths, templates };
  }
}

function listKey(path: string, component: string): string {
  return `${path} ${component}`;
}

function parseKey(key: string): { path: string } {
  return { path: key.slice(0, key.lastIndexOf(" ")) };
}

/** Returns whether a path of the template has several steps, or needs an index. */
function needsView({ paths, nested }: Template): boolean {
  const isLong = (path: string): boolean => bindingOf(path) === null || isIndex(path);
  const isNestedLong = (one: Template): boolean =>
    isLong(parseKey(one.list).path) || needsView(one);
  return [...paths].some(isLong) || nested.some(isNestedLong);
}

/** Adds the view of a list: a list of one view per item. */
function addList(nodes: HamNodes, viewId: string, listId: string, template: Template): void {
  const list = nodes[listId];
  if (typeof list !== "object" || list === null) return;
  const items = Object.keys(list).map((key) => locate(nodes, listId, escapePointer(key), true));
  nodes[viewId] = items.map((item) => `${sigil}item:${viewId}:${item}`);
  for (const item of items) {
    const entries = [...template.paths].map((path): [string, Json] => [
      path,
      sigil + locate(nodes, item, path === "." ? "" : path, true),
    ]);
    for (const one of template.nested) {
      const inner = `items:${item}:${one.list}`;
      addList(nodes, inner, locate(nodes, item, parseKey(one.list).path, false), one);
      entries.push([one.list, sigil + inner]);
    }
    nodes[`item:${viewId}:${item}`] = Object.fromEntries(entries);
  }
}

/**
 * Returns the id of the node at a path below a node, present or missing. A scalar in its parent
 * becomes a node of its own if `isPromoted`, so that a pointer can name it.
 */
function locate(nodes: HamNodes, start: string, path: string, isPromoted: boolean): string {
  let id = start;
  for (const segment of segmentsOf(path)) {
    const node = nodes[id];
    const next = `${id === ROOT ? "" : id}/${escapePointer(segment)}`;
    const entry =
      typeof node === "object" && node !== null && Object.hasOwn(node, segment)
        ? (node as JsonObject)[segment]
        : undefined;
    if (typeof entry === "string" && entry.startsWith(sigil)) {
      id = entry.slice(sigil.length);
      continue;
    }
    if (entry !== undefined && isPromoted && isJsonObject(node)) {
      nodes[next] = entry;
      nodes[id] = { ...node, [segment]: sigil + next };
    }
    id = next;
  }
  return id;
}
