import { isBindable, normalizeType } from "../catalog/prop-types.js";
import type { CatalogComponent, PropDefinition } from "../catalog/types.js";
import { isJsonObject, type JsonObject, jsonEqual, stringOf, textOf } from "../json-value.js";
import type { Json } from "../types.js";
import { isIdentifier, printValue } from "./print-value.js";
import { parametersOf, positionalProps, type Signatures } from "./signatures.js";

/** Path that the syntax of Express has a form for. */
const PRINTABLE_PATH = /^[A-Za-z0-9_/]*$/;
/** Maximum number of skipped arguments before one is written by name. */
const MAX_SKIPPED_ARGUMENTS = 2;
const EVENT_KEYS = ["name", "context"];

/** Prints components as assignments. */
export class ComponentPrinter {
  constructor(
    readonly signatures: Signatures,
    /** Variables of the components by id. */
    readonly names: ReadonlyMap<string, string>,
  ) {}

  printComponent(source: JsonObject): string {
    const { id, component, ...rest } = withBareKeys(source);
    const type = textOf(component);
    const catalogId = stringOf(rest["catalogId"]);
    const [declared] = this.signatures.findComponents(type, catalogId);
    const definition = declared?.definition;
    const { checks, catalogId: _, ...props } = rest;
    const positions = definition === undefined ? [] : positionalProps(definition);
    const own = textOf(id);
    const name = this.names.get(own) ?? own;
    const args = printArguments(props, positions, (prop) =>
      this.#printProp(props[prop] ?? null, definition?.props[prop]),
    );
    const list = Array.isArray(checks) ? checks : [];
    const after = args.findIndex((one) => /^[A-Za-z_]\w*=/.test(one));
    if (list.length > 0) {
      const printed = `[${list.map((one) => this.#printCheck(one, definition, props)).join(", ")}]`;
      args.splice(after < 0 ? args.length : after, 0, printed);
    }
    if (name !== own) args.push(`id=${printValue(own)}`);
    if (catalogId !== undefined && this.signatures.findComponents(type).length > 1)
      args.push(`catalogId=${printValue(catalogId)}`);
    return `${name} = ${type}(${args.join(", ")})`;
  }

  /** Prints the call of a function. */
  printCall(call: JsonObject, more: readonly string[] = []): string {
    const name = textOf(call["call"]);
    const [declared] = this.signatures.findFunctions(name, stringOf(call["catalogId"]));
    const parameters = declared === undefined ? [] : parametersOf(declared.definition);
    const args = isJsonObject(call["args"]) ? call["args"] : {};
    const printed = printArguments(
      args,
      parameters.map(([one]) => one),
      (one) => this.#printValue(args[one] ?? null),
    );
    const { catalogId } = call;
    const isAmbiguous = this.signatures.findFunctions(name).length > 1;
    const catalog =
      isAmbiguous && catalogId !== undefined ? [`catalogId=${printValue(catalogId)}`] : [];
    return `${name}(${[...printed, ...catalog, ...more].join(", ")})`;
  }

