/** Version of the links of the playground. */
export const LINK_VERSION = 1;

/** Maximum length of a link, because many programs truncate longer ones. */
export const MAX_LINK_LENGTH = 30_000;

/** Encodes a saved work of the playground as `#v1.`, a checksum, and the deflated JSON. */
export async function encodeLink(work: object): Promise<string> {
  const text = JSON.stringify(work);
  const deflated = new Blob([new TextEncoder().encode(text)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  return `#v${LINK_VERSION}.${checksum(text)}.${toBase64Url(bytes)}`;
}

/**
 * Returns the address that opens a log in a playground, or undefined if it is too long for a link.
 */
export async function playgroundLink(playground: string, log: string): Promise<string | undefined> {
  const parts = { steps: [], at: 0, log: { text: log, title: "Log of byname/devtools" } };
  const work = { example: "log", own: true, parts };
  const link = `${playground.split("#")[0]}${await encodeLink({ bench: "surface", work })}`;
  return link.length <= MAX_LINK_LENGTH ? link : undefined;
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the FNV-1a hash, which detects accidental changes only. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36);
}
