import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import {
  type Attribute,
  attributesOf,
  collectAttributes,
  type ElementKind,
  type GraphDocument,
  listTypeOf,
  textOf,
} from "./document.js";
import { escapeXml } from "./xml.js";

/** Attribute that is declared, or an XML attribute of its elements. */
interface Column extends Attribute {
  /** Id of the declaration; missing for an XML attribute. */
  id?: string;
}

/** Writes a graph as GEXF 1.3. Attributes of the graph are in `<meta>`; maps are JSON text. */
export function writeGexf({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const nodeColumns = columnsOf(nodes, "node");
  const edgeColumns = columnsOf(edges, "edge");
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
    ...metaLines(graph),
    `<graph defaultedgetype="${directed ? "directed" : "undirected"}">`,
    ...declarations("node", nodeColumns),
    ...declarations("edge", edgeColumns),
    "<nodes>",
    ...nodes.map((node) => elementLine("node", ["id"], node, nodeColumns)),
    "</nodes>",
    "<edges>",
    ...edges.map((edge) => elementLine("edge", ["id", "source", "target"], edge, edgeColumns)),
    "</edges>",
    "</graph>",
    "</gexf>",
  ];
  return lines.join("\n");
}

/** Returns the attributes of elements by name. */
function columnsOf(elements: readonly JsonObject[], kind: ElementKind): Map<string, Column> {
  const columns = collectAttributes(elements, kind).map((one, at): [string, Column] => [
    one.name,
    isXmlAttribute(one) ? one : { ...one, id: String(at) },
  ]);
  return new Map(columns);
}

/** Returns whether GEXF has an XML attribute for an attribute: labels, and weights of edges. */
function isXmlAttribute({ kind, name, values }: Attribute): boolean {
  if (name === "label") return values.every((value) => typeof value === "string");
  return kind === "edge" && name === "weight" && values.every((value) => typeof value === "number");
}

function metaLines(graph: JsonObject): string[] {
  const parts = Object.entries(graph)
    .filter(([name, value]) => value !== null && /^[A-Za-z_][\w.-]*$/.test(name))
    .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  return parts.length === 0 ? [] : ["<meta>", ...parts, "</meta>"];
}

function declarations(kind: ElementKind, columns: ReadonlyMap<string, Column>): string[] {
  const declared = [...columns.values()].filter(({ id }) => id !== undefined);
  if (declared.length === 0) return [];
  return [
    `<attributes class="${kind}">`,
    ...declared.map(
      ({ id, name, values }) =>
        `<attribute id="${id}" title="${escapeXml(name)}" type="${typeOf(values)}"/>`,
    ),
    "</attributes>",
  ];
}

/** Returns the type of an attribute: that of all values, or `string`. */
function typeOf(values: readonly Json[]): string {
  const items = listTypeOf(values);
  if (items !== undefined) return `list${gexfType(items)}`;
  const types = new Set(values.map((value) => typeof value));
  const [type = "string"] = types;
  return types.size === 1 ? gexfType(type) : "string";
}

function gexfType(type: string): string {
  return type === "number" ? "double" : type === "boolean" ? "boolean" : "string";
}

function elementLine(
  kind: "node" | "edge",
  structure: readonly string[],
  element: JsonObject,
  columns: ReadonlyMap<string, Column>,
): string {
  const attributes = attributesOf(element, kind).filter(([, value]) => value !== null);
  const isInTag = ([name]: [string, Json]): boolean => columns.get(name)?.id === undefined;
  const tag = [
    ...structure
      .filter((name) => element[name] !== undefined)
      .map((name): [string, Json | undefined] => [name, element[name]]),
    ...attributes.filter(isInTag),
  ].map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const values = attributes
    .filter((attribute) => !isInTag(attribute))
    .map(
      ([name, value]) =>
        `<attvalue for="${columns.get(name)?.id}" value="${escapeXml(valueText(value, columns.get(name)))}"/>`,
    );
  const open = `<${kind}${tag.join("")}`;
  if (values.length === 0) return `${open}/>`;
  return `${open}><attvalues>${values.join("")}</attvalues></${kind}>`;
}

/** Returns the text of a value; items of lists are separated by `|`. */
function valueText(value: Json, column: Column | undefined): string {
  const isList = Array.isArray(value) && listTypeOf(column?.values ?? []) !== undefined;
  return isList ? `[${value.map(textOf).join("|")}]` : textOf(value);
}
