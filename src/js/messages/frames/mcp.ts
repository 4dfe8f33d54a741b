import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { emptyFrame, type Frame, frameOfText, mergeFrames, messagesIn } from "./frame.js";

/** Returns the frame of an MCP tool result or resource, or undefined for any other object. */
export function readMcp(object: JsonObject): Frame | undefined {
  const { result, content, contents, resource } = object;
  if (isJsonObject(result) && (object["jsonrpc"] !== undefined || hasContent(result)))
    return readMcp(result);
  if (Array.isArray(contents)) return mergeFrames(contents.map(readBlock));
  if (isJsonObject(resource)) return readBlock(object);
  if (!Array.isArray(content)) return undefined;
  const frame = mergeFrames(content.map(readBlock));
  if (object["isError"] === true) return { ...frame, texts: [], errors: frame.texts };
  const structured = messagesIn(object["structuredContent"]) ?? [];
  const messages = frame.messages.length > 0 ? frame.messages : structured;
  // The text is for hosts without A2UI.
  return messages.length > 0 ? { ...frame, messages, texts: [] } : frame;
}

function hasContent({ content, contents }: JsonObject): boolean {
  return Array.isArray(content ?? contents);
}

/** Reads a content block: a text, or a resource with messages. */
function readBlock(block: Json): Frame {
  if (!isJsonObject(block)) return { ...emptyFrame(), ignored: 1 };
  const { resource, text, uri } = block;
  if (isJsonObject(resource)) return readBlock({ ...resource, uri: resource["uri"] ?? "" });
  // Images and other media are for hosts without A2UI.
  if (typeof text !== "string") return { ...emptyFrame(), ignored: 1 };
  if (uri === undefined) return frameOfText(text);
  return { ...frameOfText(text), texts: messagesIn(text) ? [] : [text] };
}
