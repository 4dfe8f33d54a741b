import { asObject, type JsonObject } from "../../json-value.js";
import { requiredProps } from "../prop-types.js";
import { MESSAGES } from "../schema.js";
import type { CatalogDefinition, MessageName } from "../types.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { describeMisplacement, PlacementCheck } from "./placement.js";
import { closestMatch, listNames, quote, suggestName } from "./suggestions.js";
import { describeValue } from "./type-names.js";
import { childLocation, type ValueLocation } from "./value-location.js";
import { checkFields, checkValue, type ObjectShape } from "./values.js";

const TEXT = { type: "string", bindable: false } as const;
const BOOLEAN = { type: "boolean", bindable: false } as const;
const OBJECT = { type: "object", bindable: false } as const;
/** Keys of `createSurface` besides its id, its components and its data. */
const SURFACE_KEYS = {
  catalogId: TEXT,
  sendDataModel: BOOLEAN,
  theme: OBJECT,
  surfaceProperties: OBJECT,
  metadata: checkMetadata,
};
/** Keys of any component of A2UI v1.0. */
const ENVELOPE_KEYS = { catalogId: TEXT, metadata: checkMetadata };
/** Name of an extension: a Unicode identifier (UAX #31), also with a leading `_`. */
const EXTENSION_NAME = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;
/** Maximum depth of data that is searched for Markdown. */
const MAX_MARKDOWN_DEPTH = 200;
const NODES_HELP =
  'write {"updateDataModel": {"nodes": {"user": {"name": "Ann"}}}}: nodes by id, no path and no list';

/**
 * Returns the diagnostics of a message for a catalog: its shape, its components and the ids of its
 * nodes.
 */
export function checkMessage(
  catalog: CatalogDefinition,
  value: unknown,
  path: PathDiagnostic["path"],
  names: readonly MessageName[],
): PathDiagnostic[] {
  const location: ValueLocation = { path, owner: "message", ownerDepth: path.length };
  const help = `write one of ${listNames(names)}`;
  const message = asObject(value);
  if (message === undefined) {
    return diagnosticsAt(
      "HAM029",
      location,
      `expected a message object, found ${describeValue(value)}`,
      help,
    );
  }
  const kinds = MESSAGES.filter((name) => Object.hasOwn(message, name));
  const [kind] = kinds;
  if (kind === undefined) return unknownMessage(message, location, names);
  if (kinds.length > 1) {
    const identity = `expected one message body, found ${listNames(kinds)}`;
    return diagnosticsAt("HAM029", location, identity, "send each body in a separate message");
  }
  if (!names.includes(kind)) {
    return diagnosticsAt(
      "HAM029",
      childLocation(location, kind),
      `${quote(kind)} is not allowed here`,
      help,
    );
  }
  const body: ValueLocation = { path: [...path, kind], owner: kind, ownerDepth: path.length + 1 };
  const rules = {
    version: TEXT,
    [kind]: (inner: unknown) => checkBody(catalog, kind, inner, body),
  };
  return checkFields(catalog, message, location, { rules });
}

function unknownMessage(
  message: JsonObject,
  location: ValueLocation,
  names: readonly string[],
): PathDiagnostic[] {
  const key = Object.keys(message).find((one) => one !== "version");
  if (key === undefined) {
    return diagnosticsAt(
      "HAM029",
      location,
      "the message is empty",
      `write one of ${listNames(names)}`,
    );
  }
  const help = suggestName(key, names, "messages");
  return diagnosticsAt(
    "HAM029",
    childLocation(location, key),
    `unknown message ${quote(key)}`,
    help,
  );
}

function checkBody(
  catalog: CatalogDefinition,
  kind: MessageName,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const body = asObject(value);
  if (body === undefined) {
    const help = `write {"${kind}": {"surfaceId": "s", …}}`;
    return diagnosticsAt(
      "HAM029",
      location,
      `expected an object in ${quote(kind)}, found ${describeValue(value)}`,
      help,
    );
  }
  const surfaceId = TEXT;
  const components = (list: unknown, at: ValueLocation): PathDiagnostic[] =>
    checkComponents(catalog, list, at);
  const shapes: { readonly [name in MessageName]: ObjectShape } = {
    createSurface: {
      rules: { surfaceId, components, ...SURFACE_KEYS },
      requiredKeys: ["surfaceId"],
    },
    updateComponents: {
      // A stream sends the keys that follow the components of `createSurface` in this message.
      rules: { surfaceId, components, ...SURFACE_KEYS },
      requiredKeys: ["surfaceId", "components"],
    },
    updateDataModel: { rules: { surfaceId, nodes: checkNodes, edits: checkEdits } },
    deleteSurface: { rules: { surfaceId }, requiredKeys: ["surfaceId"] },
  };
  if (kind === "updateDataModel") {
    const names = ["nodes", "edits"].filter((name) => Object.hasOwn(body, name));
    if (names.length === 0)
      return diagnosticsAt("HAM004", location, "missing `nodes` in `updateDataModel`", NODES_HELP);
    if (names.length === 2) {
      const text = "expected either `nodes` or `edits`, found both";
      const help = "keep `edits`: its keys may also be the ids of complete nodes";
      return diagnosticsAt("HAM004", childLocation(location, "edits"), text, help);
    }
  }
  return checkFields(catalog, body, location, shapes[kind]);
}

