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

/** What the adapters that speak HTTP have in common. */
export interface HttpOptions {
  /** Sent with every request; they win over the adapter's own. */
  headers?: { [name: string]: string };
  /** Merged over the body of the request; `undefined` takes a field out. */
  body?: { [field: string]: unknown };
  /** Whether the reply comes in pieces; so where there is an `onToken`. */
  stream?: boolean;
  /** How often to ask again when the server is busy and says how long to wait; 0 by default. */
  retries?: number;
  /** The longest wait before asking again, in seconds; 60 by default. */
  maxWait?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  onToken?: OnToken;
}

/** What the options of an adapter for HTTP can be. */
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

/** Where requests go, and what must not be told about it. */
export interface Server {
  provider: string;
  url: URL;
  headers: Headers;
  /** Texts that no message shows. */
  secrets: string[];
  retries: number;
  maxWait: number;
  fetch: typeof globalThis.fetch;
}

/** A server by its address. `given` are the adapter's own headers, `key` is the secret in them. */
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
      // The host's own message would show the value.
      const message = `${provider}: the header \`${name}\` contains a character that is not allowed in headers`;
      throw new BynameError("argument", message);
    }
  }
  // What is shorter would blank out words of the message.
  const words = Object.values(options.headers ?? {}).flatMap((value) => value.split(/\s+/));
  const long = [...words, ...url.searchParams.values()].filter(({ length }) => length >= 8);
  const secrets = key.length >= 4 ? [key, ...long] : long;
  return {
    provider,
    url,
    headers,
    // A longer one may begin with a shorter one.
    secrets: secrets.flatMap(secretVariants).sort((a, b) => b.length - a.length),
    retries: options.retries ?? 0,
    maxWait: options.maxWait ?? 60,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function endpoint(provider: string, { baseUrl, path }: { baseUrl: string; path: string }): URL {
  let url: URL | undefined;
  try {
    // In a page, `/llm/v1` is an address too.
    url = new URL(baseUrl, (globalThis as { location?: { href: string } }).location?.href);
  } catch {
    // Told below, without the text: it may hold a key.
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    const message = `${provider}: expected \`baseUrl\` to be an absolute URL without a user name, such as \`http://localhost:8080/v1\``;
    throw new BynameError("argument", message);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

/** How a server may give a secret back: as it is, or escaped. */
function secretVariants(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const variants = [secret, escaped, escaped.replaceAll("/", "\\/"), encodeURIComponent(secret)];
  return [...new Set(variants)];
}

/** The text without keys. What takes their place has their length, so that nothing moves. */
function redact(server: Server, text: string): string {
  let clean = text;
  for (const secret of server.secrets) {
    clean = clean.replaceAll(secret, (found) => "•".repeat(found.length));
  }
  return clean;
}

/** A text of somebody else in a line of a message. Keys go before the cut, which might leave half of one. */
export function redactedExcerpt(server: Server, text: string): string {
  return excerpt(redact(server, text), 200);
}

/** The address without what may be a key. */
export function addressOf(server: Server): string {
  return server.url.origin + server.url.pathname;
}

/** An error of this server, with no key anywhere in it. */
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
    // What else stands in place of its words may hold the key anywhere.
    if (typeof error.message !== "string") return false;
    visited.add(error);
    content += `${error.message} ${errorMessage(error.stack)}`;
  }
  return redact(server, content) === content;
}
