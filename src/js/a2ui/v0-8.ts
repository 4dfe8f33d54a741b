import { setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { literalOf } from "./aliases.js";
import { getOwn, isObject } from "./data-model.js";
import { listItems } from "./list-identity.js";
import { ModelWriter } from "./model-writer.js";
import { segmentsOf } from "./node-ids.js";
import { diagnostic, type Message } from "./translation.js";

/** Maximum length of a shown entry in characters. */
const MAX_SHOWN_LENGTH = 60;

/**
 * Id of a component that the agent names `root` although `beginRendering` names another one. The
 * surface displays `root`, so that is the id of the other one.
 */
export const OTHER_ROOT = "root (component)";

/** Keys whose texts are no ids of components. */
const textKeys = new Set(
  "path dataBinding key name value text label title literalString literalArray".split(" "),
);

/** Surface of v0.8, by its id. */
interface SurfaceState {
  /** Id of the component that is the root, once `beginRendering` named it. */
  root: string | undefined;
  /** Components in the form of v0.9, under their own ids, or `OTHER_ROOT` in place of `root`. */
  components: Map<string, JsonObject>;
  /** Absolute paths of the selections of MultipleChoice, which are lists. */
  selections: Set<string>;
  /** Messages that arrived before `beginRendering`. */
  pending: Message[];
}

/** Translates the messages of v0.8 to those of v0.9. */
export class FromV08 {
  readonly #surfaces = new Map<string, SurfaceState>();

  /** Returns a warning for each surface with messages that wait for `beginRendering`. */
  diagnostics(): Diagnostic[] {
    const waiting = [...this.#surfaces].filter(([, { root }]) => root === undefined);
    return waiting.map(([id]) => {
      const text = `missing \`beginRendering\`${id && ` for the surface \`${id}\``}`;
      const help = `send {"beginRendering": {"surfaceId": "${id || "s"}", "root": "root"}}; until then nothing is displayed`;
      return diagnostic("A2UI013", text, help, "");
    });
  }

  /** Returns the equivalent messages of v0.9, or none while the surface is not rendered yet. */
  translate(message: Message, diagnostics: Diagnostic[]): Message[] {
    const { beginRendering, surfaceUpdate, dataModelUpdate, deleteSurface, ...rest } = message;
    if (isJsonObject(beginRendering)) {
      if (typeof beginRendering["root"] !== "string") {
        const text = "missing the id `root` in `beginRendering`; the component `root` is used";
        const help = 'write {"beginRendering": {"surfaceId": "s", "root": "root"}}';
        diagnostics.push(diagnostic("A2UI012", text, help, "/beginRendering"));
      }
      return this.#beginRendering(beginRendering, rest);
    }
    if (isJsonObject(surfaceUpdate)) return this.#updateSurface(surfaceUpdate, rest);
    if (isJsonObject(dataModelUpdate)) {
      const { surfaceId, path, contents } = dataModelUpdate;
      const at = typeof path === "string" ? path : "/";
      const state = this.#surface(surfaceId);
      const received = objectOfEntries(contents ?? null, (entry, error) => {
        const shown = JSON.stringify(entry).slice(0, MAX_SHOWN_LENGTH);
        const text = error
          ? `the entry with the key ${shown} is left out: ${error.message}`
          : `expected \`valueString\` or another value in \`contents\`, found ${shown}`;
        const help = error?.help ?? 'write {"key": "name", "valueString": "Ann"}';
        diagnostics.push(diagnostic("A2UI012", text, help, "/dataModelUpdate/contents"));
      });
      const value = withEmptyLists(received, segmentsOf(at), state.selections);
      const update: Message = {
        ...rest,
        updateDataModel: { ...idOf(surfaceId), path: at, value },
      };
      return this.#queue(state, [update]);
    }
    // The surface rejects a deletion without an id.
    if (isJsonObject(deleteSurface) && typeof deleteSurface["surfaceId"] === "string")
      this.#surfaces.delete(deleteSurface["surfaceId"]);
    return [message];
  }

  /**
   * Begins a surface that `createSurface` created, whose root is `root`. Returns the messages that
   * waited for it.
   */
  create(surfaceId: Json | undefined): Message[] {
    const state = this.#surface(surfaceId);
    if (state.root !== undefined) return [];
    state.root = OTHER_ROOT;
    const { pending } = state;
    state.pending = [];
    return [
      ...pending,
      ...this.#componentUpdates(state, [...state.components.values()], surfaceId),
    ];
  }

  /** Returns the id that the agent gave to a component of a surface. */
  agentId(id: string, surfaceId: string): string {
    const root = this.#surfaces.get(surfaceId)?.root;
    if (id === OTHER_ROOT) return "root";
    return id === "root" && root !== undefined && root !== OTHER_ROOT ? root : id;
  }

  #surface(surfaceId: Json | undefined): SurfaceState {
    const key = this.#keyOf(surfaceId);
    const existing = this.#surfaces.get(key);
    if (existing) return existing;
    const state: SurfaceState = {
      root: undefined,
      components: new Map(),
      selections: new Set(),
      pending: [],
    };
    this.#surfaces.set(key, state);
    return state;
  }

  /**
   * Returns the key of a surface. A message without an id is for the only surface, or for the first
   * one that is rendered. The first id names the surface of earlier messages without one.
   */
  #keyOf(surfaceId: Json | undefined): string {
    const all = [...this.#surfaces];
    const [only, second] = all;
    if (typeof surfaceId !== "string") {
      const found = second === undefined ? only : all.find(([, { root }]) => root !== undefined);
      return found?.[0] ?? "";
    }
    if (only?.[0] === "" && second === undefined) {
      this.#surfaces.delete("");
      this.#surfaces.set(surfaceId, only[1]);
    }
    return surfaceId;
  }

  #queue(state: SurfaceState, messages: Message[]): Message[] {
    if (state.root !== undefined) return messages;
    state.pending.push(...messages);
    return [];
  }

  /** A second `beginRendering` changes only the root. */
  #beginRendering(body: JsonObject, rest: Message): Message[] {
    const { root, catalogId, styles } = body;
    const surfaceId = this.#keyOf(body["surfaceId"]) || body["surfaceId"];
    const state = this.#surface(surfaceId);
    // The surface rejects it, and the next `beginRendering` can name the surface.
    if (surfaceId === undefined) return [{ ...rest, createSurface: {} }];
    const before = state.root;
    state.root = typeof root === "string" && root !== "root" ? root : OTHER_ROOT;
    if (before !== undefined) {
      if (before === state.root) return [];
      // The component `root` gets another id, or its id back.
      const isRenamed = [before, state.root].includes(OTHER_ROOT);
      const changed = isRenamed
        ? [...state.components.values()]
        : [before, state.root].flatMap((id) => state.components.get(id) ?? []);
      return this.#componentUpdates(state, changed, surfaceId, rest);
    }
    const create: Message = {
      ...rest,
      createSurface: {
        ...idOf(surfaceId),
        ...(catalogId === undefined ? {} : { catalogId }),
        ...(styles === undefined ? {} : { theme: styles }),
      },
    };
    const components = this.#componentUpdates(
      state,
      [...state.components.values()],
      surfaceId,
      rest,
    );
    const messages = [create, ...state.pending, ...components];
    state.pending = [];
    return messages;
  }

  #updateSurface(body: JsonObject, rest: Message): Message[] {
    const { components } = body;
    const surfaceId = this.#keyOf(body["surfaceId"]) || body["surfaceId"];
    const state = this.#surface(surfaceId);
    const initial: Message[] = [];
    const write = (path: string, value: Json): void => {
      initial.push({ ...rest, updateDataModel: { ...idOf(surfaceId), path, value } });
    };
    if (!Array.isArray(components)) {
      // The surface reports it.
      const invalid: Json = components ?? null;
      return [{ ...rest, updateComponents: { ...idOf(surfaceId), components: invalid } }];
    }
    const changed = components.map((one) =>
      isJsonObject(one) ? flatComponent(withOtherRoot(one), write) : one,
    );
    const invalid = changed.filter((one) => !isJsonObject(one));
    for (const one of changed) {
      if (!isJsonObject(one)) continue;
      const { selections } = one;
      const path = isJsonObject(selections) ? selections["path"] : undefined;
      if (typeof path === "string" && path.startsWith("/")) state.selections.add(path);
      if (typeof one["id"] === "string") state.components.set(one["id"], one);
    }
    if (state.root !== undefined)
      return [...initial, ...this.#componentUpdates(state, changed, surfaceId, rest)];
    // The surface reports them when it begins.
    if (invalid.length > 0)
      initial.push({ ...rest, updateComponents: { ...idOf(surfaceId), components: invalid } });
    return this.#queue(state, initial);
  }

  /**
   * Returns the update of components, with the root under the id `root`. It also keeps its own id
   * if a component mentions that, so that a cycle is reported.
   */
  #componentUpdates(
    state: SurfaceState,
    components: Json[],
    surfaceId: Json | undefined,
    rest: Message = {},
  ): Message[] {
    if (components.length === 0) return [];
    const { root } = state;
    if (root === OTHER_ROOT) {
      const own = components.map((one) => withText(one, OTHER_ROOT, "root"));
      return [{ ...rest, updateComponents: { ...idOf(surfaceId), components: own } }];
    }
    const rootComponent = root === undefined ? undefined : state.components.get(root);
    const renamed = components.map((one) =>
      isJsonObject(one) && one["id"] === root ? { ...one, id: "root" } : one,
    );
    const isMentioned =
      root !== undefined && components.some((one) => isJsonObject(one) && containsId(one, root));
    if (isMentioned && rootComponent) renamed.push(rootComponent);
    return [{ ...rest, updateComponents: { ...idOf(surfaceId), components: renamed } }];
  }
}