/** Checks metadata: an object with extensions by name. */
function checkMetadata(value: unknown, location: ValueLocation): PathDiagnostic[] {
  const extensions = (inner: unknown, at: ValueLocation): PathDiagnostic[] => {
    const named = asObject(inner);
    if (named === undefined) return checkValue({ components: {} }, OBJECT, inner, at);
    const invalid = Object.keys(named).filter((name) => !EXTENSION_NAME.test(name));
    return invalid.flatMap((name) => {
      const message = `invalid name ${quote(name)} of an extension`;
      const help = "begin it with a letter or `_`, then use letters, digits and `_`";
      return diagnosticsAt("CAT001", childLocation(at, name), message, help);
    });
  };
  const object = asObject(value);
  if (object === undefined) return checkValue({ components: {} }, OBJECT, value, location);
  return checkFields({ components: {} }, object, location, { rules: { extensions } });
}

function checkNodes(value: unknown, location: ValueLocation): PathDiagnostic[] {
  const map = asObject(value);
  if (map === undefined) return notNodes("nodes", value, location);
  return Object.entries(map).flatMap(([id, node]) => {
    const at = childLocation(location, id);
    return /^[^!*]/.test(id) ? checkMarkdown(node, at, 0, map) : checkNodeKey(id, node, at);
  });
}

/** Checks the keys of edits. The store checks their values, which depend on its nodes. */
function checkEdits(value: unknown, location: ValueLocation): PathDiagnostic[] {
  const map = asObject(value);
  if (map === undefined) return notNodes("edits", value, location);
  return Object.entries(map).flatMap(([key, node]) => {
    const at = childLocation(location, key);
    if (!/^[~+>-]/.test(key)) return /^[^!*]/.test(key) ? [] : checkNodeKey(key, node, at);
    const id = key.slice(1);
    if (/^[^!*~+>-]/.test(id)) return [];
    const code = /^[~+>-]/.test(id) ? "HAM025" : "HAM002";
    const help = `write one prefix and the id, such as ${quote(`${key[0]}${id.replace(/^[!*~+>-]+/, "") || "u1"}`)}`;
    return diagnosticsAt(code, at, `invalid key ${quote(key)} of an edit`, help);
  });
}

function notNodes(name: string, value: unknown, location: ValueLocation): PathDiagnostic[] {
  const message = `expected an object in \`${name}\`, found ${describeValue(value)}`;
  return diagnosticsAt("HAM004", location, message, NODES_HELP);
}

/** Checks a key that is not an id. */
function checkNodeKey(id: string, node: unknown, at: ValueLocation): PathDiagnostic[] {
  if (!/^![^!*]/.test(id)) {
    const help = "begin an id with neither `*` nor `!`; `!` before an id deletes the node";
    return diagnosticsAt("HAM002", at, `invalid node id ${quote(id)}`, help);
  }
  if (node === null) return [];
  const message = `the deletion ${quote(id)} has a value`;
  return diagnosticsAt("HAM006", at, message, "write `null`", "warning");
}

/** Warns about Markdown text that begins with `*` and so is a pointer to a missing node. */
function checkMarkdown(
  value: unknown,
  location: ValueLocation,
  depth: number,
  ids: JsonObject,
): PathDiagnostic[] {
  if (typeof value === "string") {
    const isMarkdown = depth > 0 && /^\*(?:$|[\s!*]|.*\*)/s.test(value);
    if (!isMarkdown || Object.hasOwn(ids, value.slice(1))) return [];
    const message = `${quote(value)} points to a missing node`;
    const help = 'put the text into a separate node ("text_1": "…") and write "*text_1" here';
    return diagnosticsAt("HAM009", location, message, help, "warning");
  }
  if (typeof value !== "object" || value === null || depth > MAX_MARKDOWN_DEPTH) return [];
  const step = (key: string) => childLocation(location, Array.isArray(value) ? Number(key) : key);
  return Object.entries(value).flatMap(([key, one]) =>
    checkMarkdown(one, step(key), depth + 1, ids),
  );
}

