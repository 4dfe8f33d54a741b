import { namesOf } from "../functions/template.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { literalOf } from "./aliases.js";
import { diagnostic } from "./translation.js";

/** Components of the basic catalog. Their properties are never literal objects with a `path`. */
const basicComponents = new Set(
  (
    "Text Image Icon Video AudioPlayer Row Column List Card Tabs Modal Divider Button TextField " +
    "CheckBox ChoicePicker Slider DateTimeInput MultipleChoice"
  ).split(" "),
);
/** Functions of the basic catalog whose arguments are never literal objects. */
const basicFunctions = new Set(
  (
    "required regex length numeric email formatString formatNumber formatCurrency formatDate " +
    "pluralize openUrl and or not @index"
  ).split(" "),
);
/** Keys of a component that v1.0 writes with and without `@`. */
export const envelopeKeys = ["catalogId", "accessibility", "metadata", "checks"];
/** Keys of a function call. */
export const callKeys = new Set(["call", "args", "catalogId", "returnType"]);

/** Returns whether components use the `@` spelling anywhere. */
export function usesAtKeys(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(usesAtKeys);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => isAtKey(key) || usesAtKeys(item));
}

function isAtKey(key: string): boolean {
  if (key.startsWith("@@") || key === "@path" || key === "@call") return true;
  return key.startsWith("@") && envelopeKeys.includes(key.slice(1));
}

/** Options and results of the conversion of one component. */
export interface BindOptions {
  /** Whether the surface uses the `@` spelling, so that bare keys in literals are data. */
  atKeys: boolean;
  /** Whether the key `@` is reserved, as in every draft of v1.0. */
  isV10: boolean;
  diagnostics: Diagnostic[];
  /** Returns the HAM binding of a path, or null if it has none. */
  bind(path: string, pointer: string): Json;
  /** Returns a reference to a literal object that HAM would read as a binding or a call. */
  literal(value: JsonObject): Json;
  /** Returns the HAM binding of the list that a template iterates over. */
  bindList(path: string, componentId: Json, pointer: string): Json;
  /**
   * Returns the replacement of a call in the spelling without `@`, or undefined to keep it. `isAction`
   * states that the user triggers the call.
   */
  replaceCall?(call: JsonObject, pointer: string, isAction: boolean): Json | undefined;
}

/** Returns a call with its bindings, and nested calls in the spelling without `@`. */
export function bindCall(call: JsonObject, options: BindOptions): Json {
  return new Binder(options).bindValue(call, "", false);
}

/** Returns a component with HAM bindings in place of paths, and calls in the spelling without `@`. */
export function bindComponent(component: Json, pointer: string, options: BindOptions): Json {
  if (!isJsonObject(component)) return component;
  const { component: type } = component;
  const isFree = !(typeof type === "string" && basicComponents.has(type));
  const binder = new Binder(options);
  const entries: [string, Json][] = [];
  for (const [key, value] of Object.entries(component)) {
    const inner = `${pointer}/${escapePointer(key)}`;
    if (key.startsWith("@")) {
      const name = binder.bareEnvelopeKey(key, inner);
      if (name !== undefined) entries.push([name, binder.bindValue(value, inner, false)]);
    } else if (!(envelopeKeys.includes(key) && Object.hasOwn(component, `@${key}`))) {
      const isBasicSlot = envelopeKeys.includes(key) || key === "action" || key === "children";
      entries.push([key, binder.bindValue(value, inner, isFree && !isBasicSlot)]);
    }
  }
  return Object.fromEntries(entries);
}

class Binder {
  readonly #options: BindOptions;

  constructor(options: BindOptions) {
    this.#options = options;
  }

  /** Returns the bare name of a component key with `@`; `@@x` is a property named `@x`. */
  bareEnvelopeKey(key: string, pointer: string): string | undefined {
    if (envelopeKeys.includes(key.slice(1))) return key.slice(1);
    return this.#literalKey(key, pointer);
  }

