import { endsWithLongText } from "../messages/partial-text.js";
import type { OpenStatement } from "./blocks.js";
import type { Token } from "./lexer.js";
import { parseStatement } from "./parser.js";
import type { Statement } from "./syntax.js";

/** Maximum number of tokens of a statement that is displayed before it is complete. */
const MAX_TOKENS = 2000;
const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** Returns a statement that ends in a long text, as if the text and all brackets ended here. */
export function closedStatement({ tokens, open }: OpenStatement): Statement | undefined {
  const { start, value } = open;
  if (tokens.length > MAX_TOKENS || !endsWithLongText({ value })) return undefined;
  const end = start + value.length;
  const added = { value: null, start: end, end, startsLine: false, isUnindented: false };
  const text: Token = { ...added, kind: "literal", text: value, value, start };
  const closing = openBrackets(tokens).map(
    (bracket): Token => ({ ...added, kind: "punctuation", text: CLOSING[bracket] ?? "" }),
  );
  const parsed = parseStatement({ tokens: [...tokens, text, ...closing.reverse()], end });
  return parsed.fault === undefined ? parsed.statement : undefined;
}

function openBrackets(tokens: readonly Token[]): string[] {
  const open: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind !== "punctuation") continue;
    if (text in CLOSING) open.push(text);
    else if (")]}".includes(text)) open.pop();
  }
  return open;
}