/** Returns whether a property of a component contains an id. */
function containsId({ id: _, component: _type, ...props }: JsonObject, id: string): boolean {
  const contains = (value: Json): boolean =>
    typeof value === "object" && value !== null
      ? Object.values(value).some(contains)
      : value === id;
  return contains(props);
}

/** Returns a component with `OTHER_ROOT` in place of the id `root`. */
function withOtherRoot(component: JsonObject): JsonObject {
  return withText(component, "root", OTHER_ROOT) as JsonObject;
}

/** Returns a value with another text in place of one, except under keys of texts. */
function withText(value: Json, text: string, replacement: string): Json {
  if (value === text) return replacement;
  if (Array.isArray(value)) return value.map((one) => withText(one, text, replacement));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]): [string, Json] => [
    key,
    textKeys.has(key) ? one : withText(one, text, replacement),
  ]);
  return Object.fromEntries(entries);
}

function idOf(surfaceId: Json | undefined): JsonObject {
  return surfaceId === undefined ? {} : { surfaceId };
}

/** Returns `{id, component: {Type: {…}}}` as a flat component. */
function flatComponent(
  component: JsonObject,
  write: (path: string, value: Json) => void,
): JsonObject {
  const { component: nested, ...envelope } = component;
  if (!isJsonObject(nested)) return component;
  const [entry] = Object.entries(nested);
  if (entry === undefined) return envelope;
  const [type, props] = entry;
  const flat = isJsonObject(props) ? props : {};
  const values = Object.entries(flat).map(([name, value]): [string, Json] => [
    name,
    name === "action" ? actionOf(value, write) : propValue(value, write),
  ]);
  return { ...envelope, component: type, ...Object.fromEntries(values) };
}

