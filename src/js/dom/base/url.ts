import { throwMisuse } from "../../arguments.js";

/** Where a URL is going to be used. */
export type UrlUse = "link" | "image" | "media";

const schemes: { readonly [use in UrlUse]: ReadonlySet<string> } = {
  link: new Set(["http:", "https:", "mailto:"]),
  image: new Set(["http:", "https:"]),
  media: new Set(["http:", "https:"]),
};

/** A picture written into the URL. An SVG in an `<img>` runs no script, in a link it would. */
const dataImage =
  /^data:image\/(?:png|jpeg|jpg|gif|webp|avif|bmp|x-icon|svg\+xml)(?:;[\w.=+-]+)*,/i;

/**
 * The URL when it may be used that way, else null. Only absolute `http:`, `https:`, `mailto:` (links)
 * and `data:image/…` (images) pass: a model's text must neither run script nor reach the page's own origin by a relative path.
 */
export function safeUrl(url: unknown, use: UrlUse): string | null {
  if (!Object.hasOwn(schemes, use)) throwMisuse("a URL is used as `link`, `image` or `media`");
  if (typeof url !== "string") return null;
  const text = url.trim();
  if (use === "image" && dataImage.test(text)) return text;
  let parsed: URL;
  try {
    // The parser removes the tabs and newlines that browsers ignore, so `java\tscript:` shows its true scheme here.
    parsed = new URL(text);
  } catch {
    return null;
  }
  if (!schemes[use].has(parsed.protocol)) return null;
  return parsed.href;
}