  #printProp(value: Json, type: PropDefinition | undefined): string {
    if (type?.type === "component") return this.#printChild(value);
    if (type?.type === "children") {
      if (Array.isArray(value)) return `[${value.map((one) => this.#printChild(one)).join(", ")}]`;
      if (!isJsonObject(value)) return this.#printChild(value);
      const { path, componentId } = value;
      return typeof path === "string" && PRINTABLE_PATH.test(path)
        ? `_template($${path}, ${this.#printChild(componentId ?? null)})`
        : printValue(value);
    }
    if (type?.type === "action") return this.#printAction(value);
    if (type?.items !== undefined && Array.isArray(value)) {
      const item = normalizeType(type.items);
      return `[${value.map((one) => this.#printItem(one, item)).join(", ")}]`;
    }
    return this.#printValue(value, type);
  }

  /** Prints an item of a list, such as a tab or an option. */
  #printItem(value: Json, type: PropDefinition): string {
    const { properties } = type;
    if (properties === undefined || !isJsonObject(value)) return this.#printValue(value, type);
    const keys = Object.keys(value);
    const isText = keys.length === 2 && typeof value["label"] === "string";
    if (isText && value["label"] === value["value"]) return printValue(value["label"] as Json);
    const entries = keys.map((key) => {
      const inner = properties[key];
      const printed = this.#printProp(value[key] ?? null, inner && normalizeType(inner));
      return `${isIdentifier(key) ? key : printValue(key)}: ${printed}`;
    });
    return `{${entries.join(", ")}}`;
  }

  #printChild(id: Json): string {
    if (typeof id !== "string") return this.#printValue(id);
    return this.names.get(id) ?? (isIdentifier(id) && id !== "_" ? id : printValue(id));
  }

  #printAction(action: Json): string {
    if (!isJsonObject(action)) return this.#printValue(action);
    const { event, functionCall } = action;
    if (isJsonObject(functionCall) && this.#isKnownCall(functionCall))
      return this.printCall(functionCall);
    if (!isJsonObject(event)) return this.#printValue(action);
    const args = printArguments(event, EVENT_KEYS, (key) => this.#printValue(event[key] ?? null));
    return `Event(${args.join(", ")})`;
  }

  /** Prints a value with the forms of paths and calls. */
  #printValue(value: Json, type?: PropDefinition): string {
    if (isJsonObject(value) && (type === undefined || isBindable(type))) {
      const { path } = value;
      if (typeof path === "string" && Object.keys(value).length === 1 && PRINTABLE_PATH.test(path))
        return `$${path}`;
      if (this.#isKnownCall(value)) return this.printCall(value);
    }
    return printValue(value, (inner) => this.#printValue(inner));
  }

  #isKnownCall(value: JsonObject): boolean {
    const { call, args = {}, catalogId } = value;
    const isCall = Object.keys(value).every((key) => ["call", "args", "catalogId"].includes(key));
    if (typeof call !== "string" || !isCall || !isJsonObject(args)) return false;
    const [declared] = this.signatures.findFunctions(call, stringOf(catalogId));
    if (declared === undefined) return false;
    const names = parametersOf(declared.definition).map(([name]) => name);
    return Object.keys(args).every((name) => names.includes(name));
  }

  /** Prints a check in its short form, if that has the same meaning. */
  #printCheck(check: Json, definition: CatalogComponent | undefined, props: JsonObject): string {
    if (!isJsonObject(check)) return this.#printValue(check);
    const { condition, message, ...rest } = check;
    const isShort = isJsonObject(condition) && this.#isKnownCall(condition);
    if (!isShort || typeof message !== "string" || Object.keys(rest).length > 0)
      return this.#printValue(check);
    const args = { ...(isJsonObject(condition["args"]) ? condition["args"] : {}) };
    const [declared] = this.signatures.findFunctions(textOf(condition["call"]));
    const parameters = declared === undefined ? [] : parametersOf(declared.definition);
    const bound = ["value", ...(definition?.input ?? [])]
      .map((prop) => props[prop])
      .find((one) => isJsonObject(one) && typeof one["path"] === "string");
    const isImplied = parameters[0]?.[0] === "value" && jsonEqual(args["value"], bound);
    if (!isImplied && parameters[0]?.[0] === "value" && !isReference(args["value"]))
      return this.#printValue(check);
    const positions = parameters.slice(isImplied ? 1 : 0);
    const given = positions.filter(([name]) => Object.hasOwn(args, name)).length;
    const isContiguous = positions.slice(0, given).every(([name]) => Object.hasOwn(args, name));
    const next = positions[given]?.[1];
    const takesMessage =
      next === undefined || ["number", "integer", "boolean"].includes(next.type ?? "any");
    // A text for a number would be the message.
    const isClear = positions
      .slice(0, given)
      .every(
        ([name, type]) =>
          typeof args[name] !== "string" ||
          !["number", "integer", "boolean"].includes(type.type ?? "any"),
      );
    if (!isContiguous || !takesMessage || !isClear) return this.#printValue(check);
    const printed = positions.slice(0, given).map(([name]) => this.#printValue(args[name] ?? null));
    return `?${textOf(condition["call"])}(${[...printed, printValue(message)].join(", ")})`;
  }
}

/** Returns whether a value is a path or a call, which a check takes as the value to check. */
function isReference(value: Json | undefined): boolean {
  return isJsonObject(value) && (typeof value["path"] === "string" || "call" in value);
}

/** Prints arguments: by position as long as few are skipped, then by name. */
function printArguments(
  values: JsonObject,
  positions: readonly string[],
  print: (name: string) => string,
): string[] {
  const given = (name: string): boolean => Object.hasOwn(values, name) && values[name] !== null;
  const args: string[] = [];
  const byPosition = new Set<string>();
  let skipped = 0;
  for (const name of positions) {
    if (!given(name)) {
      skipped += 1;
      if (skipped > MAX_SKIPPED_ARGUMENTS) break;
      continue;
    }
    args.push(...Array.from({ length: skipped }, () => "_"), print(name));
    byPosition.add(name);
    skipped = 0;
  }
  const others = Object.keys(values).filter((name) => given(name) && !byPosition.has(name));
  return [...args, ...others.map((name) => `${name}=${print(name)}`)];
}

/** Returns a value with the keys `path`, `call` and `checks` in place of those with `@`. */
function withBareKeys<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((one) => withBareKeys(one)) as unknown as T;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [bareKey(key), withBareKeys(one)]);
  return Object.fromEntries(entries) as T;
}

function bareKey(key: string): string {
  if (key.startsWith("@@")) return key.slice(1);
  return /^@(?:path|call|checks|catalogId|accessibility|metadata)$/.test(key) ? key.slice(1) : key;
}
