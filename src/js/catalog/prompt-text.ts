/** Starts of code fences, and of control tokens of chat templates. */
const MARKERS =
  /```|~~~|<\||<｜|<\/?s>|<[be]os>|<(?:start|end)_of_turn>|<<\/?SYS>>|\[\/?INST\]|\[\/?SYSTEM_PROMPT\]|\[TOOL_CALLS\]/gi;

/** Returns a text on one line, without fences and control tokens of chat templates. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return escapeMarkers(line);
}

/** Returns the JSON of a value on one line, without fences and control tokens. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/[\u0085\u2028\u2029]/g, escapeCharacter);
  return escapeMarkers(json);
}

/** Returns a name: in quotes if it could be confused with other parts of a line. */
export function nameText(name: string): string {
  return /^[\p{L}\p{N}_$.-]+$/u.test(name) ? name : jsonLine(name);
}

function escapeMarkers(text: string): string {
  return text.replaceAll(MARKERS, (found) => escapeCharacter(found) + found.slice(1));
}

function escapeCharacter(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
