import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import {
  emptyFrame,
  type Frame,
  frameOfText,
  frameOfValue,
  mergeFrames,
  senderError,
} from "./frame.js";

/** Events of A2A v1.0, which are named by their key. */
const EVENT_KEYS = ["artifactUpdate", "statusUpdate", "task"];
/** Keys of A2A objects that contain parts: messages, artifacts, tasks and status updates. */
const CONTAINER_KEYS = [
  ...["result", "parts", "artifact", "artifacts", "status", "message"],
  ...EVENT_KEYS,
];
const OBJECT_KINDS = /^(?:message|task|status-update|artifact-update)$/;

/**
 * Returns the frame of an A2A part, message, event or JSON-RPC response, of v0.3 or v1.0; else
 * undefined.
 */
export function readA2a(frame: JsonObject): Frame | undefined {
  const object = withoutCase(frame);
  const { kind, jsonrpc, parts, message } = object;
  if (kind === "data" || kind === "text" || kind === "file") return readPart(object);
  const isContainer =
    Array.isArray(parts) ||
    (typeof kind === "string" && OBJECT_KINDS.test(kind)) ||
    (isJsonObject(message) && Array.isArray(message["parts"])) ||
    EVENT_KEYS.some((key) => isJsonObject(object[key]));
  const isResponse = jsonrpc !== undefined && !("method" in object);
  if (!isContainer && !(isResponse && isA2aResult(object))) return undefined;
  const error = senderError(object);
  if (error !== undefined) return { ...emptyFrame(), errors: [error] };
  return readContainer(object);
}

function isA2aResult({ result, error }: JsonObject): boolean {
  return (
    error !== undefined || (isJsonObject(result) && !("content" in result || "contents" in result))
  );
}

/** Returns an object of the A2A SDK, `{payload: {$case, value}}`, in the form of the protocol. */
function withoutCase(object: JsonObject): JsonObject {
  const choice = object["payload"] ?? object["content"];
  if (!isJsonObject(choice) || typeof choice["$case"] !== "string") return object;
  return { ...object, [choice["$case"]]: choice["value"] ?? null };
}

/** Returns the frame of a part with data or text, or undefined. Parts of v1.0 have no `kind`. */
function readPart(part: JsonObject): Frame | undefined {
  const { data, text, kind } = part;
  if (data !== undefined) return frameOfValue(data);
  if (typeof text === "string") return frameOfText(text);
  const file = isJsonObject(part["file"]) ? part["file"] : part;
  const bytes = file["bytes"] ?? file["fileWithBytes"] ?? file["raw"];
  const type = file["mimeType"] ?? file["mediaType"];
  if (typeof bytes === "string" && typeof type === "string" && type.includes("a2ui"))
    return frameOfValue(decodeBase64(bytes));
  return kind === "file" ? { ...emptyFrame(), ignored: 1 } : undefined;
}

/** Returns the text of a file, or null for invalid base64. */
function decodeBase64(bytes: string): string | null {
  try {
    const decoded = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(decoded);
  } catch {
    return null;
  }
}

function readContainer(object: JsonObject): Frame {
  const frame = mergeFrames(CONTAINER_KEYS.flatMap((key) => readParts(object[key])));
  const { history } = object;
  if (frame.messages.length > 0 || !Array.isArray(history)) return frame;
  // A task that is requested later has its messages only in its history.
  const sent = history.filter((one) => !(isJsonObject(one) && /user/i.test(String(one["role"]))));
  return { ...frame, messages: mergeFrames(readParts(sent)).messages };
}

function readParts(value: Json | undefined): Frame[] {
  if (Array.isArray(value)) return value.flatMap((item) => readParts(item));
  if (!isJsonObject(value)) return [];
  const object = withoutCase(value);
  return [readA2a(object) ?? readPart(object) ?? readContainer(object)];
}
