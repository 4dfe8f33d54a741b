import { asObject, type JsonObject } from "../../json-value.js";
import { required } from "../normal.js";
import { MESSAGES } from "../schema.js";
import type { CatalogDefinition, MessageName } from "../types.js";
import { instead, listed, nearest, quote } from "./names.js";
import { type Place, within } from "./place.js";
import { type Fault, type Form, fault, fields } from "./values.js";
import { kindOf } from "./words.js";

const TEXT = { type: "string", bindable: false } as const;
const FLAG = { type: "boolean", bindable: false } as const;
/** Data that is nested deeper is not looked through. */
const DEEPEST = 200;
const NODES =
  'write {"updateDataModel": {"nodes": {"user": {"name": "Ann"}}}}: nodes by id, no path and no list';

/** What is wrong with a message for a catalog: its form, its components and the ids of its nodes. */
export function faultsOf(
  catalog: CatalogDefinition,
  given: unknown,
  path: Fault["path"],
  names: readonly MessageName[],
): Fault[] {
  const place: Place = { path, of: "message", from: path.length };
  const help = `write one of ${listed(names)}`;
  const message = asObject(given);
  if (message === undefined) {
    return fault("HAM029", place, `a message is an object, not ${kindOf(given)}`, help);
  }
  const kinds = MESSAGES.filter((name) => Object.hasOwn(message, name));
  const [kind] = kinds;
  if (kind === undefined) return unknown(message, place, names);
  if (kinds.length > 1) {
    const said = `one message says one thing, this says ${listed(kinds)}`;
    return fault("HAM029", place, said, "send each in a message of its own");
  }
  if (!names.includes(kind)) {
    return fault("HAM029", within(place, kind), `${quote(kind)} may not be written here`, help);
  }
  const body: Place = { path: [...path, kind], of: kind, from: path.length + 1 };
  const rules = { version: TEXT, [kind]: (inner: unknown) => bodyOf(catalog, kind, inner, body) };
  return fields(catalog, message, place, { rules });
}

function unknown(message: JsonObject, place: Place, names: readonly string[]): Fault[] {
  const key = Object.keys(message).find((one) => one !== "version");
  if (key === undefined) {
    return fault("HAM029", place, "the message is empty", `write one of ${listed(names)}`);
  }
  const help = instead(key, names, "messages");
  return fault("HAM029", within(place, key), `${quote(key)} is no message`, help);
}

function bodyOf(
  catalog: CatalogDefinition,
  kind: MessageName,
  given: unknown,
  place: Place,
): Fault[] {
  const body = asObject(given);
  if (body === undefined) {
    const help = `write {"${kind}": {"surfaceId": "s", …}}`;
    return fault("HAM029", place, `${quote(kind)} is ${kindOf(given)}, not an object`, help);
  }
  const surfaceId = TEXT;
  const components = (list: unknown, at: Place): Fault[] => componentsOf(catalog, list, at);
  const forms: { readonly [name in MessageName]: Form } = {
    createSurface: {
      rules: { surfaceId, catalogId: TEXT, sendDataModel: FLAG, components },
      needed: ["surfaceId"],
    },
    updateComponents: {
      rules: { surfaceId, components },
      needed: ["surfaceId", "components"],
    },
    updateDataModel: { rules: { surfaceId, nodes } },
    deleteSurface: { rules: { surfaceId }, needed: ["surfaceId"] },
  };
  if (kind === "updateDataModel" && !Object.hasOwn(body, "nodes")) {
    return fault("HAM004", place, "`updateDataModel` has no `nodes`", NODES);
  }
  return fields(catalog, body, place, forms[kind]);
}

function nodes(given: unknown, place: Place): Fault[] {
  const map = asObject(given);
  if (map === undefined) return fault("HAM004", place, `\`nodes\` is ${kindOf(given)}`, NODES);
  return Object.entries(map).flatMap(([id, node]) => {
    const at = within(place, id);
    if (/^[^!*]/.test(id)) return marked(node, at, 0, map);
    if (!/^![^!*]/.test(id)) {
      const help = "an id begins with neither `*` nor `!`; `!` before it deletes the node";
      return fault("HAM002", at, `${quote(id)} is no id of a node`, help);
    }
    if (node === null) return [];
    const message = `the deletion ${quote(id)} has a value`;
    return fault("HAM006", at, message, "write null, which is all that it takes", "warning");
  });
}