function checkComponents(
  catalog: CatalogDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (!Array.isArray(value)) {
    const help = 'write [{"id": "root", "component": "…"}]';
    return diagnosticsAt(
      "HAM029",
      location,
      `expected a list in \`components\`, found ${describeValue(value)}`,
      help,
    );
  }
  const firstIndexById = new Map<unknown, number>();
  const diagnostics = value.flatMap((one, at) => {
    const here = childLocation(location, at);
    const id = asObject(one)?.["id"];
    const first = isName(id) ? firstIndexById.get(id) : undefined;
    firstIndexById.set(id, first ?? at);
    const diagnostics = checkComponent(catalog, one, here);
    if (first === undefined) return diagnostics;
    const message = `duplicate component id ${quote(String(id))}; the last component is used`;
    const help = "give each component its own id";
    return [
      ...diagnostics,
      ...diagnosticsAt("CAT011", childLocation(here, "id"), message, help, "warning"),
    ];
  });
  return [...diagnostics, ...checkPlacement(catalog, value, location)];
}

/** Returns the errors for components that their parent must not contain. */
function checkPlacement(
  catalog: CatalogDefinition,
  list: readonly unknown[],
  location: ValueLocation,
): PathDiagnostic[] {
  const all = Object.values(catalog.components);
  if (!all.some((one) => one.allowedParents ?? one.allowedChildren)) return [];
  const objects = list.map((one) => asObject(one) ?? {});
  const definitionOf = ({ component }: JsonObject) =>
    isName(component) && Object.hasOwn(catalog.components, component)
      ? catalog.components[component]
      : undefined;
  const lastIndexById = new Map<unknown, number>(objects.map(({ id }, index) => [id, index]));
  return new PlacementCheck(definitionOf).add(objects).flatMap((one) => {
    const index = lastIndexById.get(one.child.id) ?? -1;
    const { message, help } = describeMisplacement(one);
    return diagnosticsAt("CAT015", childLocation(location, index), message, help);
  });
}

function checkComponent(
  catalog: CatalogDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const { id, component: name, ...rest } = asObject(value) ?? {};
  if (!isName(id) || !isName(name)) return identityError(id, name, Object.keys(rest), location);
  const all = catalog.components;
  if (!Object.hasOwn(all, name)) {
    const message = `unknown component ${quote(name)} in ${quote(id)}`;
    const help = suggestName(name, Object.keys(all), "components");
    return diagnosticsAt("HAM033", childLocation(location, "component"), message, help, "warning");
  }
  const rules = all[name]?.props ?? {};
  const ownLocation: ValueLocation = {
    path: location.path,
    owner: id,
    ownerDepth: location.path.length,
  };
  const diagnostics = checkFields(catalog, rest, ownLocation, {
    rules: { ...rules, ...ENVELOPE_KEYS, ...rules },
    requiredKeys: requiredProps(rules),
    what: `a ${quote(name)}`,
  });
  const isUnbound = (prop: string): boolean => {
    if (!Object.hasOwn(rest, prop) || rest[prop] === null) return false;
    const value = asObject(rest[prop]);
    return value === undefined || Object.hasOwn(value, "call");
  };
  const unbound = (all[name]?.input ?? []).filter(isUnbound);
  return [
    ...diagnostics,
    ...unbound.flatMap((prop) => unboundInput(prop, childLocation(ownLocation, prop))),
  ];
}

/** Returns the warning for an input without a binding. */
function unboundInput(prop: string, location: ValueLocation): PathDiagnostic[] {
  const message = `${quote(prop)} of ${quote(location.owner)} has no binding, so user input is lost`;
  const help = `write "${prop}": {"binding": {"node": "form", "key": "name"}}`;
  return diagnosticsAt("CAT012", location, message, help, "warning");
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

// Returns the error for a component without an `id` or a `component`.
function identityError(
  id: unknown,
  name: unknown,
  otherKeys: string[],
  location: ValueLocation,
): PathDiagnostic[] {
  const missingKey = isName(id) ? "component" : "id";
  const identity = isName(id) ? id : name;
  const message = isName(identity)
    ? `the component ${quote(identity)} has no \`${missingKey}\``
    : "expected a component with `id` and `component`";
  const similarKey = closestMatch(missingKey, otherKeys);
  const help =
    similarKey === undefined
      ? 'write {"id": "title", "component": "Text", "text": "Hello"}'
      : `rename ${quote(similarKey)} to \`${missingKey}\``;
  return diagnosticsAt("HAM029", location, message, help);
}
