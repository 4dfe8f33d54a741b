/**
 * Error of a database. A transient one (connection, restart, time-out) interrupts a plan, and
 * `resume` asks again; any other fails the step.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly isTransient: boolean;
  /** Message of the server or the driver, for people; it is not written into records. */
  readonly serverMessage: string;

  constructor(message: string, isTransient: boolean, cause: unknown) {
    super(message, { cause });
    this.isTransient = isTransient;
    this.serverMessage = messageOf(cause);
  }
}

function messageOf(cause: unknown): string {
  const { message } = Object(cause) as { message?: unknown };
  return typeof message === "string" ? message : String(cause);
}

/** Kind of an error, with the line that a model reads. */
export interface ErrorKind {
  message: string;
  isTransient: boolean;
}

const UNREACHABLE =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|socket|connection|closed|not available|loading the dataset|session expired/i;

/** Classifies an error by its code and its message. */
export function classifyError(cause: unknown): ErrorKind {
  const { code, retriable } = Object(cause) as { code?: unknown; retriable?: unknown };
  const text = `${typeof code === "string" ? code : ""} ${messageOf(cause)}`;
  // The text of a driver in a browser mentions security, whatever the reason is.
  if (/WebSocket connection failure/i.test(text))
    return { message: "the connection to the database failed", isTransient: true };
  if (/unauthorized|authentication|WRONGPASS|NOAUTH|NOPERM|security/i.test(text))
    return { message: "the database rejected the user or the password", isTransient: false };
  if (/DatabaseNotFound|database .*(not exist|not found|unavailable)|does not exist/i.test(text))
    return { message: "the database does not exist on the server", isTransient: false };
  if (/time.?out|timed out|TransactionTimedOut/i.test(text))
    return { message: "the database did not respond in time", isTransient: true };
  if (/ServiceUnavailable|SessionExpired/.test(text) || UNREACHABLE.test(text))
    return { message: "the connection to the database failed", isTransient: true };
  if (retriable === true || /TransientError/.test(text))
    return { message: "the database reports a temporary error", isTransient: true };
  if (/syntax/i.test(text))
    return { message: "the database rejected the statement: syntax error", isTransient: false };
  const line = messageOf(cause).split("\n", 1)[0] ?? "";
  return {
    message: `the database rejected the statement: ${redactLine(line)}`,
    isTransient: false,
  };
}

/** Returns a line without addresses, file paths and long quotations. */
function redactLine(line: string): string {
  return line
    .replace(/\b[a-z][a-z0-9+]*:\/\/\S+/gi, "…")
    .replace(/(^|\s)(\/|[A-Z]:\\)[^\s:]+/g, "$1…")
    .slice(0, MAX_LINE_LENGTH);
}

/** Maximum number of characters of a server's line in a record. */
const MAX_LINE_LENGTH = 200;

/** Converts an error of a driver. The reason of an abort is kept. */
export function databaseError(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof DatabaseError) return cause;
  const { message, isTransient } = classifyError(cause);
  return new DatabaseError(message, isTransient, cause);
}
