import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { readA2a } from "./a2a.js";
import type { Activities } from "./activities.js";
import { readAgUi } from "./ag-ui.js";
import { readEnvelope, readList } from "./envelope.js";
import { emptyFrame, type Frame, isMessage } from "./frame.js";
import { readMcp } from "./mcp.js";

/**
 * First keys of transport frames. The text of such an object is parsed at its end, because lists
 * in it have other items too.
 */
const FRAME_KEYS = [
  ...["type", "kind", "jsonrpc", "parts", "content", "contents", "data", "resource", "payload"],
  ...["messageId", "activityType", "a2ui_operations", "role", "delta", "result", "metadata"],
  ...["artifactUpdate", "statusUpdate", "task", "message"],
];

export function isFrameKey(key: string): boolean {
  return FRAME_KEYS.includes(key);
}

/** Returns the content of a frame of any transport, or undefined for a message or another value. */
export function readFrame(value: unknown, activities: Activities): Frame | undefined {
  return readWith(value, (object) => readEvent(object, activities) ?? readList(object));
}

/** Returns the content of a frame, or undefined for a list of messages and any other value. */
export function readTransport(value: unknown, activities: Activities): Frame | undefined {
  return readWith(value, (object) => readEvent(object, activities));
}

function readEvent(object: JsonObject, activities: Activities): Frame | undefined {
  return readAgUi(object, activities) ?? readMcp(object) ?? readA2a(object) ?? readEnvelope(object);
}

function readWith(
  value: unknown,
  read: (object: JsonObject) => Frame | undefined,
): Frame | undefined {
  const object = value as Json;
  if (!isJsonObject(object) || isMessage(object)) return undefined;
  try {
    return read(object);
  } catch (reason) {
    // The engine throws this too, when its stack is full, or a text would be too long.
    if (!(reason instanceof RangeError)) throw reason;
    return { ...emptyFrame(), errors: ["the event is nested too deep or too large"] };
  }
}
