import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { MESSAGE_KEYS } from "./frames/frame.js";

/** Destination of a message. */
export interface Route {
  /** Key with the type of the message; `undefined` for an unknown type and for invalid JSON. */
  kind?: string;
  surfaceId?: string;
  /** Id of a call of a function of the page. */
  callId?: string;
}

/** Calls of functions of the page, which run once. */
const RENDERER_CALLS = ["callRendererFunction", "callFunction"];

/** Start of a message whose surface id comes first, without escapes. */
const MESSAGE_HEAD =
  /^\s*\{\s*(?:"version"\s*:\s*"[^"\\]*"\s*,\s*)?"(\w+)"\s*:\s*\{\s*"surfaceId"\s*:\s*"([^"\\]*)"/;

/** Maximum length of the start that is searched before the complete message is parsed. */
const MAX_HEAD_LENGTH = 500;

const decoder = new TextDecoder();

/** Returns the type of a message and the surface that it names. */
export function routeOf(message: string | Uint8Array | object): Route {
  if (typeof message !== "string" && !(message instanceof Uint8Array))
    return routeOfValue(message as Json);
  const text = typeof message === "string" ? message : decoder.decode(message);
  const [, kind, surfaceId] = MESSAGE_HEAD.exec(text.slice(0, MAX_HEAD_LENGTH)) ?? [];
  const isDecided = kind !== undefined && surfaceId !== undefined;
  if (isDecided && MESSAGE_KEYS.includes(kind) && !RENDERER_CALLS.includes(kind))
    return { kind, surfaceId };
  try {
    return routeOfValue(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}

function routeOfValue(value: Json): Route {
  if (!isJsonObject(value)) return {};
  const kind = MESSAGE_KEYS.find((key) => value[key] !== undefined);
  if (kind === undefined) return {};
  const body = value[kind];
  const surfaceId = isJsonObject(body) ? body["surfaceId"] : undefined;
  const callId = RENDERER_CALLS.includes(kind) ? callIdOf(value, body) : undefined;
  return {
    kind,
    ...(typeof surfaceId === "string" && { surfaceId }),
    ...(typeof callId === "string" && { callId }),
  };
}

/** Returns the id of a call; the first drafts of v1.0 write it beside the call. */
function callIdOf(message: JsonObject, body: Json | undefined): Json | undefined {
  const id = isJsonObject(body) ? body["functionCallId"] : undefined;
  return id ?? message["functionCallId"];
}
