import type { Diagnostic, Json } from "../types.js";
import { expressDiagnostic, SyntaxFault } from "./fault.js";
import type { Token } from "./lexer.js";
import type { StatementTokens } from "./statements.js";
import type {
  Argument,
  CallNode,
  CheckNode,
  Expression,
  ListNode,
  LiteralNode,
  MapNode,
  NameNode,
  PathNode,
  Span,
  Statement,
} from "./syntax.js";

/** Maximum nesting depth of expressions. */
export const MAX_DEPTH = 64;

export type ParseResult =
  | { readonly statement: Statement; readonly fault?: undefined }
  | { readonly fault: Diagnostic };

/** Parses the tokens of one statement. */
export function parseStatement({ tokens, end }: StatementTokens): ParseResult {
  try {
    return { statement: new Parser(tokens, end).parseStatement() };
  } catch (error) {
    if (error instanceof SyntaxFault) return { fault: error.diagnostic };
    throw error;
  }
}

/** Recursive descent parser of one statement. */
class Parser {
  #at = 0;
  #depth = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly end: number,
  ) {}

  parseStatement(): Statement {
    const start = this.tokens[0]?.start ?? this.end;
    const isAssignment = this.#isPunctuation(1, "=");
    const target = isAssignment ? this.#parseTarget() : undefined;
    const expression = this.#parseExpression();
    const rest = this.tokens[this.#at];
    if (rest !== undefined)
      this.#throwExpected("the end of the statement", "begin the next statement here");
    const span = { start, end: expression.end };
    return target === undefined ? { ...span, expression } : { ...span, target, expression };
  }

  #parseTarget(): NameNode | PathNode {
    const expression = this.#parseExpression();
    this.#at += 1;
    if (expression.kind === "name" || expression.kind === "path") return expression;
    throw new SyntaxFault(
      expressDiagnostic(
        "EXP001",
        expression,
        "expected a name or a path before `=`",
        "write `name = …` or `$/path = …`",
      ),
    );
  }

  #parseExpression(): Expression {
    const token = this.tokens[this.#at];
    if (token === undefined) this.#throwExpected("an expression", EXPRESSION_HELP);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      const help = "assign inner parts to variables of their own";
      throw new SyntaxFault(
        expressDiagnostic("EXP001", token, `the nesting is deeper than ${MAX_DEPTH} levels`, help),
      );
    }
    const expression = this.#expressionAt(token);
    this.#depth -= 1;
    return expression;
  }

  #expressionAt(token: Token): Expression {
    const { kind, text, start, end } = token;
    if (kind === "punctuation" && text === "[") return this.#parseList(start);
    if (kind === "punctuation" && text === "{") return this.#parseMap(start);
    if (kind === "punctuation" || kind === "invalid" || kind === "closingTag")
      this.#throwExpected("an expression", EXPRESSION_HELP);
    this.#at += 1;
    if (kind === "literal") return { kind, value: token.value as LiteralNode["value"], start, end };
    if (kind === "path") return { kind, path: text, start, end };
    const isCall = this.#isPunctuation(this.#at, "(");
    if (kind === "check") return this.#parseCheck(token, isCall);
    if (isCall) return this.#parseCall(token);
    return text === "_" ? { kind: "skipped", start, end } : { kind, name: text, start, end };
  }

  #parseCheck({ text, start, end }: Token, hasArguments: boolean): CheckNode {
    if (!hasArguments) return { kind: "check", name: text, args: [], start, end };
    const args = this.#parseArguments();
    return { kind: "check", name: text, args, start, end: this.#lastEnd() };
  }

  #parseCall({ text, start, end }: Token): CallNode {
    const args = this.#parseArguments();
    return {
      kind: "call",
      name: text,
      nameSpan: { start, end },
      args,
      start,
      end: this.#lastEnd(),
    };
  }

  #parseArguments(): Argument[] {
    return this.#parseSequence(")", () => {
      const start = this.tokens[this.#at]?.start ?? this.end;
      const name = this.#isPunctuation(this.#at + 1, "=") ? this.tokens[this.#at] : undefined;
      if (name?.kind === "name") {
        this.#at += 2;
        const value = this.#parseExpression();
        return { name: name.text, value, span: { start, end: value.end } };
      }
      const key = this.tokens[this.#at];
      if (key?.kind === "name" && this.#isPunctuation(this.#at + 1, ":")) {
        this.#at += 1;
        this.#throwExpected("`=` after the name of an argument", `write \`${key.text}=…\``);
      }
      const value = this.#parseExpression();
      return { value, span: value };
    });
  }

  #parseList(start: number): ListNode {
    const items = this.#parseSequence("]", () => this.#parseExpression());
    return { kind: "list", items, start, end: this.#lastEnd() };
  }

  #parseMap(start: number): MapNode {
    const keys = new Set<string>();
    const entries = this.#parseSequence("}", () => {
      const token = this.tokens[this.#at];
      const key = token === undefined ? undefined : keyOf(token);
      if (token === undefined || key === undefined)
        this.#throwExpected("a key", 'write a name or a string before `:`, such as {title: "…"}');
      if (keys.has(key)) {
        const help = "keep one of them";
        throw new SyntaxFault(
          expressDiagnostic("EXP001", token, `the key \`${key}\` occurs twice`, help),
        );
      }
      keys.add(key);
      this.#at += 1;
      if (!this.#isPunctuation(this.#at, ":"))
        this.#throwExpected("`:` after a key", `write \`${key}: …\``);
      this.#at += 1;
      return { key, value: this.#parseExpression() };
    });
    return { kind: "map", entries, start, end: this.#lastEnd() };
  }

  /** Reads items between brackets, separated by commas; the last comma is optional. */
  #parseSequence<T>(closing: string, readItem: () => T): T[] {
    this.#at += 1;
    const items: T[] = [];
    while (!this.#isPunctuation(this.#at, closing)) {
      items.push(readItem());
      if (this.#isPunctuation(this.#at, ",")) this.#at += 1;
      else if (!this.#isPunctuation(this.#at, closing))
        this.#throwExpected(
          `\`,\` or \`${closing}\``,
          `write \`${closing}\` at the end of the list`,
        );
    }
    this.#at += 1;
    return items;
  }

  #isPunctuation(at: number, text: string): boolean {
    const token = this.tokens[at];
    return token?.kind === "punctuation" && token.text === text;
  }

  #lastEnd(): number {
    return this.tokens[this.#at - 1]?.end ?? this.end;
  }

  #throwExpected(expected: string, help: string): never {
    const token = this.tokens[this.#at];
    const span: Span = token ?? { start: this.end, end: this.end };
    throw new SyntaxFault(
      expressDiagnostic(
        "EXP001",
        span,
        `expected ${expected}, found ${describeToken(token)}`,
        helpFor(token, help),
      ),
    );
  }
}

