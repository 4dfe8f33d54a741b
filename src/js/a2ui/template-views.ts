import { namesOf } from "../functions/template.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../json-value.js";
import type { Binding, HamNodes, Json } from "../types.js";
import { childId, getOwn, isPointer, SIGIL } from "./data-model.js";
import { bindingOf, isIndex, ROOT, segmentsOf } from "./node-ids.js";

/** Paths of the components that a template repeats. */
interface Template {
  /** Path of the list and the id of the template, joined by a space. */
  list: string;
  component: string;
  /** Relative paths of values. */
  paths: Set<string>;
  nested: Template[];
}

/** Parts of one component, in order: texts that may be component ids, paths, and templates. */
interface ComponentParts {
  readonly parts: readonly ComponentPart[];
  readonly hasTemplates: boolean;
}

type ComponentPart =
  | { readonly text: string }
  | { readonly valuePath: string }
  | { readonly path: string; readonly component: string };

/**
 * Views of lists: HAM repeats a template for a list and binds to one property of an item. So a
 * template is displayed through a view if its source is a map, or if its components use a path of
 * several steps. In v0.8 an absolute path needs a view too. A view of an item is a node with one
 * pointer per path. A pointer to a value is written through, so that input reaches the data.
 */
export class TemplateViews {
  /** Whether an absolute path inside a template means the item if it has the property, as in v0.8. */
  absoluteIsItem = false;
  #wasInUse = false;
  readonly #components = new Map<string, ComponentParts>();
  /** Number of components with templates. */
  #templateCount = 0;
  /** All templates with a source of known path. */
  #candidates: Template[] = [];
  /** Candidates that need a view. */
  #templates: Template[] = [];
  /** Components inside a view. */
  readonly #inside = new Set<string>();
  /** Components that `root` displays outside of templates. */
  #outside = new Set<string>();
  /** Texts in the components outside of templates, which may be ids of components that follow. */
  #outsideTexts = new Set<string>();

  get isEmpty(): boolean {
    return this.#templates.length === 0;
  }

  /** Whether components are bound to views, or were before the last update. */
  get isInUse(): boolean {
    return !this.isEmpty || this.#wasInUse;
  }

  clear(): void {
    this.#components.clear();
    this.#templateCount = 0;
    this.#candidates = [];
    this.#templates = [];
    this.#inside.clear();
    this.#outside.clear();
    this.#outsideTexts.clear();
  }

  /** Adds components, which replace those of the same id. */
  add(components: readonly Json[], nodeOf: (id: string) => Json | undefined): void {
    const added: string[] = [];
    let isReplaced = false;
    for (const one of components) {
      if (!isJsonObject(one) || typeof one["id"] !== "string") continue;
      const { id } = one;
      const before = this.#components.get(id);
      isReplaced ||= before !== undefined;
      const parts = partsOf(one);
      this.#templateCount += Number(parts.hasTemplates) - Number(before?.hasTemplates ?? false);
      this.#components.set(id, parts);
      added.push(id);
    }
    if (isReplaced) {
      this.#outside.clear();
      this.#outsideTexts.clear();
      this.#visitOutside(ROOT);
    }
    for (const id of added) if (id === ROOT || this.#outsideTexts.has(id)) this.#visitOutside(id);
    const hadCandidates = this.#candidates.length > 0;
    this.#candidates = [];
    if (this.#templateCount === 0 && !hadCandidates) {
      this.#wasInUse = false;
      return;
    }
    const tops = [...this.#components.keys()].flatMap((id) => {
      const { templates } = this.#collectReachable(id, false);
      return templates.filter(({ path }) => path.startsWith("/") || this.#outside.has(id));
    });
    this.#candidates = tops.flatMap(
      ({ path, component }) =>
        this.#template(path.startsWith("/") ? path : `/${path}`, component, []) ?? [],
    );
    this.#selectTemplates(nodeOf);
  }

  /** Adds a component and all that it contains to those outside of templates. */
  #visitOutside(start: string): void {
    const pending = [start];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const found = this.#components.get(id);
      if (this.#outside.has(id) || (found === undefined && id !== ROOT)) continue;
      this.#outside.add(id);
      for (const part of found?.parts ?? []) {
        if (!("text" in part)) continue;
        this.#outsideTexts.add(part.text);
        if (this.#components.has(part.text)) pending.push(part.text);
      }
    }
  }

