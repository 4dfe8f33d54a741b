import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import {
  emptyFrame,
  type Frame,
  frameOfText,
  frameOfValue,
  messagesIn,
  senderError,
} from "./frame.js";
import { applyPatch, PatchError } from "./json-patch.js";

/** Contents of AG-UI activities by message id. */
export type Activities = Map<string, Json>;

/** Events that begin or end something and have no content. */
const BOUNDARY_EVENT =
  /^(?:RUN|STEP|SUBAGENT|TEXT_MESSAGE|TOOL_CALL|THINKING\w*|REASONING\w*)_(?:STARTED|FINISHED|START|END)$/;
/** Other events, such as states, reasoning and arguments of tools; they are counted. */
const OTHER_EVENT =
  /^(?:RUN|STEP|SUBAGENT|TEXT_MESSAGE|TOOL_CALL|STATE|MESSAGES|THINKING|REASONING|RAW)(?:_|$)/;

/** Returns the frame of an AG-UI event, or undefined for any other object. */
export function readAgUi(event: JsonObject, activities: Activities): Frame | undefined {
  const { type } = event;
  const frame = emptyFrame();
  if (type === "ACTIVITY_SNAPSHOT" || type === "ACTIVITY_DELTA")
    return readActivity(event, activities);
  if (type === "CUSTOM") return frameOfValue(event["value"]);
  if (type === "TOOL_CALL_RESULT") {
    const { content } = event;
    if (typeof content !== "string") return frameOfValue(content);
    // The result of another tool is for the model, not for the user.
    const result = frameOfText(content);
    return { ...result, texts: [], ignored: result.texts.length };
  }
  if (type === "TEXT_MESSAGE_CONTENT" || type === "TEXT_MESSAGE_CHUNK") {
    const { delta } = event;
    return { ...frame, texts: typeof delta === "string" ? [delta] : [] };
  }
  if (type === "RUN_ERROR" || type === "SUBAGENT_ERROR")
    return { ...frame, errors: [textOf(event["message"] ?? "run failed")] };
  if (typeof type !== "string" || !OTHER_EVENT.test(type)) return undefined;
  return BOUNDARY_EVENT.test(type) ? frame : { ...frame, ignored: 1 };
}

/** Returns the operations of an activity that differ from its last content. */
function readActivity(event: JsonObject, activities: Activities): Frame {
  const id = textOf(event["messageId"]);
  const before = activities.get(id);
  let content: Json = event["content"] ?? {};
  if (event["type"] === "ACTIVITY_DELTA") {
    try {
      content = applyPatch(before ?? {}, event["patch"]);
    } catch (reason) {
      if (!(reason instanceof PatchError)) throw reason;
      const error = `invalid patch of the activity \`${id}\`: ${reason.message}`;
      return { ...emptyFrame(), errors: [error] };
    }
  }
  activities.set(id, content);
  const error = senderError(content);
  const isFailed = isJsonObject(content) && content["status"] !== "retrying";
  const errors = error !== undefined && isFailed ? [error] : [];
  const earlier = messagesIn(before) ?? [];
  const found = messagesIn(content);
  const messages = found ?? [];
  // A status precedes the first messages.
  const hasStatus = isJsonObject(content) && content["status"] !== undefined;
  const ignored = found === undefined && errors.length === 0 && !hasStatus ? 1 : 0;
  const changed = messages.findIndex(
    (message, at) => JSON.stringify(message) !== JSON.stringify(earlier[at]),
  );
  return { messages: changed < 0 ? [] : messages.slice(changed), texts: [], errors, ignored };
}
