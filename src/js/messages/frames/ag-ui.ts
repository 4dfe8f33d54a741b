import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { emptyFrame, type Frame, frameOfText, messagesIn, senderError } from "./frame.js";
import { applyPatch } from "./json-patch.js";

/** Contents of AG-UI activities by message id. */
export type Activities = Map<string, Json>;

/** Events without content, such as `RUN_STARTED`. */
const OTHER_EVENT = /^(?:RUN|STEP|TEXT_MESSAGE|TOOL_CALL|STATE|MESSAGES|THINKING|REASONING|RAW)_?/;

/** Returns the frame of an AG-UI event, or undefined for any other object. */
export function readAgUi(event: JsonObject, activities: Activities): Frame | undefined {
  const { type } = event;
  const frame = emptyFrame();
  if (type === "ACTIVITY_SNAPSHOT" || type === "ACTIVITY_DELTA")
    return readActivity(event, activities);
  if (type === "CUSTOM") return { ...frame, messages: messagesIn(event["value"]) ?? [] };
  if (type === "TOOL_CALL_RESULT") {
    const { content } = event;
    if (typeof content !== "string") return { ...frame, messages: messagesIn(content) ?? [] };
    // The result of another tool is for the model, not for the user.
    return { ...frameOfText(content), texts: [] };
  }
  if (type === "TEXT_MESSAGE_CONTENT" || type === "TEXT_MESSAGE_CHUNK") {
    const { delta } = event;
    return { ...frame, texts: typeof delta === "string" ? [delta] : [] };
  }
  if (type === "RUN_ERROR") return { ...frame, errors: [String(event["message"] ?? "run failed")] };
  return typeof type === "string" && OTHER_EVENT.test(type) ? frame : undefined;
}

/** Returns the operations of an activity that differ from its last content. */
function readActivity(event: JsonObject, activities: Activities): Frame {
  const id = String(event["messageId"]);
  const before = activities.get(id);
  const content =
    event["type"] === "ACTIVITY_DELTA"
      ? applyPatch(before ?? {}, event["patch"])
      : (event["content"] ?? {});
  activities.set(id, content);
  const error = senderError(content);
  const isFailed = isJsonObject(content) && content["status"] !== "retrying";
  const errors = error !== undefined && isFailed ? [error] : [];
  const earlier = messagesIn(before) ?? [];
  const messages = messagesIn(content) ?? [];
  const changed = messages.findIndex(
    (message, at) => JSON.stringify(message) !== JSON.stringify(earlier[at]),
  );
  return { ...emptyFrame(), messages: changed < 0 ? [] : messages.slice(changed), errors };
}
