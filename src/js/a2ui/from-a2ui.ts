import { assertCount, assertMessage, assertOptionTypes, throwMisuse } from "../arguments.js";
import { listenToInput } from "../input-listener.js";
import { setOwn, toPlainJson } from "../json-text.js";
import { isJsonObject, type JsonObject, stringOf } from "../json-value.js";
import type { Binding, Diagnostic, HamNodes, Json } from "../types.js";
import { renameAliases } from "./aliases.js";
import { checkBasicCall } from "./basic-calls.js";
import type { CatalogChecks } from "./catalog-checks.js";
import { applyUpdate, getOwn, nodeDiff, nodesOf, withValueAt } from "./data-model.js";
import { bindComponent, usesAtKeys } from "./directives.js";
import { assertKeys, type ListRule } from "./list-identity.js";
import { ListMatches } from "./list-matches.js";
import { localUpdate, type UpdateContext } from "./local-update.js";
import { movedBinding } from "./moved-binding.js";
import { editedNode, hasEdits, withoutEdits } from "./node-edits.js";
import { bindingJson, bindingOf, segmentsOf } from "./node-ids.js";
import { NodeOverlay } from "./node-overlay.js";
import { assertStore, isNodeReader, type NodeSource, nodeReader } from "./node-source.js";
import { checkPath, isDeeper, maxDepth } from "./path-checks.js";
import { hasOtherNotation, pathHelp } from "./path-spelling.js";
import { dataModelOf } from "./resolved-model.js";
import { TemplateViews } from "./template-views.js";
import { diagnostic, type Message, sizeDiagnostic, type Translation } from "./translation.js";
import { attachInput } from "./user-input.js";
import { FromV08 } from "./v0-8.js";
import {
  callActions,
  checkEnvelope,
  checkUpdate,
  deletesByNull,
  hasAtKeys,
  isV08,
  v08Actions,
} from "./versions.js";

/**
 * Maximum total length of new node ids before the size of the data model is checked: a hundredth of
 * its limit.
 */
const maxUncheckedIdLength = 1_000_000;

export interface FromA2uiOptions {
  /**
   * Store of the target surface. With it, user input is kept when an agent updates other values.
   */
  store?: NodeSource;
  /** Property that identifies the items of a list, by the path of the list. */
  keys?: { readonly [path: string]: string };
  /**
   * With `store`: number of entries from which a list or map is not sent again for the change of
   * one entry, but an edit of it. `a2uiTarget` sets 64.
   */
  edits?: number;
}

/** Translates the messages of an A2UI agent, v0.8 to v1.0, to messages for a Surface, in order. */
export class FromA2ui {
  readonly #store: FromA2uiOptions["store"];
  readonly #checks: CatalogChecks | undefined;
  #nodes: HamNodes = {};
  readonly #context: UpdateContext;
  readonly #lists: ListMatches;
  /** Id of the created surface; a deletion may name another one. */
  #surfaceId: Json | undefined;
  readonly #v08 = new FromV08();
  /** Text of the `createSurface` of the current surface. */
  #created: string | undefined;
  /** Whether data or components arrived before `createSurface`, which keeps them. */
  #isEarly = false;
  /** Nodes of the last update of data. */
  #updated: HamNodes = {};
  /** Updates of the current message, which the store has not received. */
  #unsent: HamNodes[] = [];
  readonly #views = new TemplateViews();
  /** Components by id, as received and as last sent. */
  readonly #sources = new Map<string, { source: Json; sent: string }>();
  /** Ids of the components that wait for a list to arrive, or for a value of the agent. */
  readonly #pendingIds = new Set<string>();
  #version: string | undefined;
  /** Nodes with the literal objects of the current message. */
  #literals: HamNodes = {};
  /** Whether the surface uses the `@` spelling of v1.0. */
  #atKeys = false;
  /** Errors of the last user input, whose path leads through a text or a number. */
  readonly #inputErrors: Diagnostic[] = [];
  /** Total length of ids of nodes added since the size of the data model was checked. */
  #uncheckedIdLength = 0;

