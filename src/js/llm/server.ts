import {
  type Assertion,
  assertBoolean,
  assertCount,
  assertFunction,
  assertPlainObject,
  assertString,
  throwMisuse,
} from "../arguments.js";
import { BynameError, errorMessage } from "../errors.js";
import { excerpt, LlmError, type LlmErrorDetails, type LlmErrorKind } from "./error.js";
import type { OnToken } from "./types.js";

/** Common options of the adapters for HTTP. */
export interface HttpOptions {
  /** Sent with every request; they override the adapter's own. */
  headers?: { [name: string]: string };
  /** Merged into the body of the request; `undefined` removes a field. */
  body?: { [field: string]: unknown };
  /** Whether to stream the reply; true with an `onToken`. */
  stream?: boolean;
  /** Number of retries when the server is busy and requests a wait; 0 by default. */
  retries?: number;
  /** Maximum wait before a retry in seconds; 60 by default. */
  maxWait?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  onToken?: OnToken;
}

/** Checks of the common options. */
export const HTTP_OPTION_ASSERTIONS = {
  model: assertString,
  baseUrl: assertString,
  apiKey: assertString,
  headers: (value, what) => {
    assertPlainObject(value, what);
    for (const [name, one] of Object.entries(value as object))
      assertString(one, `\`${name}\` of ${what}`);
  },
  body: (value, what) => {
    assertPlainObject(value, what);
    try {
      JSON.stringify(value);
    } catch (error) {
      throwMisuse(
        `expected ${what} to be JSON-serialisable: ${errorMessage(error).replace(/\s+/g, " ")}`,
      );
    }
  },
  stream: assertBoolean,
  retries: assertCount,
  maxWait: assertCount,
  fetch: assertFunction,
  onToken: assertFunction,
} satisfies { [name: string]: Assertion };

/** Target of requests, with the secrets of its configuration. */
export interface Server {
  provider: string;
  url: URL;
  headers: Headers;
  /** Secrets that no message contains. */
  secrets: string[];
  retries: number;
  maxWait: number;
  fetch: typeof globalThis.fetch;
}

/**
 * Creates a server from its address. `ownHeaders` are the adapter's headers, `key` is the secret in
 * them.
 */
export function createServer(
  provider: string,
  address: { baseUrl: string; path: string },
  { ownHeaders, key = "" }: { ownHeaders: { [name: string]: string }; key?: string | undefined },
  options: HttpOptions,
): Server {
  const url = endpoint(provider, address);
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of Object.entries({ ...ownHeaders, ...options.headers })) {
    try {
      headers.set(name, value);
    } catch {
      // The host's own message would contain the value.
      const message = `${provider}: the header \`${name}\` contains a character that is not allowed in headers`;
      throw new BynameError("argument", message);
    }
  }
  // Redacting shorter values would remove words of the message.
  const words = Object.values(options.headers ?? {}).flatMap((value) => value.split(/\s+/));
  const long = [...words, ...url.searchParams.values()].filter(({ length }) => length >= 8);
  const secrets = key.length >= 4 ? [key, ...long] : long;
  return {
    provider,
    url,
    headers,
    // Longest first, because a longer secret may contain a shorter one.
    secrets: secrets.flatMap(secretVariants).sort((a, b) => b.length - a.length),
    retries: options.retries ?? 0,
    maxWait: options.maxWait ?? 60,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function endpoint(provider: string, { baseUrl, path }: { baseUrl: string; path: string }): URL {
  let url: URL | undefined;
  try {
    // Relative to the page, if there is one.
    url = new URL(baseUrl, (globalThis as { location?: { href: string } }).location?.href);
  } catch {
    // Reported below without the text, which may contain a key.
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    const message = `${provider}: expected \`baseUrl\` to be an absolute URL without a user name, such as \`http://localhost:8080/v1\``;
    throw new BynameError("argument", message);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

/** Returns the forms in which a server may repeat a secret: unchanged, or escaped. */
function secretVariants(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const variants = [secret, escaped, escaped.replaceAll("/", "\\/"), encodeURIComponent(secret)];
  return [...new Set(variants)];
}

/** Replaces secrets by bullets of the same length, so that offsets stay valid. */
function redact(server: Server, text: string): string {
  let clean = text;
  for (const secret of server.secrets) {
    clean = clean.replaceAll(secret, (found) => "•".repeat(found.length));
  }
  return clean;
}

/**
 * Returns an excerpt of a foreign text. Redacts before truncating, which could leave a partial key.
 */
export function redactedExcerpt(server: Server, text: string): string {
  return excerpt(redact(server, text), 200);
}

/** Returns the URL without its query, which may contain a key. */
export function addressOf(server: Server): string {
  return server.url.origin + server.url.pathname;
}

/** Returns an error of this server without secrets. */
export function serverError(
  server: Server,
  kind: LlmErrorKind,
  message: string,
  { body, cause, ...rest }: LlmErrorDetails = {},
): LlmError {
  const clean = (text: string) => redact(server, text);
  return new LlmError(kind, server.provider, clean(message), {
    ...rest,
    body: body === undefined ? undefined : clean(body),
    cause: isCauseSafe(server, cause) ? cause : undefined,
  });
}

function isCauseSafe(server: Server, cause: unknown): boolean {
  let content = "";
  const visited = new Set<unknown>();
  for (let error = cause; error instanceof Error && !visited.has(error); error = error.cause) {
    // Another value in place of a message may contain a key.
    if (typeof error.message !== "string") return false;
    visited.add(error);
    content += `${error.message} ${errorMessage(error.stack)}`;
  }
  return redact(server, content) === content;
}
