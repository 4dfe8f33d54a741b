import type { ExecutionRecord } from "byname";
import { formatCount } from "../page/format.js";

/** Returns a sentence about the result of a step. */
export function describeStep(
  { status, metrics, errors = [], command }: ExecutionRecord,
  name: string | null,
  why: string,
): string {
  const error = errors.find(({ severity }) => severity === "error") ?? errors[0];
  const rows = metrics["count"];
  const added = metrics["added"];
  const reason = why === "" ? "" : `${/[.?!]$/.test(why) ? why : `${why}.`} `;
  if (status === "empty") return `${reason}No rows${error ? `: ${error.message}` : ""}.`;
  if (status === "partial")
    return `${reason}Partial: ${error?.message ?? "the result was truncated"}.`;
  if (status !== "success") return error ? `${error.message}.` : status.replace("_", " ");
  if (metrics["taken"] === false) return `${reason}Skipped: the condition is false.`;
  if (typeof added === "number")
    return `${reason}${formatCount(added, "finding")} added to \`${name}\` in the state.`;
  if (typeof rows === "number" && name)
    return `${reason}${formatCount(rows, "row")} in \`${name}\`.`;
  if (/^\s*DECLARE/i.test(command)) return `${reason}Declared in the state.`;
  return reason === "" ? "Done." : reason.trim();
}
