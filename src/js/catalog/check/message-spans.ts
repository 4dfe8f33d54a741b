import type { Location } from "../../wire.js";
import { MESSAGES } from "../schema.js";

/** Span of a message or of a list of messages in a text. Invalid JSON has no `value`. */
export interface MessageSpan {
  start: number;
  end: number;
  value?: unknown;
}

/**
 * Start of a message. At the start of a line in another message it shows that the other one is
 * incomplete.
 */
const MESSAGE_START = new RegExp(`^\\s*\\{\\s*"(?:version|${MESSAGES.join("|")})"\\s*:`);
const MAX_START_LENGTH = 40;

/**
 * Returns the messages of a text: the complete text if it is JSON, else the objects between other
 * text. Skips `<think>` blocks.
 */
export function findMessages(text: string): MessageSpan[] {
  const complete = parseSpan(text, 0, text.length);
  if (typeof complete.value === "object" && complete.value !== null) return [complete];
  const spans: MessageSpan[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  const finish = (end: number): void => {
    spans.push(parseSpan(text, start, end));
    [start, depth, inString] = [-1, 0, false];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (start >= 0 && char === "\n" && MESSAGE_START.test(text.slice(at, at + MAX_START_LENGTH))) {
      finish(at);
    } else if (start < 0) {
      if (text.startsWith("<think>", at)) at = endOfThinkBlock(text, at);
      else if (char === "{") [start, depth] = [at, 1];
    } else if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
    } else if (char === "{" || char === "[") {
      depth += 1;
    } else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) finish(at + 1);
    }
  }
  if (start >= 0) finish(text.trimEnd().length);
  return spans;
}

/**
 * Returns the offset of the end of a `<think>` block. An open block extends to the end of the text.
 */
function endOfThinkBlock(text: string, start: number): number {
  const end = text.indexOf("</think>", start);
  return end < 0 ? text.length : end;
}

function parseSpan(text: string, start: number, end: number): MessageSpan {
  try {
    return { start, end, value: JSON.parse(text.slice(start, end)) };
  } catch {
    return { start, end };
  }
}

type Path = readonly (string | number)[];

/** Prefix tree of the paths whose locations are requested. */
interface PathTrie {
  /** Indices of the paths that end at this node. */
  readonly ends: number[];
  readonly inner: Map<string | number, PathTrie>;
}

/** Returns the text locations of the values at all paths of JSON text in one pass. */
export function locatePaths(text: string, from: number, paths: readonly Path[]): Location[] {
  const trie: PathTrie = { ends: [], inner: new Map() };
  for (const [index, path] of paths.entries()) {
    let at = trie;
    for (const segment of path) {
      const next = at.inner.get(segment) ?? { ends: [], inner: new Map() };
      at.inner.set(segment, next);
      at = next;
    }
    at.ends.push(index);
  }
  const locations: Location[] = [];
  locateValue(text, skipWhitespace(text, from), trie, locations);
  return locations;
}

/** Records the locations of a value and of the values in it. Returns its end offset. */
function locateValue(
  text: string,
  start: number,
  { ends, inner }: PathTrie,
  locations: Location[],
): number {
  const end =
    inner.size === 0 ? endOfValue(text, start) : locateChildren(text, start, inner, locations);
  for (const index of ends) locations[index] = { kind: "text", start, end };
  return end;
}

function locateChildren(
  text: string,
  start: number,
  inner: PathTrie["inner"],
  locations: Location[],
): number {
  const isObject = text.charAt(start) === "{";
  let at = skipWhitespace(text, start + 1);
  for (let index = 0; at < text.length && !/[}\]]/.test(text.charAt(at)); index += 1) {
    let name: string | number = index;
    if (isObject) {
      const end = endOfValue(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipWhitespace(text, skipWhitespace(text, end) + 1);
    }
    const trie = inner.get(name);
    // The last one of duplicate keys counts, as in `JSON.parse`.
    at = skipWhitespace(text, trie ? locateValue(text, at, trie, locations) : endOfValue(text, at));
    if (text.charAt(at) === ",") at = skipWhitespace(text, at + 1);
  }
  return at + 1;
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Returns the end offset of a value. Counts brackets, so deep nesting needs no stack. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = closingQuote(text, at);
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    const next = text.charAt(at + 1);
    // Numbers and literals end before white space, a comma, a colon or a bracket.
    if (depth === 0 && (/["}\]]/.test(char) || /^[\s,:\]}]?$/.test(next))) return at + 1;
  }
  return text.length;
}

/** Returns the offset of the closing quote of a string. */
function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}
