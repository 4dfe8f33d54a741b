/** Reason of a {@link DatabaseError}. */
export type DatabaseErrorReason =
  /** The server does not respond to a connection. */
  | "connection"
  /** A statement has no response within `timeout`. */
  | "timeout"
  /** The server rejects the user or the password. */
  | "user"
  /** The server has no database of this name. */
  | "database"
  /** The server reports that a later attempt may succeed. */
  | "temporary"
  /** The server rejects the statement. */
  | "statement"
  /** The caller has aborted `loadGraph`. */
  | "aborted";

/**
 * Error of a database. A transient one (connection, restart, time-out) interrupts a plan, and
 * `resume` asks again; any other fails the step. Its message ends with the help, if there is one.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly reason: DatabaseErrorReason;
  readonly isTransient: boolean;
  /** Instruction that corrects the error. */
  readonly help: string | undefined;
  /** Message of the server or the driver, for people; it is not written into records. */
  readonly serverMessage: string;

  constructor({ reason, message, isTransient, help }: ErrorKind, cause: unknown) {
    super(help === undefined ? message : `${message}: ${help}`, { cause });
    this.reason = reason;
    this.isTransient = isTransient;
    this.help = help;
    this.serverMessage = messageOf(cause);
  }
}

function messageOf(cause: unknown): string {
  const { message } = Object(cause) as { message?: unknown };
  return typeof message === "string" ? message : String(cause);
}

/** Kind of an error, with the line that a model reads. */
export interface ErrorKind {
  reason: DatabaseErrorReason;
  message: string;
  isTransient: boolean;
  help?: string;
}

const UNREACHABLE =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|socket|connection|closed|not available|loading the dataset|session expired/i;

const CONNECTION: ErrorKind = {
  reason: "connection",
  message: "the connection to the database failed",
  isTransient: true,
  help: "check the address and the port, that the server runs, and whether it needs TLS (`bolt+s://`)",
};

const HTTP_PORT: ErrorKind = {
  ...CONNECTION,
  isTransient: false,
  help: "the port is that of HTTP; use the Bolt port of the server, such as 7687",
};

const USER: ErrorKind = {
  reason: "user",
  message: "the database rejected the user or the password",
  isTransient: false,
  help: "check the user and the password",
};

/** Error of a statement without a response. */
export const TIMEOUT: ErrorKind = {
  reason: "timeout",
  message: "the database did not respond in time",
  isTransient: true,
  help: "check that the server runs, narrow the query, or increase `timeout`",
};

const TEMPORARY: ErrorKind = {
  reason: "temporary",
  message: "the database reports a temporary error",
  isTransient: true,
  help: "repeat the command",
};

/** Classifies an error by its code, then by the words of its message that are not quoted. */
export function classifyError(cause: unknown, database?: string): ErrorKind {
  const { code, retriable } = Object(cause) as { code?: unknown; retriable?: unknown };
  const known = typeof code === "string" ? code : "";
  const text = `${known} ${withoutQuotations(messageOf(cause))}`;
  // A server that rejects a statement is connected, whatever words its message has.
  if (known.startsWith("Neo.ClientError.Statement.")) return rejectedStatement(cause, text);
  // The text of a driver in a browser mentions security, whatever the reason is.
  if (/WebSocket connection failure/i.test(text)) return CONNECTION;
  if (/responded HTTP/i.test(text)) return HTTP_PORT;
  if (/unauthorized|authentication|WRONGPASS|NOAUTH|NOPERM|security/i.test(text)) return USER;
  if (/DatabaseNotFound|(database|graph) .*(not exist|not found|unavailable)/i.test(text))
    return missingDatabase(database);
  if (/time.?out|timed out|TransactionTimedOut/i.test(text)) return TIMEOUT;
  if (/ServiceUnavailable|SessionExpired/.test(text) || UNREACHABLE.test(text)) return CONNECTION;
  if (retriable === true || /TransientError/.test(text)) return TEMPORARY;
  return rejectedStatement(cause, text);
}

/** Removes quotations, which are names, values or parts of the statement. */
function withoutQuotations(message: string): string {
  return message
    .replace(/errCtx:.*/s, "")
    .replace(/`[^`]*`|"[^"]*"/g, " ")
    .replace(/(^|\W)'[^']*'(?!\w)/g, "$1 ");
}

function rejectedStatement(cause: unknown, text: string): ErrorKind {
  const line = messageOf(cause).split("\n", 1)[0] ?? "";
  const why = /syntax/i.test(text) ? "syntax error" : redactLine(line);
  const message = `the database rejected the statement: ${why}`;
  return { reason: "statement", message, isTransient: false };
}

function missingDatabase(name: string | undefined): ErrorKind {
  const help =
    name === undefined
      ? "create the database, or correct its name"
      : `create the database \`${name}\`, or correct its name`;
  const message = "the database does not exist on the server";
  return { reason: "database", message, isTransient: false, help };
}

/** Returns the start of a line without addresses, file paths and secrets. */
function redactLine(line: string): string {
  let redacted = line.slice(0, MAX_REDACTED_LENGTH);
  // A word that is cut off may be part of an address.
  if (redacted.length < line.length) redacted = redacted.replace(/\S+$/, "…");
  for (const pattern of PRIVATE_PARTS) redacted = redacted.replace(pattern, "$1…");
  return redactNamedSecret(redacted).slice(0, MAX_LINE_LENGTH);
}

