/** Starts of code fences, and of control tokens of chat templates. */
const MARKERS =
  /`{3,}|~{3,}|<\||<｜|<\/?s>|<[be]os>|<[se]op>|<pad>|<(?:start|end)_of_turn>|<turn\|>|<start_of_image>|<extra_id_|<\/?(?:think|tool_call|tool_response)>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|THINK)\]|\[(?:TOOL_CALLS|TOOL_CONTENT|CALL_ID|ARGS|IMG|gMASK)\]/gi;

/** Line separators, marks of the writing direction, and invisible tags. */
const INVISIBLE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;

/** Returns a text on one line, without fences, control tokens and ends of comments. */
export function oneLine(text: string): string {
  const line = text
    .replaceAll(INVISIBLE, " ")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return escapeMarkers(line.replaceAll("*/", "* /").replaceAll("/*", "/ *"));
}

/** Returns the JSON of a value on one line, without fences, control tokens and ends of comments. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(INVISIBLE, (found) =>
    found.replaceAll(/./gs, escapeCharacter),
  );
  return escapeMarkers(json.replaceAll("*/", "*\\/").replaceAll("/*", "/\\u002a"));
}

/** Returns a text that is a line of its own: in quotes if it looks like another part of a prompt. */
export function lineText(text: string): string {
  const isSpecial = /^\s*(?:[#*>{+|-]|(?:human|assistant|system|user)\s*(?::|$))/i.test(text);
  return isSpecial ? jsonLine(text) : oneLine(text);
}

/** Returns a name: in quotes if it could be confused with other parts of a line. */
export function nameText(name: string): string {
  return /^[\p{L}\p{N}_$.-]+$/u.test(name) ? name : jsonLine(name);
}

/** Escapes fences and control tokens, which parts without them may form together. */
export function escapeMarkers(text: string): string {
  return text.replaceAll(MARKERS, (found) =>
    /^[`~]/.test(found)
      ? [...found].map(escapeCharacter).join("")
      : escapeCharacter(found) + found.slice(1),
  );
}

function escapeCharacter(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
