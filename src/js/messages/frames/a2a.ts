import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { emptyFrame, type Frame, frameOfText, frameOfValue, senderError } from "./frame.js";

/** Events of A2A v1.0, which are named by their key. */
const EVENT_KEYS = ["artifactUpdate", "statusUpdate", "task"];
/** Keys of A2A objects that contain parts: messages, artifacts, tasks and status updates. */
const CONTAINER_KEYS = [
  ...["result", "parts", "artifact", "artifacts", "status", "message"],
  ...EVENT_KEYS,
];
/** Maximum number of lists and objects around a part. */
const MAX_DEPTH = 100;
/** Error for a part that is not read. */
const TOO_DEEP = `a part is nested too deep: in more than ${MAX_DEPTH} lists and objects`;
const OBJECT_KINDS = /^(?:message|task|status-update|artifact-update)$/;

/**
 * Returns the frame of an A2A part, message, event or JSON-RPC response, of v0.3 or v1.0; else
 * undefined.
 */
export function readA2a(object: JsonObject): Frame | undefined {
  const frame = emptyFrame();
  return addObject(withoutCase(object), 0, frame) ? frame : undefined;
}

/** Adds an object to a frame. Returns false for an object without a kind of A2A. */
function addObject(object: JsonObject, depth: number, frame: Frame): boolean {
  const { kind, jsonrpc, parts, message } = object;
  if (kind === "data" || kind === "text" || kind === "file") {
    const part = readPart(object);
    if (part !== undefined) addFrame(part, frame);
    return part !== undefined;
  }
  const isContainer =
    Array.isArray(parts) ||
    (typeof kind === "string" && OBJECT_KINDS.test(kind)) ||
    (isJsonObject(message) && Array.isArray(message["parts"])) ||
    EVENT_KEYS.some((key) => isJsonObject(object[key]));
  const isResponse = jsonrpc !== undefined && !("method" in object);
  if (!isContainer && !(isResponse && isA2aResult(object))) return false;
  const error = senderError(object);
  if (error === undefined) addContainer(object, depth + 1, frame);
  else frame.errors.push(error);
  return true;
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

/** Adds the parts of a container to a frame. */
function addContainer(object: JsonObject, depth: number, frame: Frame): void {
  const { length } = frame.messages;
  for (const key of CONTAINER_KEYS) addParts(object[key], depth, frame);
  const { history } = object;
  if (frame.messages.length > length || !Array.isArray(history)) return;
  // A task that is requested later has its messages only in its history.
  const sent = history.filter((one) => !(isJsonObject(one) && /user/i.test(String(one["role"]))));
  const other = emptyFrame();
  addParts(sent, depth, other);
  const errors = other.errors.filter((one) => one === TOO_DEEP);
  addFrame({ ...emptyFrame(), messages: other.messages, errors }, frame);
}

function addParts(value: Json | undefined, depth: number, frame: Frame): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_DEPTH) {
    if (frame.errors.at(-1) !== TOO_DEEP) frame.errors.push(TOO_DEEP);
  } else if (Array.isArray(value)) {
    for (const item of value) addParts(item, depth + 1, frame);
  } else if (isJsonObject(value)) {
    const object = withoutCase(value);
    if (addObject(object, depth, frame)) return;
    const part = readPart(object);
    if (part === undefined) addContainer(object, depth + 1, frame);
    else addFrame(part, frame);
  }
}

function addFrame({ messages, texts, errors, ignored }: Frame, frame: Frame): void {
  for (const one of messages) frame.messages.push(one);
  for (const one of texts) frame.texts.push(one);
  for (const one of errors) frame.errors.push(one);
  frame.ignored += ignored;
}
