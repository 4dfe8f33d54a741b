/** Starts of code fences, and of control tokens of chat templates. */
const MARKERS =
  /`{3,}|~{3,}|<\||<｜|<\/?s>|<[be]os>|<(?:start|end)_of_turn>|<<\/?SYS>>|\[\/?INST\]|\[\/?SYSTEM_PROMPT\]|\[TOOL_CALLS\]/gi;

/** Returns a text on one line, without fences, control tokens and ends of comments. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return escapeMarkers(line.replaceAll("*/", "* /").replaceAll("/*", "/ *"));
}

/** Returns the JSON of a value on one line, without fences, control tokens and ends of comments. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter);
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

function escapeMarkers(text: string): string {
  return text.replaceAll(MARKERS, (found) =>
    /^[`~]/.test(found)
      ? [...found].map(escapeCharacter).join("")
      : escapeCharacter(found) + found.slice(1),
  );
}

function escapeCharacter(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
