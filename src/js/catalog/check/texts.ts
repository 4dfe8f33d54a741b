import type { Location } from "../../wire.js";
import { MESSAGES } from "../schema.js";

/** A value of a text that holds one message or a list of them; without a `value` where it is no JSON. */
export interface Piece {
  start: number;
  end: number;
  value?: unknown;
}

/** How a message begins. Where a line begins so inside of another message, that one was never finished. */
const OPENING = new RegExp(`^\\s*\\{\\s*"(?:version|${MESSAGES.join("|")})"\\s*:`);
const LONGEST_OPENING = 40;

/** The messages of a text: all of it where it is JSON, else what stands in brackets between other words, but for what a model thinks. */
export function piecesOf(text: string): Piece[] {
  const whole = read(text, 0, text.length);
  if (typeof whole.value === "object" && whole.value !== null) return [whole];
  const pieces: Piece[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  const finish = (end: number): void => {
    pieces.push(read(text, start, end));
    [start, depth, inString] = [-1, 0, false];
  };
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (start >= 0 && mark === "\n" && OPENING.test(text.slice(at, at + LONGEST_OPENING))) {
      finish(at);
    } else if (start < 0) {
      if (text.startsWith("<think>", at)) at = endOfThought(text, at);
      else if (mark === "{") [start, depth] = [at, 1];
    } else if (inString) {
      if (mark === "\\") at += 1;
      else if (mark === '"') inString = false;
    } else if (mark === '"') {
      inString = true;
    } else if (mark === "{" || mark === "[") {
      depth += 1;
    } else if (mark === "}" || mark === "]") {
      depth -= 1;
      if (depth === 0) finish(at + 1);
    }
  }
  if (start >= 0) finish(text.trimEnd().length);
  return pieces;
}

/** One that is not ended goes on to the end. */
function endOfThought(text: string, start: number): number {
  const end = text.indexOf("</think>", start);
  return end < 0 ? text.length : end;
}

function read(text: string, start: number, end: number): Piece {
  try {
    return { start, end, value: JSON.parse(text.slice(start, end)) };
  } catch {
    return { start, end };
  }
}

type Path = readonly (string | number)[];

/** The values whose places are wanted, by the steps to them. */
interface Wanted {
  /** Which of the paths end here. */
  readonly ends: number[];
  readonly inner: Map<string | number, Wanted>;
}

/** Where the values at the ends of paths stand in JSON text that begins at a place: one pass finds all. */
export function locate(text: string, from: number, paths: readonly Path[]): Location[] {
  const wanted: Wanted = { ends: [], inner: new Map() };
  for (const [nth, path] of paths.entries()) {
    let at = wanted;
    for (const step of path) {
      const next = at.inner.get(step) ?? { ends: [], inner: new Map() };
      at.inner.set(step, next);
      at = next;
    }
    at.ends.push(nth);
  }
  const found: Location[] = [];
  visit(text, blank(text, from), wanted, found);
  return found;
}

/** Notes the places of the value that begins here and of those in it. Answers where it ends. */
function visit(text: string, start: number, { ends, inner }: Wanted, found: Location[]): number {
  const end = inner.size === 0 ? endOf(text, start) : visitInner(text, start, inner, found);
  for (const nth of ends) found[nth] = { kind: "text", start, end };
  return end;
}

function visitInner(
  text: string,
  start: number,
  inner: Wanted["inner"],
  found: Location[],
): number {
  const named = text.charAt(start) === "{";
  let at = blank(text, start + 1);
  for (let nth = 0; at < text.length && !/[}\]]/.test(text.charAt(at)); nth += 1) {
    let name: string | number = nth;
    if (named) {
      const end = endOf(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = blank(text, blank(text, end) + 1);
    }
    const wanted = inner.get(name);
    // Of a key that comes twice the last one counts, here as in the value.
    at = blank(text, wanted ? visit(text, at, wanted, found) : endOf(text, at));
    if (text.charAt(at) === ",") at = blank(text, at + 1);
  }
  return at + 1;
}

function blank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Where the value ends that begins here. Brackets are counted: what is nested deep needs no stack. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === '"') at = closing(text, at);
    else if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    const next = text.charAt(at + 1);
    // Digits and words end where a blank, a comma, a colon or a bracket follows.
    if (depth === 0 && (/["}\]]/.test(mark) || /^[\s,:\]}]?$/.test(next))) return at + 1;
  }
  return text.length;
}

/** The place of the quote that closes a string. */
function closing(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}
