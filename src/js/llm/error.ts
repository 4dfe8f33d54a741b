import { errorMessage } from "../errors.js";

/**
 * Reason of a failed call: an HTTP error, no connection, stopped by another caller, a truncated
 * response, a protocol error, or no such model.
 */
export type LlmErrorKind = "http" | "network" | "aborted" | "cut" | "shape" | "unavailable";

export interface LlmErrorDetails {
  status?: number | undefined;
  retryAfter?: number | undefined;
  body?: string | undefined;
  text?: string | undefined;
  cause?: unknown;
}

/** Maximum length of the response body in an error. */
const LONGEST_BODY = 500;

/** Failed call of a model. The message contains the fix, and never a key. */
export class LlmError extends Error {
  override readonly name: string = "LlmError";
  readonly kind: LlmErrorKind;
  /** Name of the adapter, such as `openai`. */
  readonly provider: string;
  declare readonly status?: number;
  /** Seconds to wait, as the server requests. */
  declare readonly retryAfter?: number;
  /** Beginning of the response body. */
  declare readonly body?: string;
  /** Text of the model before it was cut off. */
  declare readonly text?: string;

  constructor(
    kind: LlmErrorKind,
    provider: string,
    message: string,
    { cause, body, ...rest }: LlmErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.provider = provider;
    const shown = body === undefined ? undefined : body.slice(0, LONGEST_BODY);
    for (const [name, value] of Object.entries({ ...rest, body: shown })) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
  }
}

/** Returns the beginning of a text in one line. */
export function excerpt(text: string, length = 80): string {
  const line = text
    .slice(0, 4 * length)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** Returns the message of a foreign error in one line. */
export function errorLine(error: unknown): string {
  return excerpt(errorMessage(error), 200);
}

/** Returns the name of a foreign error, such as `AbortError`. */
export function errorName(error: unknown): string {
  return typeof error === "object" && error !== null && "name" in error
    ? errorMessage(error.name)
    : "";
}