/** Converts literals, lists of children and templates. */
function propValue(value: Json, write: (path: string, value: Json) => void): Json {
  if (Array.isArray(value)) return value.map((one) => propValue(one, write));
  if (!isJsonObject(value)) return value;
  const { explicitList, template, path } = value;
  if (Array.isArray(explicitList)) return explicitList;
  if (isJsonObject(template) && template["dataBinding"] !== undefined)
    return { componentId: template["componentId"] ?? null, path: template["dataBinding"] };
  const literal = literalOf(value);
  if (typeof path === "string") {
    // The literal is the initial value of the path.
    if (literal !== undefined) write(path.startsWith("/") ? path : `/${path}`, literal);
    return { path };
  }
  if (literal !== undefined) return literal;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, propValue(one, write)]),
  );
}

/** Converts `{name, context: [{key, value}]}` to an event. */
function actionOf(value: Json, write: (path: string, value: Json) => void): Json {
  if (!isJsonObject(value) || value["event"] !== undefined) return value;
  const { name, context, ...rest } = value;
  if (typeof name !== "string") return value;
  const converted = contextOf(context, write);
  return { ...rest, event: { name, ...(converted === undefined ? {} : { context: converted }) } };
}

function contextOf(
  context: Json | undefined,
  write: (path: string, value: Json) => void,
): Json | undefined {
  if (!Array.isArray(context)) return context === undefined ? undefined : propValue(context, write);
  const result: JsonObject = {};
  for (const one of context) {
    if (isJsonObject(one) && typeof one["key"] === "string")
      setOwn(result, one["key"], propValue(one["value"] ?? null, write));
  }
  return result;
}

