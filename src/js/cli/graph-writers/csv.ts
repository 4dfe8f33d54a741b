import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import {
  type Attribute,
  collectAttributes,
  type GraphDocument,
  listTypeOf,
  textOf,
} from "./document.js";

/** Tables of the nodes and of the edges, with headers. */
export interface CsvPair {
  nodes: string;
  edges: string;
}

/** Column that states the direction of the edges, as in tables of Gephi. */
export const TYPE = "Type";

/** Writes a graph as two tables. A column of texts that look like numbers is declared as text. */
export function writeCsv({ directed, nodes, edges }: GraphDocument): CsvPair {
  const type: Json = directed ? "Directed" : "Undirected";
  const hasIds = edges.some((edge) => edge["id"] !== undefined);
  const structure = ["source", "target", ...(hasIds ? ["id"] : [])];
  const typed = edges.map((edge) => ({ ...edge, [TYPE]: type }));
  return {
    nodes: table(["id"], nodes, collectAttributes(nodes, "node")),
    edges: table(structure, typed, collectAttributes(typed, "edge")),
  };
}

function table(
  structure: readonly string[],
  rows: readonly JsonObject[],
  attributes: readonly Attribute[],
): string {
  const header = [...structure.map(cell), ...attributes.map(heading)];
  const names = [...structure, ...attributes.map(({ name }) => name)];
  const lists = new Set(attributes.filter(isTextList).map(({ name }) => name));
  const lineOf = (row: JsonObject): string =>
    names.map((name) => cell(valueText(row[name], lists.has(name)))).join(",");
  return `${[header.join(","), ...rows.map(lineOf)].join("\n")}\n`;
}

function heading(attribute: Attribute): string {
  const { name, values } = attribute;
  if (isTextList(attribute)) return cell(`${name}:string[]`);
  const isText = values.every((value) => typeof value === "string");
  const isNumeric = isText && values.length > 0 && values.every(isNumber);
  return cell(isNumeric || name.includes(":") ? `${name}:string` : name);
}

function isTextList({ values }: Attribute): boolean {
  return listTypeOf(values) === "string";
}

function isNumber(value: Json): boolean {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
}

function valueText(value: Json | undefined, isList: boolean): string {
  if (value === undefined || value === null) return "";
  return isList && Array.isArray(value) ? value.join(";") : textOf(value);
}

/** Quotes a cell if it has a separator, a quote, a line break or outer space. */
function cell(text: string): string {
  return /[",;\t|\r\n]|^[\s#%]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
