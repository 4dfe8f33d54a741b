import { assertMessage, assertOptionTypes, describeType, throwMisuse } from "../arguments.js";
import { pathsOf } from "../functions/expression.js";
import { escapePointer, toPlainJson } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, HamNodes, Json } from "../types.js";
import { applyTo, difference, modelOf, nodesOf, ownOf, SIGIL, withValue } from "./model.js";
import { bindingOf, isIndex, segmentsOf } from "./names.js";
import { deepest, isDeeper, obstacle } from "./path.js";
import { type Known, type Nodes, updateAt } from "./place.js";
import { type Message, type Translation, tooMuch, trouble } from "./translation.js";

/** The messages of v1.0 that call functions across the wire, which no surface takes. */
const calls = ["callRendererFunction", "agentFunctionResponse"];

/** How much may come before the size of the data model is looked at again: a hundredth of what it may have. */
const mostGrown = 1_000_000;

export interface FromA2uiOptions {
  /** The store that takes the translation: what users typed there is then kept when an agent updates something beside it. */
  store?: Exporting;
}

/** A store; one that answers for single nodes too, as a HamStore does, is not exported for each update. */
export type Exporting = { readonly sigil?: string; export(): HamNodes } & Partial<Nodes>;

/** Turns the messages of an A2UI agent, v0.9 or v1.0, into messages for a Surface, in order. */
export class FromA2ui {
  readonly #store: FromA2uiOptions["store"];
  #nodes: HamNodes = {};
  readonly #known: Known;
  /** The surface that was made; what is deleted may be another one. */
  #surfaceId: Json | undefined;
  /** How many letters the ids have of nodes that came since the size of the data model was looked at. */
  #grown = 0;

  constructor(options: FromA2uiOptions = {}) {
    assertOptionTypes(options, { store: needStore }, "the options of FromA2ui");
    this.#store = options.store;
    this.#known = { alone: options.store === undefined, plain: new Map() };
  }

  /** The messages that do the same: one, two where a surface gets its data too, or none where A2UI does not take the message. */
  translate(message: Message): Translation {
    assertMessage(message);
    if (!isJsonObject(message))
      throwMisuse("a message to translate is an object: parse its text first");
    const found: Diagnostic[] = [];
    return { messages: this.#translate(message, found), diagnostics: found };
  }

  #translate(message: Message, found: Diagnostic[]): Message[] {
    if (isDeeper(message, deepest)) {
      found.push(tooMuch("the message is nested too deep", ""));
      return [];
    }
    const plain = toPlainJson(message, true);
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...rest } = plain;
    const fault = severalThings(plain) ?? otherUpdate(updateDataModel);
    if (fault) {
      found.push(fault);
      return [];
    }
    if (isJsonObject(updateDataModel)) {
      const { path, value, ...others } = updateDataModel;
      const at = typeof path === "string" ? path : "/";
      const nodes = this.#update(at, value, "/updateDataModel/value", found);
      return nodes === null ? [] : [{ ...rest, updateDataModel: { ...others, nodes } }];
    }
    if (isJsonObject(updateComponents)) {
      const made = withComponents(updateComponents, "/updateComponents", found);
      return [{ ...rest, updateComponents: made }];
    }
    if (isJsonObject(createSurface)) {
      const { dataModel, ...others } = createSurface;
      // What the store holds of an earlier surface goes.
      if (this.#store === undefined) this.#nodes = {};
      const nodes = this.#update("/", dataModel, "/createSurface/dataModel", found);
      if (nodes === null) return [];
      const { surfaceId } = createSurface;
      this.#surfaceId = surfaceId;
      const named = surfaceId === undefined ? {} : { surfaceId };
      const made = withComponents(others, "/createSurface", found);
      const messages: Message[] = [{ ...rest, createSurface: made }];
      if (dataModel !== undefined || Object.keys(nodes).length > 0)
        messages.push({ ...rest, updateDataModel: { ...named, nodes } });
      return messages;
    }
    const call = calls.find((name) => rest[name] !== undefined);
    if (call !== undefined) {
      const help = "answer it yourself: it is between the agent and your code, not for a surface";
      const words = `byname does not take \`${call}\``;
      found.push(trouble("A2UI007", words, help, `/${call}`, "error"));
      return [];
    }
    if (isJsonObject(deleteSurface) && this.#isOwn(deleteSurface["surfaceId"])) this.#nodes = {};
    return [message];
  }

  #isOwn(surfaceId: Json | undefined): boolean {
    return this.#surfaceId === undefined || surfaceId === this.#surfaceId;
  }