  /** Returns whether an update at a location can change which templates need a view. */
  isAffectedBy(location: readonly string[]): boolean {
    return this.#candidates.some(({ list }) => {
      const source = segmentsOf(parseKey(list).path);
      return location.every((segment, at) => at < source.length && segment === source[at]);
    });
  }

  #selectTemplates(nodeOf: (id: string) => Json | undefined): void {
    this.#wasInUse = !this.isEmpty;
    this.#templates = this.#candidates.filter(
      (one) => needsView(one) || isJsonObject(nodeOf(sourceOf(one, nodeOf))),
    );
    this.#inside.clear();
    for (const one of this.#templates) this.#addInside(one);
  }

  /** Returns whether a component is displayed at the top level, where paths begin at the root. */
  isTop(id: Json | undefined): boolean {
    return typeof id === "string" && this.#outside.has(id) && !this.#inside.has(id);
  }

  /** Returns whether a component is displayed, but not outside of templates. */
  isOnlyInTemplates(id: string): boolean {
    return this.#components.has(id) && !this.#outside.has(id);
  }

  /** Returns the binding of a path inside a view, or undefined outside. */
  bindPath(id: Json | undefined, path: string, template?: Json): Binding | undefined {
    const isInside = typeof id === "string" && this.#inside.has(id);
    const isOfItem = !path.startsWith("/") || this.absoluteIsItem;
    if (template !== undefined && !(isInside && path.startsWith("/") && isOfItem)) {
      const list = `${path.startsWith("/") ? "" : this.isTop(id) ? "/" : ""}${path}`;
      const key = listKey(list, textOf(template));
      if (this.#templates.some((one) => one.list === key)) return { node: `items:${key}` };
    }
    if (!isInside || !isOfItem) return undefined;
    return { key: template === undefined ? path : listKey(path, textOf(template)) };
  }

  /** Adds the nodes of all views to the nodes of a data model. */
  addTo(nodes: HamNodes): void {
    const nodeOf = (id: string): Json | undefined => getOwn(nodes, id);
    this.#selectTemplates(nodeOf);
    for (const one of this.#templates)
      addList(nodes, `items:${one.list}`, sourceOf(one, nodeOf), one);
  }

  #addInside(template: Template): void {
    for (const id of this.#collectReachable(template.component).ids) this.#inside.add(id);
    for (const one of template.nested) this.#addInside(one);
  }

  #template(path: string, component: string, ancestors: readonly string[]): Template | undefined {
    if (ancestors.includes(component)) return undefined;
    const { paths, templates } = this.#collectReachable(component);
    const nested = templates
      .filter((one) => this.absoluteIsItem || !one.path.startsWith("/"))
      .flatMap((one) => this.#template(one.path, one.component, [...ancestors, component]) ?? []);
    return { list: listKey(path, component), component, paths, nested };
  }

  /** Returns the paths and templates of a component, by default with those it contains. */
  #collectReachable(
    start: string,
    isDeep = true,
  ): { ids: Set<string>; paths: Set<string>; templates: { path: string; component: string }[] } {
    const ids = new Set<string>();
    const paths = new Set<string>();
    const templates: { path: string; component: string }[] = [];
    const isOfItem = (path: string): boolean => this.absoluteIsItem || !path.startsWith("/");
    const visitComponent = (id: string): void => {
      ids.add(id);
      for (const part of this.#components.get(id)?.parts ?? []) {
        if ("component" in part) templates.push(part);
        else if ("valuePath" in part) {
          if (isOfItem(part.valuePath)) paths.add(part.valuePath);
        } else if (isDeep && this.#components.has(part.text) && !ids.has(part.text)) {
          visitComponent(part.text);
        }
      }
    };
    visitComponent(start);
    return { ids, paths, templates };
  }
}

