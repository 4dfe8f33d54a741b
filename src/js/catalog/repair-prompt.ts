import { assertString, throwExpected } from "../arguments.js";
import type { Diagnostic } from "../wire.js";
import { lineText, oneLine } from "./prompt-text.js";

/** Line terminators of JavaScript and Unicode. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Returns the prompt for another attempt: the request, the messages that the model wrote, each line
 * after `|`, and their errors with the line. None of them can look like another part of the prompt.
 */
export function repairPrompt(
  request: string,
  reply: string,
  diagnostics: readonly Diagnostic[],
): string {
  assertString(request, "the request");
  assertString(reply, "the reply");
  if (!Array.isArray(diagnostics)) throwExpected("the diagnostics", "a list", diagnostics);
  const lines = reply.split(LINE_BREAK).map((line) => `|${oneLine(line)}`);
  const errors = diagnostics.map((one) => `- ${oneLine(errorText(one, reply))}`);
  return [
    `${lineText(request)}\n`,
    "You wrote, after |:",
    `${lines.join("\n")}\n`,
    "Fix these errors and return all messages:",
    ...errors,
  ].join("\n");
}

function errorText({ message, help, location }: Diagnostic, reply: string): string {
  const start = location !== undefined && "start" in location ? location.start : undefined;
  // The line identifies the message.
  const line = start === undefined ? undefined : reply.slice(0, start).split("\n").length;
  const place = line === undefined ? "" : `line ${line}: `;
  return `${place}${message}${help === undefined ? "" : `: ${help}`}`;
}
