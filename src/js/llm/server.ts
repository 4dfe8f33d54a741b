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
import { excerpt, type LlmError } from "./error.js";
import {
  type ErrorParts,
  headerSecrets,
  redactedError,
  redactSecrets,
  secretForms,
} from "./redaction.js";
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
  const url = endpointUrl(provider, address);
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
  const long = headerSecrets([
    ...Object.values(options.headers ?? {}),
    ...url.searchParams.values(),
  ]);
  // A key may be given with its scheme, as in `Bearer sk-…`.
  const keys = [key.trim(), key.trim().split(/\s+/).at(-1) ?? ""];
  const secrets = [...keys.filter(({ length }) => length >= 4), ...long];
  return {
    provider,
    url,
    headers,
    secrets: secretForms(secrets),
    retries: options.retries ?? 0,
    maxWait: options.maxWait ?? 60,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function endpointUrl(provider: string, { baseUrl, path }: { baseUrl: string; path: string }): URL {
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

/**
 * Returns an excerpt of a foreign text. Redacts before truncating, which could leave a partial key.
 */
export function redactedExcerpt(server: Server, text: string): string {
  return excerpt(redactSecrets(server.secrets, text), 200);
}

/** Returns the URL without its query, which may contain a key. */
export function addressOf(server: Server): string {
  return server.url.origin + server.url.pathname;
}

/** Returns a parsed response as text for an error; one may be nested too deep for that. */
export function textOfResponse(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "(nested too deep)";
  }
}

/** Returns an error of this server without secrets. */
export function serverError(server: Server, ...error: ErrorParts): LlmError {
  return redactedError(server.secrets, server.provider, ...error);
}
