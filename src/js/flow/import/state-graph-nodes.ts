import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { ImportReport } from "./import-report.js";
import { escapeText, mapTexts } from "./texts.js";

/** Types that LangGraph writes for the implementation of a node. */
const LANGGRAPH_TYPES = ["runnable", "schema", "unknown"];

/** Types of graph editors for the shape of a node, such as React Flow. */
const SHAPE_TYPES = ["custom", "default", "input", "output", "group"];

/** Keys of nodes that are imported, or only for display. */
const NODE_KEYS = [
  ...["id", "name", "type", "data", "metadata", "defer", "position", "positionAbsolute", "width"],
  ...["height", "measured", "selected", "dragging", "style", "className", "sourcePosition"],
  ...["targetPosition", "zIndex", "draggable", "selectable", "connectable", "deletable"],
];

/** Keys of edges that are imported, or only for display. */
const EDGE_KEYS = [
  ...["id", "type", "source", "target", "conditional", "data", "sourceHandle", "targetHandle"],
  ...["animated", "style", "className", "selected", "zIndex", "markerStart", "markerEnd"],
  ...["label", "labelStyle", "deletable", "selectable", "updatable", "reconnectable"],
];

/** Keys of `data` of an edge of Dify that repeat the nodes. */
const DISPLAY_DATA = ["sourceType", "targetType", "isInIteration", "isInLoop"];

/** Handles of the only output, or of the only input, of a node. */
const ONLY_HANDLES = ["", "source", "target", "output", "out", "input", "in", "default"];

/** Returns the name of a handle, or undefined for the only handle of a node. */
export function handleOf(handle: Json | undefined): string | undefined {
  return typeof handle === "string" && !ONLY_HANDLES.includes(handle) ? handle : undefined;
}

/** Type and params of a node, where it states them. */
export interface NodeParts {
  type?: string;
  params?: JsonObject;
}

/** Returns the type and the params of a node; reports its keys that have no counterpart. */
export function nodePartsOf(
  node: Json | undefined,
  name: string,
  pointer: string,
  report: ImportReport,
): NodeParts {
  if (!isJsonObject(node)) return {};
  const { type, data } = node;
  for (const key of Object.keys(node))
    if (!NODE_KEYS.includes(key))
      report.omit(
        `${pointer}/${escapePointer(key)}`,
        `\`${key}\` of \`${name}\``,
        `write it in \`params\`, or handle it in the callback of \`${name}\``,
      );
  const parts: NodeParts = {};
  // LangGraph describes the function of a node by `id`, a list, and `name`.
  const isSettings = isJsonObject(data) && !Array.isArray(data["id"]);
  if (isSettings && Object.keys(data).length > 0) {
    parts.params = mapTexts(data, "", escapeText) as JsonObject;
    report.warn(
      `${pointer}/data`,
      `\`data\` of \`${name}\` becomes its \`params\`; texts in it are not templates`,
      "write `${state.key}` in a param to insert a value",
    );
  } else if (data !== undefined && data !== null && !isSettings && !isDescription(data, type))
    report.omit(`${pointer}/data`, `\`data\` of \`${name}\``, "write an object for `params`");
  const own = isSettings && typeof data["type"] === "string" ? data["type"] : undefined;
  const kind = SHAPE_TYPES.includes(textOf(type)) ? own : (type ?? own);
  if (typeof kind === "string" && kind !== "" && !LANGGRAPH_TYPES.includes(kind)) parts.type = kind;
  return parts;
}

/** Returns whether `data` describes the function of a node, as LangGraph writes it. */
function isDescription(data: Json, type: Json | undefined): boolean {
  if (isJsonObject(data)) return true;
  return typeof data === "string" && (type === undefined || LANGGRAPH_TYPES.includes(textOf(type)));
}

/** Reports the parts of edges that are imported differently, or not at all. */
export function reportEdges(edges: readonly Json[], report: ImportReport): void {
  /** Handles of the edges of each node, with the pointer of the first one. */
  const handles = new Map<string, { pointer: string; names: Set<string> }>();
  for (const [index, edge] of edges.entries()) {
    if (!isJsonObject(edge)) continue;
    const pointer = `/edges/${index}`;
    const { source, target, sourceHandle, targetHandle, data, label } = edge;
    const ends = `the edge from \`${textOf(source)}\` to \`${textOf(target)}\``;
    const isLabelled = data !== undefined && data !== null && typeof data !== "object";
    const handle = isLabelled ? undefined : handleOf(sourceHandle);
    if (handle !== undefined) {
      const from = textOf(source);
      const known = handles.get(from) ?? { pointer: `${pointer}/sourceHandle`, names: new Set() };
      handles.set(from, known);
      known.names.add(handle);
    }
    const actionHelp = "write the action of the edge in `data`, with `conditional: true`";
    const omitted: [key: string, help: string][] = Object.keys(edge)
      .filter((key) => !EDGE_KEYS.includes(key))
      .map((key) => [key, actionHelp]);
    if (handleOf(targetHandle) !== undefined)
      omitted.push(["targetHandle", "write the inputs of the node in its `inputs`"]);
    const isNamed = handle !== undefined || isLabelled;
    if (typeof label === "string" && label !== "" && !isNamed) omitted.push(["label", actionHelp]);
    if (isJsonObject(data) && Object.keys(data).some((key) => !DISPLAY_DATA.includes(key)))
      omitted.push(["data", actionHelp]);
    for (const [key, help] of omitted)
      report.omit(`${pointer}/${escapePointer(key)}`, `\`${key}\` of ${ends}`, help);
  }
  for (const [from, { pointer, names }] of handles) {
    const listed = [...names].slice(0, 12).map((name) => `\`${name}\``);
    report.warn(
      pointer,
      `the source handles of \`${from}\` become actions: ${listed.join(", ")}`,
      `return one of these actions in the callback of \`${from}\`, or remove \`sourceHandle\``,
    );
  }
}