const EXPRESSION_HELP =
  'write a string, a number, a list, a map, a path such as `$/name`, a variable or a call such as `Text("…")`';

function describeToken(token: Token | undefined): string {
  if (token === undefined) return "the end of the statement";
  if (token.kind === "invalid" && token.text === '"') return "a string without an end";
  if (token.kind === "invalid" && token.text === "/" && token.end - token.start > 1)
    return "a comment without an end";
  if (token.kind === "literal") return typeof token.value === "string" ? "a string" : token.text;
  return `\`${token.kind === "path" ? "$" : token.kind === "check" ? "?" : ""}${token.text}\``;
}

function helpFor(token: Token | undefined, help: string): string {
  if (token?.kind !== "invalid") return help;
  if (token.text === '"') return 'write `"` at the end of the string, and `\\"` inside of it';
  if (token.text === "/") return "write `*/` at the end of the comment";
  if (token.text === "'") return 'write strings with `"`';
  return `remove \`${token.text}\`, or write it inside of a string`;
}

function keyOf({ kind, text, value }: Token): string | undefined {
  if (kind === "name") return text;
  if (kind !== "literal") return undefined;
  // `true` and other words are keys as written.
  return typeof value === "string" ? value : text;
}

export function isLiteral(value: Json): value is LiteralNode["value"] {
  return typeof value !== "object" || value === null;
}
