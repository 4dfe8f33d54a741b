import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Content of a transport frame. */
export interface Frame {
  messages: JsonObject[];
  /** Texts for the user. */
  texts: string[];
  /** Errors of the sender. */
  errors: string[];
  /** Number of parts that are neither messages nor texts for the user. */
  ignored: number;
}

/** Keys of calls between agent and page, which need not name a surface. */
export const CALL_KEYS = [
  ...["callRendererFunction", "agentFunctionResponse", "callFunction", "actionResponse"],
];
/** Keys with the type of a message, of all versions. */
export const MESSAGE_KEYS = [
  ...["createSurface", "updateComponents", "updateDataModel", "deleteSurface"],
  ...["beginRendering", "surfaceUpdate", "dataModelUpdate"],
  ...CALL_KEYS,
];

/** Messages with a list of components. */
export const COMPONENT_MESSAGES: readonly string[] = [
  ...["updateComponents", "createSurface", "surfaceUpdate"],
];

/** Returns the message that adds components to the surface of a message with components. */
export function updateKindOf(kind: string): string {
  return kind === "surfaceUpdate" ? kind : "updateComponents";
}

/** Maximum number of JSON strings that contain one another. */
const MAX_DECODINGS = 2;

export function emptyFrame(): Frame {
  return { messages: [], texts: [], errors: [], ignored: 0 };
}

export function isMessage(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && MESSAGE_KEYS.some((key) => key in value);
}

/** Merges frames into one. */
export function mergeFrames(frames: readonly Frame[]): Frame {
  return {
    messages: frames.flatMap(({ messages }) => messages),
    texts: frames.flatMap(({ texts }) => texts),
    errors: frames.flatMap(({ errors }) => errors),
    ignored: frames.reduce((sum, { ignored }) => sum + ignored, 0),
  };
}

/** Returns the frame of the messages in a value, or of an ignored part if it contains none. */
export function frameOfValue(value: Json | undefined): Frame {
  const messages = messagesIn(value);
  return messages === undefined ? { ...emptyFrame(), ignored: 1 } : { ...emptyFrame(), messages };
}

/**
 * Returns the messages in a value: one message, a list, `{messages}`, `{a2ui_operations}`, or one
 * of them as JSON text that was encoded up to twice. Returns undefined for any other value.
 */
export function messagesIn(value: Json | undefined): JsonObject[] | undefined {
  const decoded = decodeText(value);
  if (isMessage(decoded)) return [decoded];
  if (Array.isArray(decoded)) {
    const isList = decoded.length > 0 && decoded.every((item) => isMessage(item));
    return isList ? (decoded as JsonObject[]) : undefined;
  }
  if (!isJsonObject(decoded)) return undefined;
  const list = decoded[listKeyOf(decoded) ?? ""];
  if (list === undefined) return undefined;
  return Array.isArray(list) && list.length === 0 ? [] : messagesIn(list);
}

/** Keys of the list of messages in an object. */
const LIST_KEYS = ["a2ui_operations", "messages", "a2ui_json"];

/** Returns the key of the list of messages in an object, or undefined if it has none. */
export function listKeyOf(object: JsonObject): string | undefined {
  return LIST_KEYS.find((key) => (object[key] ?? null) !== null);
}

/** Returns the frame of a text: its messages, the error that it reports, or the text itself. */
export function frameOfText(text: string): Frame {
  const messages = messagesIn(text);
  if (messages !== undefined) return { ...emptyFrame(), messages };
  const error = senderError(decodeText(text));
  if (error !== undefined) return { ...emptyFrame(), errors: [error] };
  return frameOfBlocks(text) ?? { ...emptyFrame(), texts: text === "" ? [] : [text] };
}

/** Blocks in a text: between the tags of A2UI, or a fence of Markdown. */
const BLOCK = /<a2ui-json>(.*?)(?:<\/a2ui-json>|$)|```\w*[^\S\n]*\n(.*?)```/gs;

/** Returns the messages in the blocks of a text and the text around them, or undefined. */
function frameOfBlocks(text: string): Frame | undefined {
  const frame = emptyFrame();
  let end = 0;
  const addText = (to: number): void => {
    const surrounding = text.slice(end, to).trim();
    if (surrounding !== "") frame.texts.push(surrounding);
  };
  for (const { 0: block, 1: tagged, 2: fenced, index } of text.matchAll(BLOCK)) {
    const messages = messagesInBlock(tagged ?? fenced ?? "");
    if (messages === undefined) continue;
    addText(index);
    frame.messages.push(...messages);
    end = index + block.length;
  }
  if (end === 0) return undefined;
  addText(text.length);
  return frame;
}

/** Returns the messages of a block: one value, or one message per line. */
function messagesInBlock(block: string): JsonObject[] | undefined {
  const whole = messagesIn(block);
  if (whole !== undefined) return whole;
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const all = lines.map((line) => messagesIn(line));
  return all.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined;
}

/** Returns the message of `{"error": …}`, or undefined. */
export function senderError(value: Json | undefined): string | undefined {
  const error = isJsonObject(value) ? value["error"] : undefined;
  if (typeof error === "string") return error;
  if (!isJsonObject(error)) return undefined;
  const { message } = error;
  return typeof message === "string" ? message : JSON.stringify(error);
}

/** Parses a JSON text, also one that contains another; returns other values unchanged. */
function decodeText(value: Json | undefined): Json | undefined {
  let decoded = value;
  for (let count = 0; count < MAX_DECODINGS && typeof decoded === "string"; count += 1) {
    try {
      decoded = JSON.parse(decoded) as Json;
    } catch {
      return value;
    }
  }
  return decoded;
}