  /**
   * Converts a value. In a free slot, which may contain literal objects, a bare `{path}` or
   * `{call}` is a directive only until the surface uses the `@` spelling.
   */
  bindValue(value: Json, pointer: string, isFree: boolean): Json {
    if (Array.isArray(value))
      return value.map((item, at) => this.bindValue(item, `${pointer}/${at}`, isFree));
    if (!isJsonObject(value)) return value;
    const literal = isFree ? undefined : literalOf(value);
    if (literal !== undefined && Object.keys(value).length === 1) return literal;
    const atPath = value["@path"];
    const atCall = value["@call"];
    const { componentId, path, call } = value;
    if (typeof componentId === "string" && typeof (atPath ?? path) === "string")
      return this.#options.bindList((atPath ?? path) as string, componentId, pointer);
    if (typeof atPath === "string") return this.#bindPath(value, atPath, pointer);
    if (typeof atCall === "string") return this.#bindCallDirective(value, atCall, pointer);
    const isData = isFree && this.#options.atKeys;
    if (typeof path === "string" && !isData && (!isFree || Object.keys(value).length === 1))
      return this.#bindPath(value, path, pointer);
    const isCall = !isFree || Object.keys(value).every((key) => callKeys.has(key));
    if (typeof call === "string" && !isData && isCall)
      return this.#bindCallDirective(value, call, pointer);
    const entries = this.#bindEntries(value, pointer, isFree);
    const isReserved = typeof entries["path"] === "string" || typeof entries["call"] === "string";
    return isReserved ? this.#options.literal(entries) : entries;
  }

  #bindEntries(value: JsonObject, pointer: string, isFree: boolean): JsonObject {
    const entries: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) {
      const inner = `${pointer}/${escapePointer(key)}`;
      const name = this.#literalKey(key, inner);
      if (name === undefined) continue;
      // The context of an event maps names to values, so its own keys are not directives.
      const isContext = key === "context" && isJsonObject(item);
      entries.push([
        name,
        isContext ? this.#bindEntries(item, inner, true) : this.bindValue(item, inner, isFree),
      ]);
    }
    return Object.fromEntries(entries);
  }

  /** Returns the unescaped key of a literal object. Reports a reserved key. */
  #literalKey(key: string, pointer: string): string | undefined {
    if (!key.startsWith("@")) return key;
    if (key.startsWith("@@")) return key.slice(1);
    const { atKeys, isV10 } = this.#options;
    if (!atKeys && !(isV10 && key === "@")) return key;
    const text = `expected a property name, found the reserved key \`${key}\``;
    const help = `write \`@${key}\` for a key that begins with \`@\``;
    this.#options.diagnostics.push(diagnostic("A2UI010", text, help, pointer, "error"));
    return undefined;
  }

  #bindPath(value: JsonObject, path: string, pointer: string): Json {
    const binding = this.#options.bind(path, pointer);
    if (binding === null) return null;
    const { path: bare, "@path": at, ...rest } = value;
    // Beside `@path`, `path` is an ordinary key.
    const others = at === undefined || bare === undefined ? rest : { ...rest, path: bare };
    return { ...others, binding };
  }

  #bindCallDirective(value: JsonObject, name: string, pointer: string): Json {
    const bound = this.#bindBareCall(value, name, pointer);
    const isAction = pointer.endsWith("/functionCall");
    const replacement = this.#options.replaceCall?.(bound, pointer, isAction);
    return replacement === undefined ? bound : replacement;
  }

  #bindBareCall(value: JsonObject, name: string, pointer: string): JsonObject {
    const { "@call": _, call, args, ...rest } = value;
    const others = this.#bindEntries(rest, pointer, false);
    if (!isJsonObject(args))
      return args === undefined ? { ...others, call: name } : { ...others, call: name, args };
    const bound = this.#bindEntries(args, `${pointer}/args`, !basicFunctions.has(name));
    const { value: template } = bound;
    if (name !== "formatString" || typeof template !== "string")
      return { ...others, call: name, args: bound };
    return {
      ...others,
      call: name,
      args: { ...bound, ...this.#bindTemplatePaths(template, pointer) },
    };
  }

  /** Returns the bound paths of a template; the template itself is kept. */
  #bindTemplatePaths(template: string, pointer: string): JsonObject {
    const values = namesOf(template).map((path): [string, Json] => {
      if (path === "@index")
        return [path, this.bindValue({ call: path }, `${pointer}/args/value`, false)];
      const binding = this.#options.bind(path, `${pointer}/args/value`);
      return [path, binding === null ? null : { binding }];
    });
    return values.length === 0 ? {} : { values: Object.fromEntries(values) };
  }
}
