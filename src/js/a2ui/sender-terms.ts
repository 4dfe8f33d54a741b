import { escapePointer } from "../json-text.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { ROOT } from "./node-ids.js";
import { OTHER_ROOT } from "./v0-8.js";

/** A binding of HAM in a help text. */
const BINDING_TEXT = /\{"binding": \{[^{}]*\}\}/g;
/** A list of children for the items of a binding in a help text. */
const LIST_TEXT = /\{"binding": \{[^{}]*\}, "template": ("\w+")\}/g;

/** Help for an unknown key in a binding. */
const ONLY_BINDING = /^use one of the properties `binding`$/;

/** Messages with the id of their surface, by their action key. */
const SURFACE_ID_HELPS: { readonly [name: string]: string } = {
  createSurface: '{"createSurface": {"surfaceId": "s", "catalogId": "basic"}}',
  updateComponents: '{"updateComponents": {"surfaceId": "s", "components": []}}',
  updateDataModel: '{"updateDataModel": {"surfaceId": "s", "path": "/name", "value": "Ann"}}',
  deleteSurface: '{"deleteSurface": {"surfaceId": "s"}}',
};

/** Texts about nodes, keys and values, by code, in terms of paths; undefined keeps the text. */
const rewrites: {
  readonly [code: string]: (message: string) => { message: string; help: string } | undefined;
} = {
  HAM029: (message) => {
    const name = /^missing `surfaceId` in `(\w+)`$/.exec(message)?.[1] ?? "";
    const help = SURFACE_ID_HELPS[name];
    return help === undefined ? undefined : { message, help: `write ${help}` };
  },
  CAT001: (message) =>
    /^unknown property `alt` of .*\(a `Image`\)$/s.test(message)
      ? { message, help: "rename `alt` to `description`" }
      : undefined,
  CAT010: (message) => {
    const [, name] = /placeholder `(?:\{\{|\$\{)\s*\/?([^\s}]*)/.exec(message) ?? [];
    if (name === undefined) return undefined;
    const text = `… \${/${name.replaceAll(".", "/")}} …`;
    return { message, help: `write {"call": "formatString", "args": {"value": "${text}"}}` };
  },
  HAM027: (message) => {
    const path = /^expected a binding to a node, found the path `(.*)`$/s.exec(message)?.[1];
    if (path === undefined) return undefined;
    const name = path.split("/").at(-1) || "data";
    const value = JSON.stringify({ context: { [name]: { path } } });
    return {
      message: `expected values by name, found the path \`${path}\``,
      help: `write ${value}`,
    };
  },
  HAM009: (message) => ({
    message: message.replace(/`\*(.*)` points to a missing node/s, "no data at the path `$1`"),
    help: "send the value with `updateDataModel`, or correct the path",
  }),
  HAM010: (message) => ({
    message: message.replace(/^.*found the path/s, "no data at the path"),
    help: 'separate the steps of a path by slashes: {"path": "/user/name"}',
  }),
  HAM017: (message) => ({
    message: message.replace(/ for the node `.*`$/s, ""),
    help: "use other components as its children",
  }),
  HAM016: (message) => ({ message, help: 'bind to a list: {"path": "/items"}' }),
};

/** Returns a diagnostic of the core in the terms of A2UI: paths in place of nodes and bindings. */
export function inSenderTerms(diagnostic: Diagnostic): Diagnostic {
  const { code, help } = diagnostic;
  const message = diagnostic.message.replaceAll(OTHER_ROOT, ROOT);
  const rewritten = rewrites[code]?.(message);
  if (rewritten !== undefined) return { ...diagnostic, ...rewritten };
  const inPaths = withPaths(message);
  if (help === undefined) return { ...diagnostic, message: inPaths };
  const ownHelp = withPaths(help.replace(ONLY_BINDING, 'write `path` alone: {"path": "…"}'));
  return { ...diagnostic, message: inPaths, help: ownHelp };
}

/** Returns a text with paths in place of bindings. */
function withPaths(text: string): string {
  return text
    .replaceAll(BINDING_TEXT, '{"path": "…"}')
    .replaceAll(LIST_TEXT, '{"path": "/items", "componentId": $1}');
}

/** Codes about a binding that finds no data. */
const MISSING_DATA = ["HAM009", "HAM010", "HAM037"];

/** Returns a diagnostic about an absolute path in a template, with the path of the item. */
export function inTemplateTerms(
  diagnostic: Diagnostic,
  templatePath: (pointer: string) => string | undefined,
): Diagnostic {
  const { code, location } = diagnostic;
  const pointer = location?.kind === "pointer" ? location.pointer : undefined;
  if (pointer === undefined || !MISSING_DATA.includes(code)) return diagnostic;
  const path = templatePath(pointer);
  if (path === undefined) return diagnostic;
  const message = `no data at \`${path}\`: an absolute path in a template starts at the root of the data model`;
  return {
    ...diagnostic,
    message,
    help: `write \`${path.slice(1)}\` for the property of the item`,
  };
}

/** Returns whether a diagnostic is about null where a value is expected. */
export function isAboutNull({ code, message }: Diagnostic): boolean {
  return code === "CAT003" && message.endsWith(", found null");
}

/** Returns the diagnostics of invalid JSON; the others assume a message of HAM. */
export function jsonDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const json = diagnostics.filter(({ code }) => code.startsWith("JSON"));
  return json.length > 0 ? json : diagnostics.map(inSenderTerms);
}

/** Pointer to a component, or to a part of it. */
const COMPONENT_POINTER = /^\/updateComponents\/components(?:\/(\d+))?(.*)$/s;

/** Returns a diagnostic about a component, with the pointer in a `surfaceUpdate` of v0.8. */
export function inV08Terms(diagnostic: Diagnostic, message: { [key: string]: Json }): Diagnostic {
  const { location } = diagnostic;
  const update = message["surfaceUpdate"];
  if (
    isJsonObject(message["beginRendering"]) &&
    diagnostic.help === `write ${SURFACE_ID_HELPS["createSurface"]}`
  ) {
    const help = 'write {"beginRendering": {"surfaceId": "s", "root": "root"}}';
    const text = "missing `surfaceId` in `beginRendering`";
    return withPointer({ ...diagnostic, message: text, help }, "/beginRendering");
  }
  const found = location?.kind === "pointer" ? COMPONENT_POINTER.exec(location.pointer) : null;
  if (!found || !isJsonObject(update)) return diagnostic;
  const [, index, rest = ""] = found;
  const list = "/surfaceUpdate/components";
  if (index === undefined) return withPointer(diagnostic, `${list}${rest}`);
  const component = Array.isArray(update["components"])
    ? update["components"][Number(index)]
    : undefined;
  const body = isJsonObject(component) ? component["component"] : undefined;
  const [type] = isJsonObject(body) ? Object.keys(body) : [];
  const isProperty = type !== undefined && !/^(?:\/(?:id|component|weight)(?:\/|$)|$)/.test(rest);
  const prefix = isProperty ? `/component/${escapePointer(type)}` : "";
  return withPointer(diagnostic, `${list}/${index}${prefix}${rest}`);
}

function withPointer(diagnostic: Diagnostic, pointer: string): Diagnostic {
  return { ...diagnostic, location: { kind: "pointer", pointer } };
}