  /** The nodes that change; null where the value cannot be put there. */
  #update(
    path: string,
    value: Json | undefined,
    pointer: string,
    found: Diagnostic[],
  ): HamNodes | null {
    const segments = segmentsOf(path);
    const own = this.#updateAt(segments, value);
    if (own !== undefined) return own;
    this.#known.plain.clear();
    const before = this.#store?.export() ?? this.#nodes;
    const model = segments.length === 0 ? undefined : (modelOf(before) ?? {});
    const fault = obstacle(model, segments, "/updateDataModel/path");
    if (fault !== undefined) {
      found.push(fault);
      return null;
    }
    const nodes = nodesOf(withValue(model, segments, value));
    if (nodes === null) {
      found.push(tooMuch("the data model would be too large", pointer));
      return null;
    }
    this.#nodes = nodes;
    this.#grown = 0;
    return difference(before, nodes);
  }

  /** The same for a path of which all is known; else undefined. */
  #updateAt(segments: readonly string[], value: Json | undefined): HamNodes | undefined {
    const nodes = this.#store === undefined ? ownNodes(this.#nodes) : this.#store;
    if (!isAnswering(nodes) || this.#grown > mostGrown) return undefined;
    // They may stand at the place where nothing names them.
    if (nodes.orphans("/").length > 0) return undefined;
    const update = updateAt(nodes, segments, value, this.#known);
    for (const id of Object.keys(update ?? {})) this.#grown += id.length;
    if (update !== undefined && this.#store === undefined) applyTo(this.#nodes, update);
    return update;
  }
}

const bodies = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];

/** What is wrong with a message that says several things. What is null is not said. */
function severalThings(message: Message): Diagnostic | undefined {
  const [, second] = bodies.filter((name) => (message[name] ?? undefined) !== undefined);
  if (second === undefined) return undefined;
  const words = `one message says one thing, and \`${second}\` stands beside another`;
  return trouble("A2UI009", words, "send each in a message of its own", `/${second}`, "error");
}

/** What is wrong with an update that says its place or its data in another way: it would take all data away. */
function otherUpdate(body: Json | undefined): Diagnostic | undefined {
  if (!isJsonObject(body)) return undefined;
  const code = "A2UI009";
  const { path, value } = body;
  if (path !== undefined && typeof path !== "string") {
    const help =
      'write a JSON Pointer, "/user/name", or leave it out where the value is the whole data model';
    return trouble(
      code,
      `\`path\` is ${describeType(path)}`,
      help,
      "/updateDataModel/path",
      "error",
    );
  }
  const other = Object.keys(body).find((key) => key !== "surfaceId" && key !== "path");
  if (value !== undefined || other === undefined) return undefined;
  const help =
    other === "nodes"
      ? "hand updates of nodes to the surface itself, or write `path` and `value`"
      : "write `path` and `value`; without a `value` what is at the path is taken away";
  const words = `\`updateDataModel\` has no \`value\`, but \`${other}\``;
  return trouble(code, words, help, `/updateDataModel/${escapePointer(other)}`, "error");
}

function ownNodes(nodes: HamNodes): Nodes {
  const get = (id: string) => ownOf(nodes, id);
  const entry = (id: string, key: string) => {
    const held = get(id);
    return Array.isArray(held) && !isIndex(key) ? undefined : ownOf(held, key);
  };
  return { has: (id) => Object.hasOwn(nodes, id), get, entry, orphans: () => [] };
}

function isAnswering(store: Partial<Nodes>): store is Nodes {
  const { has, get, entry, orphans } = store;
  return [has, get, entry, orphans].every((one) => typeof one === "function");
}

/** Throws for what has no nodes to give. */
function needStore(value: unknown, what: string): void {
  const store = value as Partial<Exporting> | null;
  if (typeof store?.export !== "function")
    throwMisuse(`${what} is a HamStore, not ${describeType(value)}`);
  const { sigil = SIGIL } = store;
  if (sigil !== SIGIL) {
    throwMisuse(
      `${what} has the sigil \`${sigil}\`; pointers of A2UI data begin with \`${SIGIL}\``,
    );
  }
}

function withComponents(body: JsonObject, pointer: string, found: Diagnostic[]): JsonObject {
  const { components } = body;
  if (!Array.isArray(components)) return body;
  const made = components.map((one, at) => dynamic(one, `${pointer}/components/${at}`, found));
  return { ...body, components: made };
}

/** Every `{path}` becomes a binding, whatever holds it: a property, an argument, the context of an action. */
function dynamic(value: Json, pointer: string, found: Diagnostic[]): Json {
  if (Array.isArray(value)) return value.map((one, at) => dynamic(one, `${pointer}/${at}`, found));
  if (!isJsonObject(value)) return value;
  if (typeof value["path"] === "string") return bound(value, value["path"], pointer, found);
  const made = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      dynamic(one, `${pointer}/${escapePointer(name)}`, found),
    ]),
  );
  const { call, args } = made;
  const template = isJsonObject(args) ? args["value"] : undefined;
  if (call !== "formatString" || typeof template !== "string") return made;
  return { ...made, args: { ...(args as JsonObject), ...interpolated(template, pointer, found) } };
}

/** The template stays; the paths that it names stand beside it, bound. */
function interpolated(template: string, pointer: string, found: Diagnostic[]): JsonObject {
  const values = pathsOf(template).map(({ path }): [string, Json] => [
    path,
    bound({}, path, `${pointer}/args/value`, found),
  ]);
  return values.length === 0 ? {} : { values: Object.fromEntries(values) };
}

function bound(value: JsonObject, path: string, pointer: string, found: Diagnostic[]): Json {
  const binding = bindingOf(path);
  if (binding === null) {
    found.push(
      trouble(
        "A2UI001",
        `the relative path \`${path}\` has no binding in HAM`,
        "bind to the absolute path, or show the inner object by a template of its own",
        pointer,
      ),
    );
    return null;
  }
  const { path: _, componentId, ...rest } = value;
  const template = componentId === undefined ? {} : { template: componentId };
  return { ...rest, binding: { ...binding }, ...template };
}
