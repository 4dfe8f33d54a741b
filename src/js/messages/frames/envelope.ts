import type { JsonObject } from "../../json-value.js";
import { emptyFrame, type Frame, frameOfText, isMessage, messagesIn } from "./frame.js";

/** Returns the frame of `{type, payload}`, `{messages}` or `{type: "text"}`; else undefined. */
export function readEnvelope(object: JsonObject): Frame | undefined {
  const { type, payload, text } = object;
  if (isMessage(object)) return undefined;
  if (typeof type === "string" && payload !== undefined) {
    const named = { [type]: payload };
    const messages = isMessage(named) ? [named] : messagesIn(payload);
    return messages && { ...emptyFrame(), messages };
  }
  if (type === "text" && typeof text === "string") return frameOfText(text);
  const messages = messagesIn(object);
  return messages && { ...emptyFrame(), messages };
}
