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

/** Keys of A2A objects that contain parts: messages, artifacts, tasks and status updates. */
const CONTAINERS = ["result", "parts", "artifact", "artifacts", "status", "message"];
const KINDS = /^(?:message|task|status-update|artifact-update)$/;

/** Returns the frame of an A2A part, message, event or JSON-RPC response; else undefined. */
export function readA2a(object: JsonObject): Frame | undefined {
  const { kind, jsonrpc, parts } = object;
  if (kind === "data") return frameOfValue(object["data"]);
  if (kind === "text" && typeof object["text"] === "string") return frameOfText(object["text"]);
  const isContainer = Array.isArray(parts) || (typeof kind === "string" && KINDS.test(kind));
  const isResponse = jsonrpc !== undefined && !("method" in object);
  if (!isContainer && !(isResponse && isA2aResult(object))) return undefined;
  const error = senderError(object);
  if (error !== undefined) return { ...emptyFrame(), errors: [error] };
  return mergeFrames(CONTAINERS.flatMap((key) => readParts(object[key])));
}

function isA2aResult({ result, error }: JsonObject): boolean {
  return (
    error !== undefined || (isJsonObject(result) && !("content" in result || "contents" in result))
  );
}

function readParts(value: Json | undefined): Frame[] {
  if (Array.isArray(value)) return value.flatMap((item) => readParts(item));
  if (!isJsonObject(value)) return [];
  return [readA2a(value) ?? mergeFrames(CONTAINERS.flatMap((key) => readParts(value[key])))];
}
