import type { Diagnostic } from "../types.js";

export const AROUND = {
  code: "HAM034",
  severity: "info",
  message: "there is text around the messages, which is left out",
  help: "write messages alone",
} as const;

export const NOTHING: Diagnostic = {
  code: "HAM035",
  severity: "error",
  message: "the text ended without a message",
  help: 'answer with messages, such as {"createSurface": {"surfaceId": "s"}}',
};

export const HAS_ENDED: Diagnostic = {
  code: "HAM021",
  severity: "error",
  message: "the stream has ended",
  help: "open another one for the next text",
};
