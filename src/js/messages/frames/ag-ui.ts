import { type JsonObject, textOf } from "../../json-value.js";
import type { Activities } from "./activities.js";
import { emptyFrame, type Frame, frameOfText, frameOfValue } from "./frame.js";

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
  if (type === "ACTIVITY_SNAPSHOT" || type === "ACTIVITY_DELTA") return activities.read(event);
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
