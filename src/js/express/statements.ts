import type { Token } from "./lexer.js";

/** Tokens of one statement, which may be faulty. */
export interface StatementTokens {
  readonly tokens: readonly Token[];
  /** Offset at which the statement is known to end. */
  readonly end: number;
}

const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** Groups tokens into statements. A statement ends where its expression ends. */
export class StatementReader {
  #tokens: Token[] = [];
  /** Open brackets. */
  #brackets: string[] = [];
  /** First token of a line that may begin the next statement although a bracket is open. */
  #candidate: Token | undefined;
  /** Whether the rest of a line is skipped after an error. */
  #isSkipping = false;

  /** Tokens of the statement that has not ended. */
  get pending(): readonly Token[] {
    return this.#candidate === undefined ? this.#tokens : [...this.#tokens, this.#candidate];
  }

  /** Reads a token. Returns the statements that it ends. */
  add(token: Token): StatementTokens[] {
    if (this.#isSkipping && !token.startsLine) return [];
    this.#isSkipping = false;
    if (this.#candidate !== undefined) return this.#addAfterCandidate(this.#candidate, token);
    if (this.#brackets.length > 0) return this.#addInside(token);
    return this.#addOutside(token);
  }

  /** Returns the last statement. */
  end(): StatementTokens[] {
    if (this.#candidate !== undefined) this.#tokens.push(this.#candidate);
    this.#candidate = undefined;
    return this.#takeStatement();
  }

  #addAfterCandidate(candidate: Token, token: Token): StatementTokens[] {
    this.#candidate = undefined;
    if (!isPunctuation(token, "=")) {
      this.#tokens.push(candidate);
      return this.add(token);
    }
    const ended = this.#takeStatement();
    this.#tokens = [candidate, token];
    return ended;
  }

  #addInside(token: Token): StatementTokens[] {
    if (this.#mayBeginStatement(token)) {
      this.#candidate = token;
      return [];
    }
    this.#tokens.push(token);
    if (token.kind !== "punctuation") return [];
    if (token.text in CLOSING) this.#brackets.push(token.text);
    // A wrong closing bracket closes too, and the parser reports it.
    else if (")]}".includes(token.text)) this.#brackets.pop();
    return this.#brackets.length === 0 ? this.#takeStatement() : [];
  }

  /**
   * Returns whether a token may begin a statement inside of brackets: in the first column, where no
   * argument is expected.
   */
  #mayBeginStatement({ kind, isUnindented }: Token): boolean {
    if (!isUnindented || (kind !== "name" && kind !== "path")) return false;
    if (kind === "path" || this.#brackets.at(-1) !== "(") return true;
    const last = this.#tokens.at(-1);
    return last?.kind !== "punctuation" || !"(,".includes(last.text);
  }

  #addOutside(token: Token): StatementTokens[] {
    const last = this.#tokens.at(-1);
    if (last === undefined) return this.#beginExpression(token);
    const isTarget = this.#tokens.length === 1;
    if (isTarget && isPunctuation(token, "=") && (last.kind === "name" || last.kind === "path")) {
      this.#tokens.push(token);
      return [];
    }
    if (isPunctuation(token, "(") && (last.kind === "name" || last.kind === "check")) {
      this.#tokens.push(token);
      this.#brackets.push("(");
      return [];
    }
    if (isPunctuation(last, "=")) return this.#beginExpression(token);
    const ended = this.#takeStatement();
    return [...ended, ...this.#beginExpression(token)];
  }

  /** Reads the first token of an expression. */
  #beginExpression(token: Token): StatementTokens[] {
    this.#tokens.push(token);
    const { kind, text } = token;
    if (kind === "name" || kind === "check") return [];
    if (kind === "path" && this.#tokens.length === 1) return [];
    if (kind === "punctuation" && "[{".includes(text)) {
      this.#brackets.push(text);
      return [];
    }
    this.#isSkipping = kind === "punctuation" || kind === "invalid";
    return this.#takeStatement();
  }

  #takeStatement(): StatementTokens[] {
    const tokens = this.#tokens;
    this.#tokens = [];
    this.#brackets = [];
    const end = tokens.at(-1)?.end;
    return end === undefined ? [] : [{ tokens, end }];
  }
}

export function isPunctuation({ kind, text }: Token, expected: string): boolean {
  return kind === "punctuation" && text === expected;
}