/** Texts with marks of Markdown at their beginning, which are pointers to nodes that the message does not have. */
function marked(value: unknown, place: Place, depth: number, ids: JsonObject): Fault[] {
  if (typeof value === "string") {
    const isMarked = depth > 0 && /^\*(?:$|[\s!*]|.*\*)/s.test(value);
    if (!isMarked || Object.hasOwn(ids, value.slice(1))) return [];
    const message = `${quote(value)} is a pointer to a node that is not there`;
    const help = 'give the text a node of its own ("text_1": "…") and write "*text_1" here';
    return fault("HAM009", place, message, help, "warning");
  }
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  const step = (key: string) => within(place, Array.isArray(value) ? Number(key) : key);
  return Object.entries(value).flatMap(([key, one]) => marked(one, step(key), depth + 1, ids));
}

function componentsOf(catalog: CatalogDefinition, given: unknown, place: Place): Fault[] {
  if (!Array.isArray(given)) {
    const help = 'write [{"id": "root", "component": "…"}]';
    return fault("HAM029", place, `\`components\` is ${kindOf(given)}, not a list`, help);
  }
  const seen = new Map<unknown, number>();
  return given.flatMap((one, at) => {
    const here = within(place, at);
    const id = asObject(one)?.["id"];
    const first = isName(id) ? seen.get(id) : undefined;
    seen.set(id, first ?? at);
    const faults = component(catalog, one, here);
    if (first === undefined) return faults;
    const message = `two components of the message are called ${quote(String(id))}: the last one is taken`;
    const help = "give each an id of its own";
    return [...faults, ...fault("CAT011", within(here, "id"), message, help, "warning")];
  });
}

function component(catalog: CatalogDefinition, given: unknown, place: Place): Fault[] {
  const { id, component: name, ...rest } = asObject(given) ?? {};
  if (!isName(id) || !isName(name)) return unnamed(id, name, Object.keys(rest), place);
  const all = catalog.components;
  if (!Object.hasOwn(all, name)) {
    const message = `the catalog has no component ${quote(name)}, which ${quote(id)} is to be`;
    const help = instead(name, Object.keys(all), "components");
    return fault("HAM033", within(place, "component"), message, help, "warning");
  }
  const rules = all[name]?.props ?? {};
  const own: Place = { path: place.path, of: id, from: place.path.length };
  const faults = fields(catalog, rest, own, {
    rules,
    needed: required(rules),
    what: `a ${quote(name)}`,
  });
  const inputs = (all[name]?.input ?? []).filter((prop) => Object.hasOwn(rest, prop));
  const unbound = inputs.filter(
    (prop) => rest[prop] !== null && asObject(rest[prop]) === undefined,
  );
  return [...faults, ...unbound.flatMap((prop) => lost(prop, within(own, prop)))];
}

/** For an input that is bound to nothing. */
function lost(prop: string, place: Place): Fault[] {
  const message = `${quote(prop)} of ${quote(place.of)} is bound to nothing: what the user enters is lost`;
  const help = `write "${prop}": {"binding": {"node": "form", "key": "name"}}`;
  return fault("CAT012", place, message, help, "warning");
}

function isName(given: unknown): given is string {
  return typeof given === "string" && given !== "";
}

// The fault of a component that lacks an id or the name of what it is.
function unnamed(id: unknown, name: unknown, others: string[], place: Place): Fault[] {
  const lacks = isName(id) ? "component" : "id";
  const said = isName(id) ? id : name;
  const message = isName(said)
    ? `the component ${quote(said)} names no \`${lacks}\``
    : "a component has an `id` and a `component`";
  const near = nearest(lacks, others);
  const help =
    near === undefined
      ? 'write {"id": "title", "component": "Text", "text": "Hello"}'
      : `rename ${quote(near)} to \`${lacks}\``;
  return fault("HAM029", place, message, help);
}
