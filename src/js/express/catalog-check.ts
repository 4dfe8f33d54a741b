import { checkMessage } from "../catalog/check/messages.js";
import type { PathDiagnostic } from "../catalog/check/path-diagnostic.js";
import { MESSAGES } from "../catalog/schema.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import type { CompiledComponent } from "./program.js";
import type { Signatures } from "./signatures.js";
import type { Span } from "./syntax.js";

/** Forms of HAM in a help text, with those of Express. */
const FORM_REWRITES: readonly (readonly [RegExp, string])[] = [
  [
    /a list of ids, or \{"binding": \{…\}, "template": "ID"\}/g,
    "`[a, b]` or `_template($/list, row)`",
  ],
  [/\{"binding": \{[^{}]*\}\}/g, "`$/path`"],
  [/\{"event": \{"name": "…"\}\}/g, '`Event("name")`'],
  [/\[\{"condition": \{…\}, "message": "…"\}\]/g, '`[?required("message")]`'],
  [/the id of a component/g, "a component"],
];
/** Code of a name in a text without a value; a text of A2UI contains paths instead. */
const UNDEFINED_NAME = "CAT010";
/** Path of the list of components in a message. */
const LIST_DEPTH = 2;

/** Checks compiled components against their catalogs: types, required properties, placement. */
export function checkComponents(
  components: readonly CompiledComponent[],
  { catalogs }: Signatures,
): Diagnostic[] {
  return catalogs.flatMap(({ id, catalog }) => {
    const own = components.filter(({ catalogId }) => catalogId === id);
    if (own.length === 0) return [];
    const list = own.map(({ json }) => inHamSpelling(json));
    const message = { updateComponents: { surfaceId: "s", components: list } };
    return checkMessage(catalog, message, [], MESSAGES)
      .filter(({ code }) => code !== UNDEFINED_NAME)
      .map((one) => locateDiagnostic(one, own));
  });
}

/** Returns a diagnostic at the part of the text that the value comes from. */
function locateDiagnostic(
  { path, ...diagnostic }: PathDiagnostic,
  components: readonly CompiledComponent[],
): Diagnostic {
  const component = components[Number(path[LIST_DEPTH])] ?? components[0];
  const { start, end } = spanOf(component, path.slice(LIST_DEPTH + 1).map(String));
  const location = { kind: "text" as const, start, end };
  const { help } = diagnostic;
  if (help === undefined) return { ...diagnostic, location };
  const ownHelp = FORM_REWRITES.reduce((text, [form, own]) => text.replaceAll(form, own), help);
  return { ...diagnostic, help: ownHelp, location };
}

/** Returns the span of the innermost known part of a path. */
function spanOf(component: CompiledComponent | undefined, path: readonly string[]): Span {
  for (let length = path.length; length > 0; length -= 1) {
    const span = component?.spans.get(path.slice(0, length).join("/"));
    if (span !== undefined) return span;
  }
  return component?.span ?? { start: 0, end: 0 };
}

/** Returns a component with the bindings of HAM in place of paths, for the check of its types. */
function inHamSpelling(value: Json): Json {
  if (Array.isArray(value)) return value.map(inHamSpelling);
  if (!isJsonObject(value)) return value;
  const { path, componentId } = value;
  const count = Object.keys(value).length;
  if (typeof path === "string" && count === 1) return { binding: { node: "data" } };
  if (typeof path === "string" && count === 2 && componentId !== undefined)
    return { binding: { node: "data" }, template: componentId };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inHamSpelling(one)]));
}
