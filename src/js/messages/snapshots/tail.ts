import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Json } from "../../types.js";
import { COMPONENT_MESSAGES, MESSAGE_KEYS, updateKindOf } from "../frames/frame.js";

/** Part of the last message that a reader of its open text has not applied. */
export interface Tail {
  /** Message with the part; `undefined` if the part may be applied only once. */
  message: JsonObject | undefined;
  /** Component, node or message. */
  part: Json;
  /** Index of the component in its message. */
  index?: number;
  /** Id of the surface that the message creates. */
  createdId?: string;
  /** Whether its last text may be a name that is cut, such as the id of a surface to delete. */
  mayNameOther: boolean;
}

/** Messages with content after the names of their surface and path. */
const CONTENT_MESSAGES = [
  "updateComponents",
  "updateDataModel",
  "surfaceUpdate",
  "dataModelUpdate",
];

/** Start of a node key that edits a list or text, which has another effect each time. */
const EDIT_KEY = /^[+>-]/;

/** Returns the end of a message, or `undefined` for a message without content yet. */
export function tailOf(message: JsonObject): Tail | undefined {
  const kind = MESSAGE_KEYS.find((key) => key in message) ?? "";
  const body = message[kind];
  if (!isJsonObject(body)) return undefined;
  const { surfaceId, components, nodes, edits } = body;
  const [lastKey, lastValue] = Object.entries(body).at(-1) ?? [];
  if (Array.isArray(components) && COMPONENT_MESSAGES.includes(kind))
    return componentTail(kind, message, body, components);
  if (kind === "createSurface") {
    if (typeof surfaceId !== "string") return undefined;
    return { message, part: message, createdId: surfaceId, mayNameOther: true };
  }
  if (kind === "updateDataModel" && isJsonObject(edits))
    return { message: undefined, part: message, mayNameOther: true };
  if (kind === "updateDataModel" && isJsonObject(nodes)) {
    const [[key, part] = ["", null]] = Object.entries(nodes).slice(-1);
    if (EDIT_KEY.test(key)) return { message: undefined, part, mayNameOther: true };
    const last = key === "" ? {} : { [key]: part };
    const update = { ...message, [kind]: { ...body, nodes: last } };
    return { message: update, part: lastKey === "nodes" ? part : message, mayNameOther: false };
  }
  const isContent = lastKey === "value" || typeof lastValue === "object";
  if (CONTENT_MESSAGES.includes(kind) && lastKey === "surfaceId") return undefined;
  return {
    message,
    part: message,
    mayNameOther: !(isContent && CONTENT_MESSAGES.includes(kind)),
  };
}

/** Returns the last component, with the properties after the list. */
function componentTail(
  kind: string,
  message: JsonObject,
  body: JsonObject,
  components: Json[],
): Tail {
  const entries = Object.entries(body);
  const after = entries.slice(entries.findIndex(([key]) => key === "components") + 1);
  const { version } = message;
  // A stream creates the surface when its components begin, and updates it with the rest.
  const update = {
    surfaceId: body["surfaceId"] ?? null,
    components: components.slice(-1),
    ...Object.fromEntries(after),
  };
  return {
    message: { ...(version !== undefined && { version }), [updateKindOf(kind)]: update },
    part: after.length > 0 ? message : (components.at(-1) ?? message),
    index: components.length - 1,
    mayNameOther: false,
  };
}

/** Returns the diagnostics of a tail with the index of its component in the complete message. */
export function placeDiagnostics(
  diagnostics: readonly Diagnostic[],
  { index }: Tail,
): Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    if (index === undefined || location?.kind !== "pointer") return diagnostic;
    const start = /^(\/(?:updateComponents|surfaceUpdate)\/components\/)0(?=\/|$)/;
    const pointer = location.pointer.replace(start, `$1${index}`);
    return { ...diagnostic, location: { kind: "pointer" as const, pointer } };
  });
}