/** Returns the parts of a component. */
function partsOf({ id: _, component: __, ...props }: JsonObject): ComponentParts {
  const parts: ComponentPart[] = [];
  let hasTemplates = false;
  const visit = (value: Json): void => {
    if (typeof value === "string") parts.push({ text: value });
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isJsonObject(value)) return;
    const path = value["@path"] ?? value["path"];
    const { componentId, args } = value;
    if (typeof path === "string" && typeof componentId === "string") {
      parts.push({ path, component: componentId });
      hasTemplates = true;
      return;
    }
    if (typeof path === "string") parts.push({ valuePath: path });
    const text = isJsonObject(args) ? args["value"] : undefined;
    const call = value["@call"] ?? value["call"];
    if (call === "formatString" && typeof text === "string") {
      for (const name of namesOf(text)) parts.push({ valuePath: name });
    }
    for (const item of Object.values(value)) visit(item);
  };
  for (const value of Object.values(props)) visit(value);
  return { parts, hasTemplates };
}

function listKey(path: string, component: string): string {
  return `${path} ${component}`;
}

/** Returns the path of the list in the key of a view: the id of its node, or of a nested one. */
export function viewPath(key: string, template: Json | undefined): string | undefined {
  const list = key.startsWith("items:") ? key.slice("items:".length) : key;
  const end = ` ${textOf(template)}`;
  return list.endsWith(end) ? list.slice(0, -end.length) : undefined;
}

function parseKey(key: string): { path: string } {
  return { path: key.slice(0, key.lastIndexOf(" ")) };
}

/** Returns the id of the node of a template's list or map, which may be missing. */
function sourceOf({ list }: Template, nodeOf: (id: string) => Json | undefined): string {
  return followPath(ROOT, parseKey(list).path, nodeOf);
}

/** Returns whether a path of the template is absolute, has several steps, or needs an index. */
function needsView({ paths, nested }: Template): boolean {
  const isLong = (path: string): boolean =>
    path.startsWith("/") || bindingOf(path) === null || isIndex(path);
  const isNestedLong = (one: Template): boolean =>
    isLong(parseKey(one.list).path) || needsView(one);
  return [...paths].some(isLong) || nested.some(isNestedLong);
}

/** Adds the view of a list: a list of one view per item. */
function addList(nodes: HamNodes, viewId: string, listId: string, template: Template): void {
  const list = nodes[listId];
  if (typeof list !== "object" || list === null) return;
  const items = Object.keys(list).map((key) => locateForBinding(nodes, listId, escapePointer(key)));
  nodes[viewId] = items.map((item) => `${SIGIL}item:${viewId}:${item}`);
  for (const item of items) {
    const entries = [...template.paths].map((path): [string, Json] => {
      const start = isOfRoot(path, nodes[item]) ? ROOT : item;
      return [path, SIGIL + locateForBinding(nodes, start, path === "." ? "" : path)];
    });
    for (const one of template.nested) {
      const inner = `items:${item}:${one.list}`;
      const { path } = parseKey(one.list);
      const start = isOfRoot(path, nodes[item]) ? ROOT : item;
      const source = followPath(start, path, (id) => getOwn(nodes, id));
      addList(nodes, inner, source, one);
      entries.push([one.list, SIGIL + inner]);
    }
    nodes[`item:${viewId}:${item}`] = Object.fromEntries(entries);
  }
}

/** Returns whether an absolute path in a template means the root, because the item has no such property. */
function isOfRoot(path: string, item: Json | undefined): boolean {
  const [first] = segmentsOf(path);
  if (!path.startsWith("/")) return false;
  return first === undefined || !isJsonObject(item) || !Object.hasOwn(item, first);
}

/** Returns the id of the node at a path below a node, present or missing. */
function followPath(start: string, path: string, nodeOf: (id: string) => Json | undefined): string {
  let id = start;
  for (const segment of segmentsOf(path)) {
    const entry = getOwn(nodeOf(id), segment);
    id = isPointer(entry) ? entry.slice(SIGIL.length) : childId(id, segment);
  }
  return id;
}

/**
 * Returns the id of the node at a path below a node, present or missing. A scalar in its parent
 * becomes a node of its own, so that a pointer can name it.
 */
function locateForBinding(nodes: HamNodes, start: string, path: string): string {
  let id = start;
  for (const segment of segmentsOf(path)) {
    const node = nodes[id];
    const next = childId(id, segment);
    const entry = getOwn(node, segment);
    if (isPointer(entry)) {
      id = entry.slice(SIGIL.length);
      continue;
    }
    if (entry !== undefined && isJsonObject(node)) {
      nodes[next] = entry;
      nodes[id] = { ...node, [segment]: SIGIL + next };
    }
    id = next;
  }
  return id;
}
