import type { Json } from "../types.js";

/** A path stands at `from` to `to` of the template. */
export type Expression =
  | { readonly path: string; readonly from: number; readonly to: number }
  | { readonly call: string; readonly args: { readonly [name: string]: Expression } }
  | { readonly literal: Json };

/** Deeper expressions are text. */
const maxDepth = 32;
/** After so many that cannot be read, the rest of a template is text: each of them takes its time. */
const maxBroken = 1000;
const NAME = /[A-Za-z0-9_@]+/y;
const PATH = /[A-Za-z0-9/._~-]+/y;
const NUMBER = /\d+(?:\.\d*)?/y;
const SPACE = /\s*/y;

/** The parts of a template of `formatString`: texts, and what stands in `${…}`. What cannot be read is text. */
export function parseTemplate(text: string): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  let plain = "";
  let at = 0;
  let broken = 0;
  while (at < text.length) {
    if (text.startsWith("\\${", at)) {
      plain += "${";
      at += 3;
      continue;
    }
    const opens = broken < maxBroken && text.startsWith("${", at);
    const read = opens ? new Reader(text, at).inserted(0) : null;
    if (read === null) {
      if (opens) broken += 1;
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(read.expression);
    at = read.end;
  }
  if (plain !== "") parts.push(plain);
  return parts;
}

/** The paths of a template, wherever they stand in it. */
export function pathsOf(text: string): { path: string; from: number; to: number }[] {
  const found: { path: string; from: number; to: number }[] = [];
  const visit = (part: string | Expression): void => {
    if (typeof part === "string") return;
    if ("path" in part) found.push(part);
    else if ("call" in part) Object.values(part.args).forEach(visit);
  };
  parseTemplate(text).forEach(visit);
  return found;
}

/** Reads one expression; null where it is none. */
class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** inserted = "${" expression "}" */
  inserted(depth: number): { expression: Expression; end: number } | null {
    if (!this.#take("${")) return null;
    const expression = this.#expression(depth + 1);
    this.#match(SPACE);
    return expression !== null && this.#take("}") ? { expression, end: this.#at } : null;
  }

  /** expression = inserted | string | number | constant | name "(" arguments ")" | path */
  #expression(depth: number): Expression | null {
    if (depth > maxDepth) return null;
    this.#match(SPACE);
    if (this.#text.startsWith("${", this.#at)) return this.inserted(depth)?.expression ?? null;
    const next = this.#text[this.#at];
    if (next === "'" || next === '"') return this.#string(next);
    const from = this.#at;
    const path = this.#match(PATH) ?? this.#match(NAME);
    if (path === null) return next === "}" ? { literal: "" } : null;
    const to = this.#at;
    this.#match(SPACE);
    if (this.#take("(")) return this.#call(path, depth);
    if (/^\d/.test(path)) {
      this.#at = from;
      const number = this.#match(NUMBER);
      return number === path ? { literal: Number(number) } : null;
    }
    if (path === "true" || path === "false") return { literal: path === "true" };
    return path === "null" ? { literal: "" } : { path, from, to };
  }

  /** arguments = [name ":" expression {"," name ":" expression}] */
  #call(call: string, depth: number): Expression | null {
    const args: { [name: string]: Expression } = {};
    for (this.#match(SPACE); !this.#take(")"); this.#match(SPACE)) {
      const name = this.#match(NAME);
      this.#match(SPACE);
      if (name === null || !this.#take(":")) return null;
      const value = this.#expression(depth + 1);
      if (value === null) return null;
      args[name] = value;
      this.#match(SPACE);
      this.#take(",");
    }
    return { call, args };
  }

  #string(quote: string): Expression | null {
    let literal = "";
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] as string;
      if (char === quote) {
        this.#at += 1;
        return { literal };
      }
      if (char !== "\\") literal += char;
      else {
        this.#at += 1;
        const escaped = this.#text[this.#at] ?? "";
        literal += { n: "\n", t: "\t", r: "\r" }[escaped] ?? escaped;
      }
    }
    return null;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === "") return null;
    this.#at += found.length;
    return found;
  }
}
