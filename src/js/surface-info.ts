import { isJsonObject, type JsonObject } from "./json-value.js";
import type { Json } from "./types.js";

/** Contents of `createSurface`, except the components and the data. */
export interface SurfaceInfo {
  surfaceId: string;
  /** Version of the message; undefined if the agent writes none. */
  version?: string;
  catalogId?: string;
  /** Whether the agent receives the data model with each message. */
  sendDataModel: boolean;
  theme?: Json;
  /** Properties of the surface in the first draft of A2UI v1.0. */
  surfaceProperties?: Json;
  metadata?: Json;
}

const INFO_KEYS = ["catalogId", "theme", "surfaceProperties", "metadata"] as const;

/** Length of the prefix of a message, in characters, that names its type. */
const HEAD_LENGTH = 80;

/** Text of a message that creates or deletes a surface, or has keys of `createSurface`. */
const RELEVANT_TEXT =
  /"(?:createSurface|deleteSurface|sendDataModel|theme|surfaceProperties|metadata)"|\]\s*,\s*"catalogId"/;

/**
 * Returns the information about a surface after a message, or null without a surface. `id` is that
 * of the surface now; a message for another one was rejected.
 */
export function updateInfo(
  info: SurfaceInfo | null,
  message: string | Uint8Array,
  id: string | undefined,
): SurfaceInfo | null {
  // Data may be large, so their text is not searched. Decoders reject shared memory.
  const head = message.slice(0, HEAD_LENGTH);
  if (textOf(head).includes('"updateDataModel"')) return info;
  const text = typeof message === "string" ? message : textOf(message.slice());
  if (!RELEVANT_TEXT.test(text)) return info;
  const { createSurface, updateComponents, deleteSurface, version } = JSON.parse(
    text,
  ) as JsonObject;
  if (id === undefined) return null;
  if (isJsonObject(deleteSurface)) return info;
  if (isJsonObject(createSurface))
    return createSurface["surfaceId"] === id ? infoOf(createSurface, version) : info;
  // A stream sends the keys of `createSurface` that follow its components in this message.
  if (info === null || !isJsonObject(updateComponents) || updateComponents["surfaceId"] !== id)
    return info;
  return { ...info, ...infoOf({ ...info, ...updateComponents }, info.version) };
}

function textOf(message: string | Uint8Array): string {
  return typeof message === "string" ? message : new TextDecoder().decode(message);
}

function infoOf(body: JsonObject | SurfaceInfo, version: Json | undefined): SurfaceInfo {
  const entries = INFO_KEYS.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]]));
  return {
    surfaceId: String(body["surfaceId"]),
    ...(typeof version === "string" ? { version } : {}),
    ...Object.fromEntries(entries),
    sendDataModel: body["sendDataModel"] === true,
  };
}
