import { type Need, needCount, needFields, needFlag, needFunction, refuse } from "../arguments.js";
import { BynameError, needString, wordsOf } from "../errors.js";
import { beginning, LlmError, type LlmErrorDetails, type LlmErrorKind } from "./error.js";
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
export const HTTP_NEEDS = {
  model: needString,
  baseUrl: needString,
  apiKey: needString,
  headers: (value, what) => {
    needFields(value, what);
    for (const [name, one] of Object.entries(value as object))
      needString(one, `\`${name}\` of ${what}`);
  },
  body: (value, what) => {
    needFields(value, what);
    try {
      JSON.stringify(value);
    } catch (error) {
      refuse(`${what} is what JSON can hold: ${wordsOf(error).replace(/\s+/g, " ")}`);
    }
  },
  stream: needFlag,
  retries: needCount,
  maxWait: needCount,
  fetch: needFunction,
  onToken: needFunction,
} satisfies { [name: string]: Need };

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
export function serverAt(
  provider: string,
  address: { baseUrl: string; path: string },
  { given, key = "" }: { given: { [name: string]: string }; key?: string | undefined },
  options: HttpOptions,
): Server {
  const url = endpoint(provider, address);
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of Object.entries({ ...given, ...options.headers })) {
    try {
      headers.set(name, value);
    } catch {
      // The host's own message would show the value.
      const message = `${provider}: the header \`${name}\` holds a character that no header carries`;
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
    secrets: secrets.flatMap(spellings).sort((a, b) => b.length - a.length),
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
    const message = `${provider}: \`baseUrl\` is an absolute URL without a user name, such as \`http://localhost:8080/v1\``;
    throw new BynameError("argument", message);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

/** How a server may give a secret back: as it is, or escaped. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ways = [secret, escaped, escaped.replaceAll("/", "\\/"), encodeURIComponent(secret)];
  return [...new Set(ways)];
}

/** The text without keys. What takes their place has their length, so that nothing moves. */
function withoutSecrets(server: Server, text: string): string {
  let clean = text;
  for (const secret of server.secrets) {
    clean = clean.replaceAll(secret, (found) => "•".repeat(found.length));
  }
  return clean;
}

/** A text of somebody else in a line of a message. Keys go before the cut, which might leave half of one. */
export function shown(server: Server, text: string): string {
  return beginning(withoutSecrets(server, text), 200);
}

/** The address without what may be a key. */
export function addressOf(server: Server): string {
  return server.url.origin + server.url.pathname;
}

/** An error of this server, with no key anywhere in it. */
export function failure(
  server: Server,
  kind: LlmErrorKind,
  message: string,
  { body, cause, ...rest }: LlmErrorDetails = {},
): LlmError {
  const clean = (text: string) => withoutSecrets(server, text);
  return new LlmError(kind, server.provider, clean(message), {
    ...rest,
    body: body === undefined ? undefined : clean(body),
    cause: isClean(server, cause) ? cause : undefined,
  });
}

function isClean(server: Server, cause: unknown): boolean {
  let told = "";
  const seen = new Set<unknown>();
  for (let error = cause; error instanceof Error && !seen.has(error); error = error.cause) {
    // What else stands in place of its words may hold the key anywhere.
    if (typeof error.message !== "string") return false;
    seen.add(error);
    told += `${error.message} ${wordsOf(error.stack)}`;
  }
  return withoutSecrets(server, told) === told;
}
