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

/** Declared attribute with its key. */
interface Key extends Attribute {
  id: string;
}

/** Writes a graph as GraphML. Lists have the `attr.list` of APOC; maps are JSON text. */
export function writeGraphML({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const attributes = [
    ...collectAttributes([graph], "graph"),
    ...collectAttributes(nodes, "node"),
    ...collectAttributes(edges, "edge"),
  ];
  const keys = attributes.map((one, at): Key => ({ ...one, id: `d${at}` }));
  const idOf = new Map(keys.map(({ id, kind, name }) => [`${kind} ${name}`, id]));
  const dataOf = (element: JsonObject, kind: ElementKind): string =>
    attributesOf(element, kind)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => dataLine(idOf.get(`${kind} ${name}`) ?? "", value))
      .join("");
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys.map(keyLine),
    `<graph edgedefault="${directed ? "directed" : "undirected"}">${dataOf(graph, "graph")}`,
    ...nodes.map((node) => `<node id="${escapeXml(node["id"])}">${dataOf(node, "node")}</node>`),
    ...edges.map((edge) => {
      const id = edge["id"] === undefined ? "" : ` id="${escapeXml(edge["id"])}"`;
      const ends = `source="${escapeXml(edge["source"])}" target="${escapeXml(edge["target"])}"`;
      return `<edge${id} ${ends}>${dataOf(edge, "edge")}</edge>`;
    }),
    "</graph>",
    "</graphml>",
  ];
  return lines.join("\n");
}

function keyLine({ id, kind, name, values }: Key): string {
  const items = listTypeOf(values);
  const list = items === undefined ? "" : ` attr.list="${xmlType(items)}"`;
  const type = items === undefined ? typeOf(values) : "string";
  return `<key id="${id}" for="${kind}" attr.name="${escapeXml(name)}" attr.type="${type}"${list}/>`;
}

/** Returns the type of an attribute: that of all values, or `string`. */
function typeOf(values: readonly Json[]): string {
  const types = new Set(values.map((value) => typeof value));
  const [type = "string"] = types;
  return types.size === 1 ? xmlType(type) : "string";
}

function xmlType(type: string): string {
  return type === "number" ? "double" : type === "boolean" ? "boolean" : "string";
}

function dataLine(key: string, value: Json): string {
  return `<data key="${key}">${escapeXml(textOf(value))}</data>`;
}