/** Replaces the words after the name of a secret, except those that describe errors. */
function redactNamedSecret(line: string): string {
  const name = SECRET_NAME.exec(line);
  if (name === null) return line;
  const end = name.index + name[0].length;
  const rest = line.slice(end).replace(VALUE_OR_WORD, (found) => {
    const word = found.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    const isHarmless =
      /^\(line \d/.test(found) ||
      /^[\\"'`=:;,.…(){}[\]>]+$/.test(found) ||
      HARMLESS_WORDS.has(word.toLowerCase()) ||
      WHOLE_SECRET_WORD.test(word);
    return isHarmless ? found : `${/^[=:]?/.exec(found)?.[0]}…`;
  });
  return line.slice(0, end) + rest.replace(/…(?:[\s,;]*…)+/g, "…");
}

/** Returns the source of a pattern that matches letters of both cases. */
const anyCase = (source: string): string =>
  source.replace(/(?<!\\)[a-z]/g, (one) => `[${one}${one.toUpperCase()}]`);

/** Names of secrets. Those of few letters are complete words, also in camel case. */
const SECRET_WORD = [
  anyCase("pass(?:word|wd|phrase|code)|pwd|token(?!i(?:s|z))|secret(?!ar)|credential"),
  anyCase("(?:api|access|private)[\\s_-]?key(?!w)|authorization|bearer|cookie"),
  `(?:(?<![A-Za-z])|(?<=[a-z\\d])(?=[A-Z]))(?:${anyCase("auth|pin|pw|otp|jwt")}|${
    // Alone it is also a verb.
    anyCase("pass")
  }(?=\\w*\\\\?["'\`]?\\s*[=:]))(?![a-z]|(?<=[A-Z])[A-Z])`,
].join("|");
const SECRET_NAME = new RegExp(`(?:${SECRET_WORD})\\w*\\\\?["'\`]?`);
const WHOLE_SECRET_WORD = new RegExp(`^(?:basic|(?:${SECRET_WORD})s?)$`, "i");
const SCHEME = `(?:${anyCase("basic|bearer")})\\s+`;

/** Position in the statement, text in quotes, or word. */
const VALUE_OR_WORD =
  /\(line \d+, column \d+(?: \(offset: \d+\))?\)|[=:]?(["'`])(?:(?!\1).)*\1|\S+/g;

/** Words of errors about secrets, which are no secrets. */
const HARMLESS_WORDS = new Set(
  (
    "a an and are as at be been but by can cannot change changed characters column database " +
    "defined does empty encrypted exist exists expected expired failed field for found from " +
    "function given got has have header id if in incorrect index indexed input integer invalid is " +
    "it label length line long match missing must name need needs new no node not null of old on " +
    "option or parameter plain procedure property provided rejected relationship required role " +
    "scheme set short should statement string supported than that the this to too type undefined " +
    "unexpected unknown unsupported use used user value variable was were with wrong you your"
  ).split(" "),
);

/** Parts of a server's line that records must not contain. The first group stays. */
const PRIVATE_PARTS = [
  // `bolt://host`, and `user:password@host`.
  /()\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /(^|\s)\S+@\S+/g,
  // `password="x y"` and `"token": "x"`, whose values may have spaces.
  new RegExp(
    `((?:${SECRET_WORD})\\w*\\\\?["'\`]?\\s*[=:]\\s*(?:${SCHEME})?)\\\\?(["'\`])(?:\\\\.|(?!\\2).)*`,
    "g",
  ),
  // `password=x`. After a name in backticks, such as "`token`: expected", is a sentence.
  new RegExp(
    `((?:${SECRET_WORD})\\w*\\\\?(?:["']?\\s*[=:]+>?|\`\\s*=)\\s*(?:${SCHEME}(?=\\S))?)(?!\\\\?["'\`]|…)[^\\s=:>]\\S*`,
    "g",
  ),
  // Paths of files, which have spaces only in quotes.
  /((["'`])(?:file:)?)(?:\/|[A-Z]:[\\/]|\\\\)(?!\2)\S(?:(?!\2).)*/gi,
  /(^|[^\w/])(?:[A-Z]:[\\/]|\/|\\\\)[^\s"'`/]\S*/gi,
  // IP addresses, and `host:7687`.
  /()\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /()\[[0-9a-f]*:[0-9a-f:.]*\](?::\d+)?|(?:\b[0-9a-f]{1,4})?(?::{1,2}[0-9a-f]{1,4}){3,}\b/gi,
  /()\b(?:[\w-]+(?:\.[\w-]+)+:\d+|[a-z][\w-]*:\d{4,5})\b/gi,
];

/** Maximum number of characters of a server's line in a record, and of those that are searched. */
const MAX_LINE_LENGTH = 200;
const MAX_REDACTED_LENGTH = 2_000;

/** Converts an error of a driver. The reason of an abort is kept. */
export function databaseError(cause: unknown, signal: AbortSignal, database?: string): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof DatabaseError) return cause;
  return new DatabaseError(classifyError(cause, database), cause);
}
