import type { Diagnostic } from "../types.js";
import type { Received } from "./stream.js";

export const AROUND = {
  code: "HAM034",
  severity: "info",
  message: "there is text around the messages, which is left out",
  help: "write messages alone",
} as const;

/** So much is told of a text without messages. */
export const TOLD_WORDS = 40;

/** The code of a text that held no message. */
export const NOTHING = "HAM035";

/** A text that held no message, and what it began with. */
export function nothing(words: string): Diagnostic {
  const begun = words && `: it begins with ${JSON.stringify(words.slice(0, TOLD_WORDS))}`;
  return {
    code: NOTHING,
    severity: "error",
    message: `the text ended without a message${begun}`,
    help: 'answer with messages, such as {"createSurface": {"surfaceId": "s"}}',
  };
}

/** So much is told of what a sender says is wrong. */
const TOLD_ERROR = 300;

/** For `{"error": …}` in place of a message, which is how servers of models say that they failed. */
export function senderFailed(text: string): Received {
  const message = `the sender answered an error: ${text.trim().slice(0, TOLD_ERROR)}`;
  const help = "see to what it says, and ask again";
  const location = { kind: "text", start: 0, end: text.length } as const;
  return {
    ok: false,
    diagnostics: [{ code: "HAM029", severity: "error", message, help, location }],
  };
}

export const NOT_UTF8: Received = {
  ok: false,
  diagnostics: [
    {
      code: "JSON011",
      severity: "error",
      message: "bytes of this piece are not UTF-8",
      help: "encode the text as UTF-8",
      location: { kind: "text", start: 0, end: 0 },
    },
  ],
};

/** For a text that ended between the messages of a list, or behind the last of them; `closing` would close it. */
export function listCut(closing: string): Received {
  const next = closing.startsWith("]") ? "`,` or `]`" : "`}`";
  const message = `the text ended early, expected ${next}`;
  const help = `complete the text and close it with \`${closing}\``;
  const location = { kind: "text", start: 0, end: 0 } as const;
  return {
    ok: false,
    diagnostics: [{ code: "JSON002", severity: "error", message, help, location }],
  };
}

export const HAS_ENDED: Diagnostic = {
  code: "HAM021",
  severity: "error",
  message: "the stream has ended",
  help: "open another one for the next text",
};

/** The code of what says how many diagnostics are not told. */
export const MORE = "JSON014";

/** What its message begins with where they were not counted to the end. */
export const AT_LEAST = "at least ";

export function leftOut(count: number, begun: string): Diagnostic {
  const message = `${begun}${count} more diagnostic${count === 1 ? " is" : "s are"} left out`;
  return { code: MORE, severity: "info", message, help: "fix these first" };
}

/** What makes a text no JSON, what cannot be the id of a node, and an edit of a list that cannot be made. That a text is too large is no fault of a part of it. */
const OF_A_PART = /^(?:JSON(?!010)|HAM0(?:02|23|25))/;

/** What is wrong with a part of a text, which takes no other part with it. */
export function brokenBy({ ok, diagnostics }: Received): Diagnostic | undefined {
  if (ok) return undefined;
  return diagnostics.find(({ code, severity }) => severity === "error" && OF_A_PART.test(code));
}
