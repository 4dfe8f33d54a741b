import type { Diagnostic } from "./wire.js";

/** Default of `limits.bytes`: maximum length of a message in bytes. */
export const DEFAULT_MAX_BYTES = 64 * 2 ** 20;

/** Maximum length of a buffered text. Engines have a limit for the length of a string. */
const MAX_TEXT_LENGTH = 2 ** 28;

/** Limits of stores, and of objects with several stores. */
const limits = new WeakMap<object, number>();

/** Sets the maximum length of a message in bytes, if it is not the default. */
export function setMaxBytes(store: object, maxBytes: number): void {
  if (maxBytes !== DEFAULT_MAX_BYTES) limits.set(store, maxBytes);
}

/** Returns the maximum length in bytes of a message for a receiver or its store. */
export function maxBytesOf(receiver: { readonly store?: object | undefined }): number {
  const { store = receiver } = receiver;
  return limits.get(store) ?? limits.get(receiver) ?? DEFAULT_MAX_BYTES;
}

/** Returns the maximum length of a text that a receiver of messages buffers. */
export function maxTextLengthOf(receiver: { readonly store?: object | undefined }): number {
  return Math.min(maxBytesOf(receiver), MAX_TEXT_LENGTH);
}

/** Returns the error for a text that is too large. */
export function tooLargeDiagnostic(maxBytes: number): Diagnostic {
  const message = `the text is larger than ${maxBytes} bytes`;
  const help = "send it in several messages";
  const location = { kind: "text", start: 0, end: 0 } as const;
  return { code: "JSON010", severity: "error", message, help, location };
}