  /** `checks` checks components and calls against catalogs; `a2uiTarget` passes it. */
  constructor(options: FromA2uiOptions = {}, checks?: CatalogChecks) {
    const assertions = { store: assertStore, keys: assertKeys, edits: assertCount };
    assertOptionTypes(options, assertions, "the options of FromA2ui");
    this.#store = options.store;
    this.#checks = checks;
    this.#lists = new ListMatches(options.keys ?? {});
    const { store, edits = Infinity } = options;
    const exclusive = store === undefined;
    this.#context = { exclusive, edits: exclusive ? Infinity : edits, canonical: new Map() };
    if (store?.apply !== undefined) listenToInput(store, (ids) => this.#attachInput(store, ids));
  }

  /** Adds user input to the data model. */
  #attachInput(store: NodeSource, ids: readonly string[]): void {
    this.#inputErrors.length = 0;
    attachInput(store, ids, this.#inputErrors, (nodes, segments, value) =>
      this.#setModel(nodes, segments, value, "", this.#inputErrors),
    );
  }

  /** Version that the agent writes, for `toA2uiAction`; undefined if it writes none. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Returns whether the agent writes `@path` and `@call`. */
  get atKeys(): boolean {
    return this.#atKeys;
  }

  /** Returns the id that the agent gave to a component; in v0.8 the root can have any. */
  agentId(componentId: string, surfaceId: string): string {
    return this.#v08.agentId(componentId, surfaceId);
  }

