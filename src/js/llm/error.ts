import { errorMessage } from "../errors.js";

/**
 * Why there is no reply: the server said no, it cannot be reached, somebody else stopped it, it
 * ended half way, it is not what the protocol promises, or there is no such model here.
 */
export type LlmErrorKind = "http" | "network" | "aborted" | "cut" | "shape" | "unavailable";

export interface LlmErrorDetails {
  status?: number | undefined;
  retryAfter?: number | undefined;
  body?: string | undefined;
  text?: string | undefined;
  cause?: unknown;
}

/** Characters of a server's answer that an error shows. */
const LONGEST_BODY = 500;

/** A model that gave no reply. The message says what to do; it never holds a key. */
export class LlmError extends Error {
  override readonly name: string = "LlmError";
  readonly kind: LlmErrorKind;
  /** The function that made the callback, such as `openai`. */
  readonly provider: string;
  declare readonly status?: number;
  /** Seconds that the server asks to wait. */
  declare readonly retryAfter?: number;
  /** The beginning of what the server answered. */
  declare readonly body?: string;
  /** What the model had said before it was cut off. */
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

/** The beginning of a text in one line, for messages. */
export function excerpt(text: string, length = 80): string {
  const line = text
    .slice(0, 4 * length)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** What an error of somebody else says, in one line. */
export function errorLine(error: unknown): string {
  return excerpt(errorMessage(error), 200);
}

/** The name of an error of somebody else, such as `AbortError`. */
export function errorName(error: unknown): string {
  return typeof error === "object" && error !== null && "name" in error
    ? errorMessage(error.name)
    : "";
}
