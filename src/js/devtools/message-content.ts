import { asBytes } from "../arguments.js";
import { asList, asObject, type JsonObject, stringOf } from "../json-value.js";
import { MESSAGE_KEYS } from "../messages/frames/frame.js";
import type { Diagnostic, Json } from "../types.js";
import { pointerAt } from "./json-place.js";

type Sent = string | Uint8Array | object;

const decoder = new TextDecoder();

/** Returns the text of a message, or undefined for an object. */
export function textOf(message: Sent): string | undefined {
  if (typeof message === "string") return message;
  const bytes = asBytes(message);
  // Decoders reject shared memory.
  return bytes && decoder.decode(bytes.slice());
}

/** Returns a message as JSON, or its text if that is invalid. */
export function jsonOf(message: Sent): Json {
  const text = textOf(message);
  try {
    return JSON.parse(text ?? JSON.stringify(message)) as Json;
  } catch {
    return text ?? Object.prototype.toString.call(message);
  }
}

/** Returns a copy of a message that the page cannot change while it waits. */
export function copyOf(message: Sent): Sent {
  const bytes = typeof message === "string" ? undefined : asBytes(message);
  if (bytes) return bytes.slice();
  if (typeof message === "string") return message;
  try {
    return JSON.parse(JSON.stringify(message)) as object;
  } catch {
    return message;
  }
}

/** Returns diagnostics with JSON pointers for the offsets in the text of a valid message. */
export function withPointers(diagnostics: readonly Diagnostic[], message: Sent): Diagnostic[] {
  const text = diagnostics.some(({ location }) => location?.kind === "text")
    ? textOf(message)
    : undefined;
  if (text === undefined || typeof jsonOf(message) === "string") return [...diagnostics];
  return diagnostics.map((one) => {
    if (one.location?.kind !== "text") return one;
    const pointer = pointerAt(text, one.location.start);
    return pointer === undefined ? one : { ...one, location: { kind: "pointer", pointer } };
  });
}

/** Returns the definitions of the components of a message. */
export function componentsOf(message: Json): JsonObject[] {
  const { createSurface, updateComponents } = asObject(message) ?? {};
  return [createSurface, updateComponents]
    .flatMap((body) => asList(asObject(body)?.["components"]))
    .flatMap((one) => {
      const found = asObject(one);
      return found && stringOf(found["id"]) !== undefined ? [found] : [];
    });
}

/** Maximum number of ids of a message in a row. */
const MAX_SHOWN_IDS = 3;

/**
 * Returns the ids of the components or nodes of a message: `: root, title and 2 more`. They tell the
 * parts of a streamed message apart.
 */
export function contentIdsOf(message: Json): string {
  const body = asObject(asObject(message)?.["updateDataModel"]);
  const nodes = asObject(body?.["nodes"]) ?? asObject(body?.["edits"]) ?? {};
  const ids = [...componentsOf(message).map(({ id }) => String(id)), ...Object.keys(nodes)];
  if (ids.length === 0) return "";
  const rest = ids.length - MAX_SHOWN_IDS;
  return `: ${ids.slice(0, MAX_SHOWN_IDS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Describes a message by its type: `updateComponents form`. */
export function titleOf(message: Json): string {
  const object = asObject(message);
  if (!object) return "invalid JSON";
  const kind = MESSAGE_KEYS.find((key) => asObject(object[key]));
  if (kind === undefined) return "nodes";
  const id = stringOf(asObject(object[kind])?.["surfaceId"]);
  return id === undefined ? kind : `${kind} ${id}`;
}