  /** Returns the rule that matched the items of each list that was sent again, by its path. */
  get listRules(): { readonly [path: string]: ListRule } {
    return { ...this.#lists.rules };
  }

  /** Returns warnings about messages that wait for another one, and about input without a place. */
  diagnostics(): Diagnostic[] {
    return [...this.#v08.diagnostics(), ...this.#inputErrors];
  }

  /** Returns whether a property of a component is null: its path has no binding, or its call no function. */
  isPending(componentId: string): boolean {
    return this.#pendingIds.has(componentId);
  }

  /**
   * Returns the absolute path at a pointer to a value of a component that only a template displays,
   * or undefined. The pointer begins with the id of the component.
   */
  templatePath(pointer: string): string | undefined {
    const [id = "", ...steps] = segmentsOf(pointer);
    const value = steps.reduce(getOwn, this.#sources.get(id)?.source);
    const path = isJsonObject(value) ? (value["@path"] ?? value["path"]) : undefined;
    const isAbsolute = typeof path === "string" && path.startsWith("/");
    return isAbsolute && this.#views.isOnlyInTemplates(id) ? path : undefined;
  }

  /**
   * Returns the equivalent messages: one, two if the surface also gets data, or none if the message
   * is invalid.
   */
  translate(message: Message): Translation {
    assertMessage(message);
    if (!isJsonObject(message))
      throwMisuse("`translate` expects an object: parse the text of the message first");
    const diagnostics: Diagnostic[] = [];
    this.#unsent = [];
    const messages = this.#translateAny(message, diagnostics);
    const nodes = this.#literals;
    this.#literals = {};
    if (Object.keys(nodes).length > 0) messages.push({ updateDataModel: { nodes } });
    return { messages, diagnostics };
  }

  #translateAny(message: Message, diagnostics: Diagnostic[]): Message[] {
    if (isDeeper(message, maxDepth)) {
      diagnostics.push(sizeDiagnostic("the message is nested too deep", ""));
      return [];
    }
    const body = toPlainJson(message, true);
    const error = checkEnvelope(body);
    if (error) {
      diagnostics.push(error);
      return [];
    }
    if (v08Actions.some((name) => isJsonObject(body[name]))) this.#version = "v0.8";
    this.#views.absoluteIsItem = isV08(this.#version);
    const current = isV08(this.#version) ? this.#v08.translate(body, diagnostics) : [body];
    const { createSurface } = body;
    if (isJsonObject(createSurface)) current.push(...this.#v08.create(createSurface["surfaceId"]));
    return current.flatMap((one) => this.#translate(one, diagnostics));
  }

  #translate(body: Message, diagnostics: Diagnostic[]): Message[] {
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...rest } = body;
    const error = checkUpdate(updateDataModel);
    if (error) {
      diagnostics.push(error);
      return [];
    }
    const { version } = body;
    if (typeof version === "string") this.#version = version;
    this.#atKeys ||= hasAtKeys(version);
    if (this.#created === undefined && !isJsonObject(createSurface)) this.#isEarly = true;
    if (isJsonObject(updateDataModel)) {
      const { path, value, ...others } = updateDataModel;
      const at = typeof path === "string" ? path : "/";
      const isDeletion = value === null && deletesByNull(this.#version);
      const newValue = isDeletion ? undefined : value;
      const nodes = this.#updateModel(at, newValue, "/updateDataModel/value", diagnostics);
      if (nodes === null) return [];
      this.#updated = nodes;
      this.#unsent.push(nodes);
      this.#lists.forgetDeleted(nodes);
      const body = hasEdits(nodes) ? { edits: nodes } : { nodes };
      const update = { ...rest, updateDataModel: { ...others, ...body } };
      const components = this.#changedBindings(new Set());
      if (components.length === 0) return [update];
      const rebound = { ...rest, updateComponents: { ...others, components } };
      // A list that is bound to its view does not see that its source becomes a map.
      return this.#views.isEmpty ? [update, rebound] : [rebound, update];
    }
    if (isJsonObject(updateComponents)) {
      const result = this.#bindComponents(updateComponents, "/updateComponents", diagnostics);
      const nodes = this.#viewNodes();
      const hasViews = Object.keys(nodes).length > 0;
      return [
        { ...rest, updateComponents: result },
        ...(hasViews ? [{ updateDataModel: { nodes } }] : []),
      ];
    }
    if (isJsonObject(createSurface)) {
      const text = JSON.stringify(createSurface);
      // An agent that connects again repeats its messages.
      if (text === this.#created) return [];
      const { surfaceId } = createSurface;
      // The surface rejects another surface, which must not change the data of this one.
      if (this.#created !== undefined && !this.#isCurrentSurface(surfaceId))
        return [{ ...rest, createSurface: { surfaceId: surfaceId ?? null } }];
      const isReset = this.#created !== undefined;
      this.#created = text;
      const { dataModel, ...others } = createSurface;
      const isEarly = this.#isEarly;
      this.#isEarly = false;
      // A new surface replaces the components and the data of the earlier one.
      if (!isEarly) this.#forgetData();
      const pointer = "/createSurface/dataModel";
      let nodes: HamNodes | null = {};
      if (isReset) nodes = this.#replaceAll(dataModel, pointer, diagnostics);
      else if (!isEarly || dataModel !== undefined)
        nodes = this.#updateModel("/", dataModel, pointer, diagnostics);
      if (nodes === null) return [];
      this.#surfaceId = surfaceId;
      this.#checks?.beginSurface({
        surfaceId: stringOf(surfaceId),
        catalogId: stringOf(createSurface["catalogId"]),
        version: this.#version,
      });
      const named = surfaceId === undefined ? {} : { surfaceId };
      // The components are bound to the data of their own message.
      this.#updated = nodes;
      this.#unsent.push(nodes);
      const result = this.#bindComponents(others, "/createSurface", diagnostics);
      nodes = { ...nodes, ...this.#viewNodes() };
      const messages: Message[] = [{ ...rest, createSurface: result }];
      if (dataModel !== undefined || Object.keys(nodes).length > 0)
        messages.push({ ...rest, updateDataModel: { ...named, nodes } });
      return messages;
    }
    const call = callActions.find((name) => rest[name] !== undefined);
    if (call !== undefined) {
      const help = "pass it to a target of `a2uiTarget` with the option `onMessage`";
      const text = `\`${call}\` is not a message for a surface`;
      diagnostics.push(diagnostic("A2UI007", text, help, `/${call}`, "error"));
      return [];
    }
    if (isJsonObject(deleteSurface) && this.#isCurrentSurface(deleteSurface["surfaceId"]))
      this.reset();
    return [body];
  }

  #bindComponents(body: JsonObject, pointer: string, diagnostics: Diagnostic[]): JsonObject {
    if (!Array.isArray(body["components"])) return body;
    const renamed = body["components"].map((one, at) =>
      isJsonObject(one) ? renameAliases(one, `${pointer}/components/${at}`, diagnostics) : one,
    );
    const components = this.#checks?.acceptedComponents(renamed, pointer, diagnostics) ?? renamed;
    this.#views.add(components, (id) => this.#currentNode(id));
    this.#atKeys ||= usesAtKeys(components);
    const result = components.map((one, at) =>
      this.#bindComponent(one, `${pointer}/components/${at}`, diagnostics),
    );
    const ids = new Set(components.map((one) => (isJsonObject(one) ? one["id"] : undefined)));
    return { ...body, components: [...result, ...this.#changedBindings(ids)] };
  }

  /** Returns a component with the bindings of its paths. */
  #bindComponent(component: Json, pointer: string, diagnostics: Diagnostic[]): Json {
    const id = isJsonObject(component) ? component["id"] : undefined;
    let isPending = false;
    const bindTo = (path: string, location: string, template?: Json): Binding | null => {
      const isTop = this.#views.isTop(id);
      const isRelative = isTop && !/^(?:\/|\.?$)/.test(path);
      if (isRelative || hasOtherNotation(path)) {
        const expected = isTop ? "an absolute path outside of a template" : "a path of A2UI";
        const text = `expected ${expected}, found \`${path}\``;
        diagnostics.push(diagnostic("A2UI001", text, pathHelp(path, isTop), location));
      }
      const view = this.#views.bindPath(id, path, template);
      if (view !== undefined) return view;
      const absolute = isRelative ? `/${path}` : path;
      const binding = bindingOf(absolute);
      isPending ||= binding === null;
      return absolute.startsWith("/") ? this.#movedBinding(absolute) : binding;
    };
    const options = {
      atKeys: this.#atKeys,
      isV10: deletesByNull(this.#version),
      diagnostics,
      bind: (path: string, location: string): Json => bindingJson(bindTo(path, location)),
      bindList: (path: string, template: Json, location: string): Json => {
        const binding = bindingJson(bindTo(path, location, template));
        return binding && { binding, template };
      },
      literal: (value: JsonObject): Json => {
        const node = `literal:${JSON.stringify(value)}`;
        setOwn(this.#literals, node, value);
        return { binding: { node } };
      },
      replaceCall: (call: JsonObject, location: string, isAction: boolean) => {
        diagnostics.push(...checkBasicCall(call, location, this.#views.isTop(id)));
        const replaced = this.#checks?.checkCall(
          call,
          location,
          isAction,
          stringOf(id) ?? "",
          diagnostics,
        );
        isPending ||= replaced === null;
        return replaced;
      },
    };
    const bound = bindComponent(component, pointer, options);
    if (typeof id === "string") {
      this.#sources.set(id, { source: component, sent: JSON.stringify(bound) });
      if (isPending) this.#pendingIds.add(id);
      else this.#pendingIds.delete(id);
    }
    return bound;
  }

  /** Returns the earlier components whose bindings changed, except those of the message. */
  #changedBindings(exceptIds: ReadonlySet<Json | undefined>): Json[] {
    const isVariable = this.#lists.isMoved || this.#views.isInUse;
    const ids = isVariable ? [...this.#sources.keys()] : [...this.#pendingIds];
    return ids.flatMap((id) => {
      const found = this.#sources.get(id);
      if (exceptIds.has(id) || found === undefined) return [];
      const { sent } = found;
      const bound = this.#bindComponent(found.source, "", []);
      return JSON.stringify(bound) === sent ? [] : [bound];
    });
  }

  /** Returns the binding of an absolute path; the items of a list may have moved. */
  #movedBinding(path: string): Binding | null {
    if (!this.#lists.isMoved) return bindingOf(path);
    return movedBinding(path, (id) => this.#currentNode(id));
  }

  /** Returns a node after the last update, which the store may not have received yet. */
  #currentNode(id: string): Json | undefined {
    const updated = getOwn(this.#updated, id);
    if (updated !== undefined) return updated;
    if (this.#store === undefined) return getOwn(this.#nodes, id);
    const value = this.#store.get ? this.#store.get(id) : getOwn(this.#store.export(), id);
    return editedNode(id, value, this.#updated);
  }

  /** Returns the nodes of the views of new components. */
  #viewNodes(): HamNodes {
    if (this.#views.isEmpty) return {};
    const before: HamNodes = { ...(this.#store?.export() ?? this.#nodes) };
    if (this.#store !== undefined)
      for (const one of this.#unsent)
        applyUpdate(
          before,
          withoutEdits(one, (id) => getOwn(before, id)),
        );
    const after: HamNodes = { ...before };
    this.#views.addTo(after);
    if (this.#store === undefined) this.#nodes = after;
    return nodeDiff(before, after);
  }

  #forgetData(): void {
    this.#views.clear();
    this.#sources.clear();
    this.#pendingIds.clear();
    this.#lists.clearSent();
    this.#updated = {};
    if (this.#store === undefined) this.#nodes = {};
  }

  /** Whether `createSurface` has arrived, and no `deleteSurface` after it. */
  get isCreated(): boolean {
    return this.#created !== undefined;
  }

  /** Forgets the surface, because it was deleted. */
  reset(): void {
    this.#nodes = {};
    this.#created = undefined;
    this.#isEarly = false;
    this.#checks?.beginSurface(undefined);
  }

  #isCurrentSurface(surfaceId: Json | undefined): boolean {
    return this.#surfaceId === undefined || surfaceId === this.#surfaceId;
  }

  /** Returns the changed nodes, or null if the value cannot be set at the path. */
  #updateModel(
    path: string,
    value: Json | undefined,
    pointer: string,
    diagnostics: Diagnostic[],
  ): HamNodes | null {
    const segments = segmentsOf(path);
    const local = this.#localUpdate(segments, value);
    if (local !== undefined) return local;
    return this.#setModel(
      this.#store?.export() ?? this.#nodes,
      segments,
      value,
      pointer,
      diagnostics,
    );
  }

  /** Returns the changes of all nodes that set a value, or null if it cannot be set. */
  #setModel(
    before: HamNodes,
    segments: readonly string[],
    value: Json | undefined,
    pointer: string,
    diagnostics: Diagnostic[],
  ): HamNodes | null {
    this.#context.canonical.clear();
    const model = segments.length === 0 ? undefined : (dataModelOf(before) ?? {});
    const error = checkPath(model, segments, "/updateDataModel/path");
    if (error !== undefined) {
      diagnostics.push(error);
      return null;
    }
    const get = (id: string) => getOwn(before, id);
    const previous = { ...this.#lists, get, updated: segments };
    const nodes = nodesOf(withValueAt(model, segments, value), [], previous);
    if (nodes === null) {
      diagnostics.push(sizeDiagnostic("the data model would be too large", pointer));
      return null;
    }
    this.#views.addTo(nodes);
    this.#nodes = nodes;
    this.#uncheckedIdLength = 0;
    return nodeDiff(before, nodes);
  }

  /**
   * Returns all nodes of a new data model and the deletions of the others, because the surface may
   * delete its own data before it receives them.
   */
  #replaceAll(
    model: Json | undefined,
    pointer: string,
    diagnostics: Diagnostic[],
  ): HamNodes | null {
    const before = this.#store?.export() ?? this.#nodes;
    if (this.#updateModel("/", model, pointer, diagnostics) === null) return null;
    const nodes: HamNodes = { ...this.#nodes };
    for (const id of Object.keys(before)) if (!Object.hasOwn(nodes, id)) nodes[`!${id}`] = null;
    return nodes;
  }

  /** Updates only the nodes near the path. Returns undefined if that is not possible. */
  #localUpdate(segments: readonly string[], value: Json | undefined): HamNodes | undefined {
    if (this.#views.dependsOn(segments)) return undefined;
    const nodes = this.#store === undefined ? nodeReader(this.#nodes) : this.#store;
    if (!isNodeReader(nodes) || this.#uncheckedIdLength > maxUncheckedIdLength) return undefined;
    // Nodes without a pointer may be at this location.
    if (this.#views.isAffectedBy(segments, nodes) || nodes.orphans("/").length > 0)
      return undefined;
    const overlay = new NodeOverlay(nodes);
    const { isEmpty } = this.#views;
    const context = isEmpty ? this.#context : { ...this.#context, edits: Infinity };
    let update = localUpdate(overlay, segments, value, context, this.#lists);
    if (update !== undefined && !isEmpty) update = this.#views.withViews(overlay, update, segments);
    for (const id of Object.keys(update ?? {})) this.#uncheckedIdLength += id.length;
    if (update !== undefined && this.#store === undefined) applyUpdate(this.#nodes, update);
    return update;
  }
}
