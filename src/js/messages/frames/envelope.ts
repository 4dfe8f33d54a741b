import type { JsonObject } from "../../json-value.js";
import { emptyFrame, type Frame, frameOfText, isMessage, messagesIn } from "./frame.js";

/** Returns the frame of `{type, payload}` or `{type: "text"}`; else undefined. */
export function readEnvelope(object: JsonObject): Frame | undefined {
  const { type, payload, text } = object;
  if (typeof type === "string" && payload !== undefined) {
    const named = { [type]: payload };
    const messages = isMessage(named) ? [named] : messagesIn(payload);
    return messages && { ...emptyFrame(), messages };
  }
  return type === "text" && typeof text === "string" ? frameOfText(text) : undefined;
}

/** Returns the frame of `{messages}`; else undefined. */
export function readList(object: JsonObject): Frame | undefined {
  const messages = messagesIn(object);
  return messages && { ...emptyFrame(), messages };
}
