import { ToA2ui } from "../a2ui/to-a2ui.js";
import type { Message } from "../a2ui/translation.js";
import { escapeMarkers, jsonLine, lineText, nameText, oneLine } from "../catalog/prompt-text.js";
import { isBindable, normalizeType } from "../catalog/prop-types.js";
import type {
  CatalogComponent,
  FunctionDefinition,
  PropDefinition,
  PropType,
} from "../catalog/types.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { mergeMessages } from "./merge.js";
import { printMessages } from "./print.js";
import { type ExpressCatalog, positionalProps, Signatures } from "./signatures.js";

const SYNTAX_HELP = `You write and edit user interfaces in A2UI Express. Write statements between <a2ui> and </a2ui>, one per line.

## Statements
- surface("id") names the surface of the statements that follow. Write it first.
- name = Component(…) adds a component, or replaces the one of that name. The component \`root\` is the top.
- $/path = value sets data: a string, number, true, false, null, [list] or {key: value}.
- deleteSurface("id") ends a surface.
To edit a surface, write surface("id") and only the statements that change.

## Values
- Strings: "…" with \\n, \\" and \\\\, or """…""" over several lines, or r"…" without escapes.
- $/a/b is data at an absolute path; $a is the property of the list item around it.
- A component names others by their variables, each of which is assigned, or contains them.
- children: [a, b], or _template($/list, row) to show the component row for each item.
- action: Event("name", {key: $/path}), or a function that gives void.
- Leave out optional arguments at the end; write _ for one in the middle, or name=value.`;

const CHECKS_HELP = `- Checks of an input: [?required("message")]. The input is the first argument of each function.`;

/** Returns the system prompt for a model that writes surfaces of a catalog in Express. */
export function expressPrompt(catalog: ExpressCatalog): string {
  const signatures = new Signatures(catalog);
  const [own] = signatures.catalogs;
  if (own === undefined) return SYNTAX_HELP;
  const { components, functions = {}, instructions, examples = [] } = own.catalog;
  const hasChecks = Object.values(components).some(({ props }) =>
    Object.values(props).some(({ type }) => type === "checks"),
  );
  const common = Object.keys(own.catalog.common);
  const shared = Object.entries(own.catalog.common);
  const calls = Object.entries(functions);
  return [
    SYNTAX_HELP,
    ...(hasChecks ? [CHECKS_HELP] : []),
    "",
    "## Components",
    "? may be left out; = takes no path and no function.",
    ...Object.entries(components).map(([name, one]) => componentLine(name, one, common)),
    ...(shared.length > 0 ? [`Every component, last: ${shared.map(argumentText).join(", ")}`] : []),
    ...(calls.length > 0 ? ["", "## Functions"] : []),
    ...calls.map(([name, one]) => functionLine(name, one)),
    ...(instructions === undefined ? [] : ["", instructions]),
    ...(examples.length > 0 ? ["", "## Examples"] : []),
    ...examplesOf(examples, signatures),
  ].join("\n");
}

function componentLine(name: string, one: CatalogComponent, common: readonly string[]): string {
  const positions = positionalProps(one);
  const others = Object.keys(one.props).filter((prop) => !positions.includes(prop));
  const own = [...positions, ...others].filter((prop) => !common.includes(prop));
  const args = own
    .filter((prop) => one.props[prop]?.type !== "checks")
    .map((prop) => argumentText([prop, one.props[prop] ?? {}]));
  return `${nameText(name)}(${args.join(", ")})${note(one)}`;
}

function functionLine(name: string, one: FunctionDefinition): string {
  const { args = {}, returns } = one;
  const result = returns === undefined ? "" : `: ${oneLine(returns)}`;
  return `${nameText(name)}(${Object.entries(args).map(argumentText).join(", ")})${result}${note(one)}`;
}

function note({ description }: { readonly description?: string }): string {
  return description === undefined ? "" : ` ${oneLine(description)}`;
}

function argumentText([name, type]: readonly [string, PropType]): string {
  const one = normalizeType(type);
  const mark = one.required === true ? "" : "?";
  const isLiteral = !isBindable(one) && one.enum === undefined && !isStructural(one);
  return `${nameText(name)}${mark}${isLiteral ? "=" : ": "}${typeText(one)}`;
}

function isStructural({ type }: PropDefinition): boolean {
  return ["component", "children", "action"].includes(type ?? "");
}

function typeText(one: PropDefinition): string {
  return escapeMarkers(joinedType(one));
}

function joinedType(one: PropDefinition): string {
  if (one.enum !== undefined) return one.enum.map(jsonLine).join("|");
  if (one.anyOf !== undefined)
    return one.anyOf.map((type) => typeText(normalizeType(type))).join("|");
  if (one.items !== undefined) return `[${typeText(normalizeType(one.items))}]`;
  if (one.properties !== undefined) {
    return `{${Object.entries(one.properties).map(argumentText).join(", ")}}`;
  }
  return oneLine(one.type ?? "any");
}

/** Prints the examples of a catalog, whose messages contain nodes, as Express. */
function examplesOf(
  examples: readonly { readonly request: string; readonly messages: readonly object[] }[],
  signatures: Signatures,
): string[] {
  const translator = new ToA2ui({ version: "v1.0" });
  return examples.flatMap(({ request, messages }) => {
    const safe = messages.map((one) => withShortTexts(one as Json) as unknown as Message);
    const translated = safe.flatMap((one) => translator.translate(one).messages);
    const text = printMessages(mergeMessages(translated), signatures);
    return [lineText(request), `<a2ui>\n${text}\n</a2ui>`];
  });
}

/** Returns a value whose texts and keys stay on their lines in an example. */
function withShortTexts(value: Json): Json {
  if (typeof value === "string") return oneLine(value).replaceAll(/<(\/?a2ui)/g, "< $1");
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    withShortTexts(key),
    withShortTexts(inner),
  ]);
  return Object.fromEntries(entries) as Json;
}
