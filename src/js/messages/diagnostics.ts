import type { Diagnostic } from "../types.js";
import type { Received } from "./types.js";

export const STRAY_TEXT = {
  code: "HAM034",
  severity: "info",
  message: "text around the messages is ignored",
  help: "write only messages",
} as const;

/** So much is told of a text without messages. */
export const MAX_SHOWN_TEXT = 40;

/** The code of a text that held no message. */
export const NO_MESSAGE_CODE = "HAM035";

/** A text that held no message, and what it began with. */
export function noMessageDiagnostic(content: string): Diagnostic {
  const excerpt = content && `: it begins with ${JSON.stringify(content.slice(0, MAX_SHOWN_TEXT))}`;
  return {
    code: NO_MESSAGE_CODE,
    severity: "error",
    message: `the text ended without a message${excerpt}`,
    help: 'return messages, such as {"createSurface": {"surfaceId": "s"}}',
  };
}

/** So much is told of what a sender says is wrong. */
const MAX_SHOWN_ERROR = 300;

/** For `{"error": …}` in place of a message, which is how servers of models say that they failed. */
export function senderErrorResult(text: string): Received {
  const message = `the sender returned an error: ${text.trim().slice(0, MAX_SHOWN_ERROR)}`;
  const help = "fix the cause and retry";
  const location = { kind: "text", start: 0, end: text.length } as const;
  return {
    ok: false,
    diagnostics: [{ code: "HAM029", severity: "error", message, help, location }],
  };
}

export const INVALID_UTF8: Received = {
  ok: false,
  diagnostics: [
    {
      code: "JSON011",
      severity: "error",
      message: "the chunk contains bytes that are not UTF-8",
      help: "encode the text as UTF-8",
      location: { kind: "text", start: 0, end: 0 },
    },
  ],
};

/** For a text that ended between the messages of a list, or behind the last of them; `closing` would close it. */
export function unclosedListResult(closing: string): Received {
  const next = closing.startsWith("]") ? "`,` or `]`" : "`}`";
  const message = `the text ended early, expected ${next}`;
  const help = `complete the text and close it with \`${closing}\``;
  const location = { kind: "text", start: 0, end: 0 } as const;
  return {
    ok: false,
    diagnostics: [{ code: "JSON002", severity: "error", message, help, location }],
  };
}

export const STREAM_ENDED: Diagnostic = {
  code: "HAM021",
  severity: "error",
  message: "the stream has ended",
  help: "open another stream for the next text",
};

/** The code of what says how many diagnostics are not told. */
export const OMITTED_CODE = "JSON014";

/** What its message begins with where they were not counted to the end. */
export const AT_LEAST = "at least ";

export function omittedDiagnostic(count: number, excerpt: string): Diagnostic {
  const message = `${excerpt}${count} more diagnostic${count === 1 ? " is" : "s are"} left out`;
  return { code: OMITTED_CODE, severity: "info", message, help: "fix these first" };
}

/** What makes a text no JSON, what cannot be the id of a node, and an edit of a list that cannot be made. That a text is too large is no fault of a part of it. */
const PARTIAL_ERROR_CODES = /^(?:JSON(?!010)|HAM0(?:02|23|25))/;

/** What is wrong with a part of a text, which takes no other part with it. */
export function partialError({ ok, diagnostics }: Received): Diagnostic | undefined {
  if (ok) return undefined;
  return diagnostics.find(
    ({ code, severity }) => severity === "error" && PARTIAL_ERROR_CODES.test(code),
  );
}
