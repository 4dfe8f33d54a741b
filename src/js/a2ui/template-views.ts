import { namesOf } from "../functions/template.js";
import { escapePointer, setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../json-value.js";
import type { Binding, HamNodes, Json } from "../types.js";
import { childId, getOwn, isObject, isPointer, SIGIL } from "./data-model.js";
import { bindingOf, idOf, isIndex, ROOT, segmentsOf } from "./node-ids.js";
import type { NodeOverlay } from "./node-overlay.js";
import type { NodeReader } from "./node-reader.js";

/** Maximum depth of templates: that of the components which a surface displays. */
const MAX_LEVELS = 100;

/** Nodes that views are added to. */
type WritableNodes = Pick<NodeOverlay, "get" | "set">;

/** Component that is repeated for a list, by the path of the list. */
interface Template {
  readonly path: string;
  readonly component: string;
}

/** Parts of one component, or of one and all that it contains. */
interface ComponentParts {
  /** Texts that may be component ids. */
  readonly texts: Set<string>;
  /** Paths of values. */
  readonly paths: Set<string>;
  readonly templates: Template[];
}

/** Parts of a template and of the components that it contains, with their ids. */
interface Body extends ComponentParts {
  readonly ids: ReadonlySet<string>;
}

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
  /** Ids of the components that mention an id. */
  readonly #users = new Map<string, Set<string>>();
  /** Bodies of templates, by the id of the template. */
  readonly #bodies = new Map<string, Body>();
  /** Ids that the bodies mention. */
  readonly #mentioned = new Set<string>();
  /** Templates with a source of known path, by the id of the component that has them. */
  readonly #candidates = new Map<string, Template[]>();
  /** Candidates that need a view. */
  readonly #templates = new Map<string, Template[]>();
  /** Keys of the lists with a view. */
  readonly #lists = new Set<string>();
  /** Components inside a view. */
  readonly #inside = new Set<string>();
  /** Components that `root` displays outside of templates. */
  readonly #outside = new Set<string>();
  /** Texts in the components outside of templates, which may be ids of components that follow. */
  readonly #outsideTexts = new Set<string>();

  get isEmpty(): boolean {
    return this.#templates.size === 0;
  }

  /** Whether components are bound to views, or were before the last update. */
  get isInUse(): boolean {
    return !this.isEmpty || this.#wasInUse;
  }

  clear(): void {
    for (const one of [this.#components, this.#users, this.#bodies, this.#mentioned]) one.clear();
    for (const one of [this.#candidates, this.#templates, this.#lists]) one.clear();
    for (const one of [this.#inside, this.#outside, this.#outsideTexts]) one.clear();
  }

  /** Adds components, which replace those of the same id. */
  add(components: readonly Json[], nodeOf: (id: string) => Json | undefined): void {
    const added = new Set<string>();
    let isReplaced = false;
    for (const one of components) {
      if (!isJsonObject(one) || typeof one["id"] !== "string") continue;
      const { id } = one;
      isReplaced ||= this.#components.has(id);
      this.#addParts(id, partsOf(one));
      added.add(id);
    }
    const changed = this.#forgetBodies(added);
    if (isReplaced) {
      this.#outside.clear();
      this.#outsideTexts.clear();
      this.#visitOutside(ROOT, changed);
      for (const [id, { templates }] of this.#components) if (templates.length > 0) changed.add(id);
    }
    for (const id of added)
      if (id === ROOT || this.#outsideTexts.has(id)) this.#visitOutside(id, changed);
    for (const id of changed) {
      const found = this.#components
        .get(id)
        ?.templates.filter(({ path }) => path.startsWith("/") || this.#outside.has(id));
      if (found?.length) this.#candidates.set(id, found);
      else this.#candidates.delete(id);
    }
    this.#selectTemplates(changed, nodeOf);
  }

  #addParts(id: string, parts: ComponentParts): void {
    this.#components.set(id, parts);
    for (const one of [...parts.texts, ...parts.templates.map(({ component }) => component)]) {
      const users = this.#users.get(one) ?? new Set();
      this.#users.set(one, users.add(id));
    }
  }

  /** Forgets the bodies that mention components. Returns the components whose templates change. */
  #forgetBodies(ids: ReadonlySet<string>): Set<string> {
    const changed = new Set(ids);
    // A set visits the ids that are added while it is read.
    for (const id of changed) {
      this.#bodies.delete(id);
      if (!this.#mentioned.has(id)) continue;
      for (const user of this.#users.get(id) ?? []) changed.add(user);
    }
    return changed;
  }

  /** Adds a component and all that it contains to those outside of templates. */
  #visitOutside(start: string, changed: Set<string>): void {
    const pending = [start];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const found = this.#components.get(id);
      if (this.#outside.has(id) || (found === undefined && id !== ROOT)) continue;
      this.#outside.add(id);
      changed.add(id);
      for (const text of found?.texts ?? []) {
        this.#outsideTexts.add(text);
        if (this.#components.has(text)) pending.push(text);
      }
    }
  }

  /** Returns whether an update at a location can change which templates need a view. */
  isAffectedBy(location: readonly string[], nodes: NodeReader): boolean {
    return [...this.#candidates.values()].flat().some(({ path }) => {
      const source = segmentsOf(path);
      const isAtOrAbove = location.every((segment, at) => segment === source[at]);
      if (isAtOrAbove) return true;
      const isBelow = source.every((segment, at) => segment === location[at]);
      return isBelow && isCreated(nodes, source, location);
    });
  }

  /** Returns whether an update at a location can change more than one item of each view. */
  dependsOn([first]: readonly string[]): boolean {
    if (first === undefined) return !this.isEmpty;
    if (!this.absoluteIsItem) return false;
    // An absolute path can lead to the item or to the root.
    return [...this.#templates.values()].flat().some(({ component }) =>
      [...this.#nestedTemplates(component)].some((id) => {
        const { paths, templates } = this.#bodyOf(id);
        const all = [...paths, ...templates.map((one) => one.path)];
        return all.some((one) => one.startsWith("/"));
      }),
    );
  }

  /**
   * Returns the update of a location with the changes of the views of its items, or undefined if a
   * view is missing.
   */
  withViews(
    nodes: NodeOverlay,
    update: HamNodes,
    location: readonly string[],
  ): HamNodes | undefined {
    nodes.apply(update);
    const built = new Set<string>();
    const old = new Set<string>();
    for (const { path, component } of [...this.#templates.values()].flat()) {
      const source = segmentsOf(path);
      const isBelow =
        location.length > source.length && source.every((step, at) => step === location[at]);
      const viewId = `items:${listKey(absolutePath(path), component)}`;
      if (!isBelow || built.has(viewId)) continue;
      const list = nodes.get(idOf(source));
      const views = nodes.get(viewId);
      if (!isObject(list) || !Array.isArray(views)) return undefined;
      built.add(viewId);
      const key = location[source.length] as string;
      const item = idOf([...source, key]);
      const itemView = `item:${viewId}:${item}`;
      collectViews(nodes, itemView, old);
      const isPresent = getOwn(list, key) !== undefined;
      if (isPresent !== views.includes(SIGIL + itemView)) {
        const keys = Object.keys(list);
        const isAppended = views.length === keys.length - 1 && keys.at(-1) === key;
        const itemOf = (one: string) => locateForBinding(nodes, idOf(source), escapePointer(one));
        const all = () => keys.map((one) => `${SIGIL}item:${viewId}:${itemOf(one)}`);
        nodes.set(viewId, isAppended ? [...views, SIGIL + itemView] : all());
      }
      if (!isPresent) continue;
      locateForBinding(nodes, idOf(source), escapePointer(key));
      this.#addItem(nodes, viewId, item, [component], built);
    }
    for (const id of old) if (!built.has(id)) nodes.delete(id);
    return nodes.toUpdate();
  }

  /** Selects those of the templates of components that need a view. */
  #selectTemplates(ids: Iterable<string>, nodeOf: (id: string) => Json | undefined): void {
    this.#wasInUse = !this.isEmpty;
    let isChanged = false;
    for (const id of ids) {
      const found = (this.#candidates.get(id) ?? []).filter(
        (one) => this.#needsView(one) || isJsonObject(nodeOf(followPath(ROOT, one.path, nodeOf))),
      );
      isChanged = this.#templates.delete(id) || found.length > 0 || isChanged;
      if (found.length > 0) this.#templates.set(id, found);
    }
    if (!isChanged) return;
    this.#inside.clear();
    this.#lists.clear();
    for (const { path, component } of [...this.#templates.values()].flat()) {
      this.#lists.add(listKey(absolutePath(path), component));
      for (const one of this.#nestedTemplates(component))
        for (const id of this.#bodyOf(one).ids) this.#inside.add(id);
    }
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
    if (template !== undefined && !(isInside && path.startsWith("/") && this.#isOfItem(path))) {
      const list = this.isTop(id) ? absolutePath(path) : path;
      const key = listKey(list, textOf(template));
      if (this.#lists.has(key)) return { node: `items:${key}` };
    }
    if (!isInside || !this.#isOfItem(path)) return undefined;
    return { key: template === undefined ? path : listKey(path, textOf(template)) };
  }

  /** Adds the nodes of all views to the nodes of a data model. */
  addTo(model: HamNodes): void {
    const nodeOf = (id: string): Json | undefined => getOwn(model, id);
    const nodes = { get: nodeOf, set: (id: string, value: Json) => setOwn(model, id, value) };
    this.#selectTemplates(this.#candidates.keys(), nodeOf);
    const built = new Set<string>();
    for (const { path, component } of [...this.#templates.values()].flat()) {
      const viewId = `items:${listKey(absolutePath(path), component)}`;
      this.#addList(nodes, viewId, followPath(ROOT, path, nodeOf), [component], built);
    }
  }

  /** Adds the view of a list: a list of one view per item. */
  #addList(
    nodes: WritableNodes,
    viewId: string,
    listId: string,
    templates: readonly string[],
    built: Set<string>,
  ): void {
    const list = nodes.get(listId);
    if (!isObject(list) || built.has(viewId)) return;
    built.add(viewId);
    const items = Object.keys(list).map((key) =>
      locateForBinding(nodes, listId, escapePointer(key)),
    );
    nodes.set(
      viewId,
      items.map((item) => `${SIGIL}item:${viewId}:${item}`),
    );
    for (const item of items) this.#addItem(nodes, viewId, item, templates, built);
  }

  /** Adds the view of an item: a map with one pointer per path. */
  #addItem(
    nodes: WritableNodes,
    viewId: string,
    item: string,
    templates: readonly string[],
    built: Set<string>,
  ): void {
    const body = this.#bodyOf(templates.at(-1) as string);
    const entries: [string, Json][] = [];
    for (const path of body.paths) {
      if (!this.#isOfItem(path)) continue;
      const start = isOfRoot(path, nodes.get(item)) ? ROOT : item;
      entries.push([path, SIGIL + locateForBinding(nodes, start, path === "." ? "" : path)]);
    }
    for (const { path, component } of body.templates) {
      const isInItself = templates.includes(component) || templates.length >= MAX_LEVELS;
      if (!this.#isOfItem(path) || isInItself) continue;
      const key = listKey(path, component);
      const inner = `items:${item}:${key}`;
      const start = isOfRoot(path, nodes.get(item)) ? ROOT : item;
      const source = followPath(start, path, (id) => nodes.get(id));
      this.#addList(nodes, inner, source, [...templates, component], built);
      entries.push([key, SIGIL + inner]);
    }
    const itemView = `item:${viewId}:${item}`;
    built.add(itemView);
    nodes.set(itemView, Object.fromEntries(entries));
  }

  #isOfItem(path: string): boolean {
    return this.absoluteIsItem || !path.startsWith("/");
  }

  /** Returns whether a path of the template is absolute, has several steps, or needs an index. */
  #needsView({ component: start }: Template): boolean {
    const isLong = (path: string): boolean =>
      this.#isOfItem(path) && (path.startsWith("/") || bindingOf(path) === null || isIndex(path));
    return [...this.#nestedTemplates(start)].some((id) => {
      const { paths, templates } = this.#bodyOf(id);
      // A template inside of itself has no view of its own.
      const nested = templates.filter(({ component }) => component !== id && component !== start);
      return [...paths].some(isLong) || nested.some(({ path }) => isLong(path));
    });
  }

  /** Returns a template and those inside of it, to the depth that a surface displays. */
  #nestedTemplates(start: string): Set<string> {
    const all = new Set<string>();
    let level = [start];
    for (let depth = 0; level.length > 0 && depth < MAX_LEVELS; depth += 1) {
      for (const one of level) all.add(one);
      const inner = level.flatMap((one) => this.#bodyOf(one).templates);
      level = inner
        .filter(({ path, component }) => this.#isOfItem(path) && !all.has(component))
        .map(({ component }) => component);
      level = [...new Set(level)];
    }
    return all;
  }

  /** Returns the parts of a template and of the components that it contains. */
  #bodyOf(start: string): Body {
    const known = this.#bodies.get(start);
    if (known !== undefined) return known;
    const ids = new Set([start]);
    const body: Body = { ids, texts: new Set(), paths: new Set(), templates: [] };
    this.#bodies.set(start, body);
    for (const id of ids) {
      this.#mentioned.add(id);
      const { texts = [], paths = [], templates = [] } = this.#components.get(id) ?? {};
      for (const text of texts) {
        this.#mentioned.add(text);
        if (this.#components.has(text)) ids.add(text);
      }
      for (const path of paths) body.paths.add(path);
      for (const one of templates) {
        this.#mentioned.add(one.component);
        body.templates.push(one);
      }
    }
    return body;
  }
}

/** Returns the parts of a component. */
function partsOf({ id: _, component: __, ...props }: JsonObject): ComponentParts {
  const parts: ComponentParts = { texts: new Set(), paths: new Set(), templates: [] };
  const visit = (value: Json): void => {
    if (typeof value === "string") parts.texts.add(value);
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isJsonObject(value)) return;
    const path = value["@path"] ?? value["path"];
    const { componentId, args } = value;
    if (typeof path === "string" && typeof componentId === "string") {
      parts.templates.push({ path, component: componentId });
      return;
    }
    if (typeof path === "string") parts.paths.add(path);
    const text = isJsonObject(args) ? args["value"] : undefined;
    const call = value["@call"] ?? value["call"];
    if (call === "formatString" && typeof text === "string") {
      for (const name of namesOf(text)) if (name !== "@index") parts.paths.add(name);
    }
    for (const item of Object.values(value)) visit(item);
  };
  for (const value of Object.values(props)) visit(value);
  return parts;
}

/** Returns whether an update at a path creates the list or map at a location above it. */
function isCreated(
  nodes: NodeReader,
  location: readonly string[],
  path: readonly string[],
): boolean {
  const id = idOf(location);
  if (!nodes.has(id)) return true;
  const entry = nodes.entry(id, path[location.length] as string);
  return entry === undefined && !isObject(nodes.get(id));
}

function absolutePath(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
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
function locateForBinding(nodes: WritableNodes, start: string, path: string): string {
  let id = start;
  for (const segment of segmentsOf(path)) {
    const node = nodes.get(id);
    const next = childId(id, segment);
    const entry = getOwn(node, segment);
    if (isPointer(entry)) {
      id = entry.slice(SIGIL.length);
      continue;
    }
    if (entry !== undefined && isJsonObject(node)) {
      nodes.set(next, entry);
      nodes.set(id, { ...node, [segment]: SIGIL + next });
    }
    id = next;
  }
  return id;
}

/** Collects the ids of a view and of the views inside it. */
function collectViews(nodes: WritableNodes, id: string, collected: Set<string>): void {
  if (!/^items?:/.test(id) || collected.has(id)) return;
  const view = nodes.get(id);
  if (view === undefined) return;
  collected.add(id);
  for (const entry of Object.values(view as Json[] | JsonObject))
    if (isPointer(entry)) collectViews(nodes, entry.slice(SIGIL.length), collected);
}
