import { checksum, LINK_VERSION as version } from "../../src/js/devtools/share-link.js";
import { parseSavedWork, type SavedWork } from "./saved-work.js";

/** Maximum size in bytes of a decoded link. */
const maxDecodedBytes = 16_000_000;

export { encodeLink, MAX_LINK_LENGTH } from "../../src/js/devtools/share-link.js";

/** Invalid link; the message is shown to the user. */
export class LinkError extends Error {}

/** Decodes a link. Throws a `LinkError` if it is invalid. */
export async function decodeLink(hash: string): Promise<SavedWork> {
  // Ignores trailing punctuation of the text around a link.
  const [, number = "", expected = "", data = ""] =
    /^#v(\d+)\.(?:([\w-]*)\.)?([\w-]*)/.exec(hash) ?? [];
  if (Number(number) > version)
    throw new LinkError(
      `This link needs a newer version of this page (v${number}). Reload the page without its cache; if that does not help, this site is older than the link.`,
    );
  if (Number(number) < version)
    throw new LinkError(
      `This link is from an older version of this page (v${number}), which is no longer supported. Ask for a new one.`,
    );
  let text: string;
  try {
    const bytes = await transformBytes(fromBase64Url(data), new DecompressionStream("deflate-raw"));
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw damagedLinkError();
  }
  if (checksum(text) !== expected) throw damagedLinkError();
  const placed = parseSavedWork(JSON.parse(text));
  if (!placed)
    throw new LinkError(
      "This link refers to something that this page does not have. Reload the page without its cache.",
    );
  return placed;
}

function damagedLinkError(): LinkError {
  return new LinkError("This link is damaged: it was truncated or changed. Ask for it again.");
}

async function transformBytes(
  bytes: Uint8Array<ArrayBuffer>,
  stage: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(stage as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > maxDecodedBytes) throw new Error("too much");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (one) => one.charCodeAt(0));
}
