import type { Json } from "../types.js";

/** Parsed expression. A path is at `from` to `to` of the template (UTF-16 offsets). */
export type Expression =
  | { readonly path: string; readonly from: number; readonly to: number }
  | { readonly call: string; readonly args: { readonly [name: string]: Expression } }
  | { readonly literal: Json };

/** Maximum nesting depth; deeper expressions are text. */
const maxDepth = 32;
/** Maximum number of invalid expressions; after that the rest of the template is text. */
const maxInvalidExpressions = 1000;
const NAME = /[A-Za-z0-9_@]+/y;
const PATH = /[A-Za-z0-9/._~-]+/y;
const NUMBER = /[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w/.~-])/y;
const SPACE = /\s*/y;

/**
 * Returns the literal texts and `${…}` expressions of a `formatString` template. An invalid
 * expression is text; its start is added to `invalidStarts`.
 */
export function parseTemplate(text: string, invalidStarts: number[] = []): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  let literalText = "";
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("\\${", at)) {
      literalText += "${";
      at += 3;
      continue;
    }
    const isOpening = invalidStarts.length < maxInvalidExpressions && text.startsWith("${", at);
    const parsed = isOpening ? new ExpressionParser(text, at).parseInterpolation(0) : null;
    if (parsed === null) {
      if (isOpening) invalidStarts.push(at);
      literalText += text[at];
      at += 1;
      continue;
    }
    if (literalText !== "") parts.push(literalText);
    literalText = "";
    parts.push(parsed.expression);
    at = parsed.end;
  }
  if (literalText !== "") parts.push(literalText);
  return parts;
}

/**
 * Returns the names and paths of a template, also of templates that are arguments of its calls, and
 * `@index` if it calls that.
 */
export function namesOf(text: string): string[] {
  const names = new Set<string>();
  const visit = (part: string | Expression): void => {
    if (typeof part === "string") return;
    if ("path" in part) names.add(part.path);
    if (!("call" in part)) return;
    if (part.call === "@index") names.add(part.call);
    const { value } = part.args;
    if (part.call === "formatString" && value && "literal" in value)
      for (const name of namesOf(String(value.literal))) names.add(name);
    Object.values(part.args).forEach(visit);
  };
  parseTemplate(text).forEach(visit);
  return [...names];
}

/** Returns all paths in the text of a template. */
export function pathsOf(text: string): { path: string; from: number; to: number }[] {
  const paths: { path: string; from: number; to: number }[] = [];
  const visit = (part: string | Expression): void => {
    if (typeof part === "string") return;
    if ("path" in part) paths.push(part);
    else if ("call" in part) Object.values(part.args).forEach(visit);
  };
  parseTemplate(text).forEach(visit);
  return paths;
}

/** Recursive descent parser of one expression. Methods return null for invalid input. */
class ExpressionParser {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** interpolation = "${" expression "}" */
  parseInterpolation(depth: number): { expression: Expression; end: number } | null {
    if (!this.#consume("${")) return null;
    const expression = this.#parseExpression(depth + 1);
    this.#match(SPACE);
    return expression !== null && this.#consume("}") ? { expression, end: this.#at } : null;
  }

  /** expression = interpolation | string | number | constant | name "(" arguments ")" | path */
  #parseExpression(depth: number): Expression | null {
    if (depth > maxDepth) return null;
    this.#match(SPACE);
    if (this.#text.startsWith("${", this.#at))
      return this.parseInterpolation(depth)?.expression ?? null;
    const next = this.#text[this.#at];
    if (next === "'" || next === '"') return this.#parseString(next);
    const number = this.#match(NUMBER);
    if (number !== null) return { literal: Number(number) };
    const from = this.#at;
    const path = this.#match(PATH) ?? this.#match(NAME);
    if (path === null) return next === "}" ? { literal: "" } : null;
    const to = this.#at;
    this.#match(SPACE);
    if (this.#consume("(")) return this.#parseCall(path, depth);
    if (/^\d/.test(path)) return null;
    if (path === "true" || path === "false") return { literal: path === "true" };
    return path === "null" ? { literal: "" } : { path, from, to };
  }

  /** arguments = [name ":" expression {"," name ":" expression}] */
  #parseCall(call: string, depth: number): Expression | null {
    const args: { [name: string]: Expression } = {};
    for (this.#match(SPACE); !this.#consume(")"); this.#match(SPACE)) {
      const name = this.#match(NAME);
      this.#match(SPACE);
      if (name === null || !this.#consume(":")) return null;
      const value = this.#parseExpression(depth + 1);
      if (value === null) return null;
      args[name] = value;
      this.#match(SPACE);
      this.#consume(",");
    }
    return { call, args };
  }

  #parseString(quote: string): Expression | null {
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

  #consume(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match === undefined || match === "") return null;
    this.#at += match.length;
    return match;
  }
}