const valueKeys = ["valueString", "valueNumber", "valueBoolean", "valueObject", "valueArray"];

/** Receives an entry without a value, or the key of one that cannot be set and the error. */
type UnreadableReport = (entry: Json, error?: Diagnostic) => void;

/** Returns the object of `[{key, valueString | valueNumber | …}]`. A key may be a path. */
function objectOfEntries(contents: Json, report: UnreadableReport): Json {
  if (!Array.isArray(contents)) return contents ?? {};
  const writer = new ModelWriter({});
  for (const one of contents) {
    const value = isJsonObject(one) ? entryValue(one, report) : undefined;
    if (!isJsonObject(one) || value === undefined) {
      report(one);
      continue;
    }
    const { key = "." } = one;
    const error = writer.set(key === "." ? [] : segmentsOf(textOf(key)), value);
    if (error !== undefined) report(textOf(key), error);
  }
  return writer.model;
}

function entryValue(entry: JsonObject, report: UnreadableReport): Json | undefined {
  if (entry["valueMap"] !== undefined)
    return listOfScalars(objectOfEntries(entry["valueMap"], report));
  const key = [...valueKeys, "value"].find((name) => entry[name] !== undefined);
  if (key === undefined) return undefined;
  const value = entry[key] as Json;
  if (Array.isArray(value)) return value.map((one) => itemValue(one, report));
  return typeof value === "string" ? parseJsonText(value) : value;
}

/** Returns the value of an item of `valueArray`, which is a JSON value or `{valueString: …}`. */
function itemValue(item: Json, report: UnreadableReport): Json {
  if (!isJsonObject(item)) return item;
  const [key, ...others] = Object.keys(item);
  const isWrapped = others.length === 0 && [...valueKeys, "valueMap"].includes(key ?? "");
  return isWrapped ? (entryValue(item, report) ?? null) : item;
}

/**
 * Returns the list that a map with the keys 0, 1 and so on means, if all values are scalars: inputs
 * such as MultipleChoice read and write lists.
 */
function listOfScalars(map: Json): Json {
  if (!isJsonObject(map)) return map;
  const items = listItems(map);
  const isList = items !== undefined && items.length > 0 && !items.some(isObject);
  return isList ? [...items] : map;
}

/** Returns the data at a location with a list in place of each empty map at one of the paths. */
function withEmptyLists(data: Json, location: readonly string[], paths: ReadonlySet<string>): Json {
  const writer = new ModelWriter(data);
  for (const path of paths) {
    const segments = segmentsOf(path);
    if (!location.every((one, at) => one === segments[at])) continue;
    const inner = segments.slice(location.length);
    const value = inner.reduce<Json | undefined>(getOwn, writer.model);
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
    if (isEmpty) writer.set(inner, []);
  }
  return writer.model;
}

/** Returns the value of a text that contains a JSON object or list, or the text itself. */
function parseJsonText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
