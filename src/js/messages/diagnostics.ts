import type { Diagnostic } from "../types.js";
import type { Received } from "./types.js";

export const STRAY_TEXT = {
  code: "HAM034",
  severity: "info",
  message: "text around the messages is ignored",
  help: "write only messages",
} as const;

/** Returns the diagnostic with the number of texts that no listener received. */
export function ignoredTextDiagnostic(count: number): Diagnostic {
  const message = `${count} text${count === 1 ? " is" : "s are"} ignored`;
  return {
    code: STRAY_TEXT.code,
    severity: "info",
    message,
    help: "pass `onText` to receive them",
  };
}

/** Returns the diagnostic with the number of parts of frames that contain no message. */
export function ignoredPartDiagnostic(count: number): Diagnostic {
  const message = `${count} event${count === 1 ? " or part has" : "s or parts have"} no message of a surface`;
  const help = "send messages as `a2ui_operations`, data parts or resources; others are ignored";
  return { code: STRAY_TEXT.code, severity: "info", message, help };
}

/** Returns the warning about messages in a text for the user. */
export function messageTextDiagnostic(): Diagnostic {
  const message = "a text for the user contains messages of a surface, which are not displayed";
  const help = "send messages as `a2ui_operations`, data parts or resources";
  return { code: STRAY_TEXT.code, severity: "warning", message, help };
}

/** Maximum length of the shown beginning of a text without messages. */
export const MAX_SHOWN_TEXT = 40;

/** Code for a text without messages. */
export const NO_MESSAGE_CODE = "HAM035";

/** Returns the diagnostic for a text without messages, with its beginning. */
export function noMessageDiagnostic(content: string): Diagnostic {
  const excerpt = content && `: it begins with ${JSON.stringify(content.slice(0, MAX_SHOWN_TEXT))}`;
  return {
    code: NO_MESSAGE_CODE,
    severity: "error",
    message: `the text ended without a message${excerpt}`,
    help: 'return messages, such as {"createSurface": {"surfaceId": "s"}}',
  };
}

/** Maximum length of a shown error of the sender. */
const MAX_SHOWN_ERROR = 300;

/** Returns the result for `{"error": …}` instead of a message, as model servers report errors. */
export function senderErrorResult(text: string): Received {
  const message = `the sender returned an error: ${text.trim().slice(0, MAX_SHOWN_ERROR)}`;
  const help = "fix the cause and retry";
  const location = { kind: "text", start: 0, end: text.length } as const;
  return {
    ok: false,
    diagnostics: [{ code: "HAM029", severity: "error", message, help, location }],
  };
}

/** Code of a syntax error in JSON that is repaired. */
export const REPAIRED_CODE = "JSON015";

/** Returns the warning about a comma before the bracket at an offset, which is ignored. */
export function trailingCommaDiagnostic(bracket: string, offset: number): Diagnostic {
  const message = `unexpected \`${bracket}\` after a comma; the comma is ignored`;
  const location = { kind: "text", start: offset, end: offset + 1 } as const;
  const help = "remove the comma before it";
  return { code: REPAIRED_CODE, severity: "warning", message, help, location };
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

/** Returns the result for a text that ended inside a list of messages; `closing` would close it. */
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

/** Code of the diagnostic with the number of omitted ones. */
export const OMITTED_CODE = "JSON014";

/** Start of its message if that number is a lower bound. */
export const AT_LEAST = "at least ";

export function omittedDiagnostic(count: number, excerpt: string): Diagnostic {
  const message = `${excerpt}${count} more diagnostic${count === 1 ? " is" : "s are"} left out`;
  return { code: OMITTED_CODE, severity: "info", message, help: "fix these first" };
}

/**
 * Codes of errors in one part: invalid JSON, an invalid node id, an invalid list edit. A text that
 * is too large is not an error of a part.
 */
const PARTIAL_ERROR_CODES = /^(?:JSON(?!010)|HAM0(?:02|23|25))/;

/** Returns an error that concerns only a part of a text, so that other parts can be received. */
export function partialError({ ok, diagnostics }: Received): Diagnostic | undefined {
  if (ok) return undefined;
  return diagnostics.find(
    ({ code, severity }) => severity === "error" && PARTIAL_ERROR_CODES.test(code),
  );
}
