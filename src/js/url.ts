import { throwExpected } from "./arguments.js";

/** Usage of a URL. */
export type UrlUse = "link" | "image" | "media";

const allowedSchemes: { readonly [use in UrlUse]: ReadonlySet<string> } = {
  link: new Set(["http:", "https:", "mailto:"]),
  image: new Set(["http:", "https:"]),
  media: new Set(["http:", "https:"]),
};

/** Data URL of an image. An SVG in an `<img>` runs no script, in a link it would. */
const dataImage =
  /^data:image\/(?:png|jpeg|jpg|gif|webp|avif|bmp|x-icon|svg\+xml)(?:;[\w.=+-]+)*,/i;

/**
 * Returns the URL if it is safe for this usage, or null. Only absolute `http:`, `https:`, `mailto:`
 * (links) and `data:image/…` (images) are accepted. Text of a model must neither run script nor
 * reach the page's origin by a relative path.
 */
export function safeUrl(url: unknown, use: UrlUse): string | null {
  if (!Object.hasOwn(allowedSchemes, use))
    throwExpected("`use`", "`link`, `image` or `media`", use);
  if (typeof url !== "string") return null;
  const text = url.trim();
  if (use === "image" && dataImage.test(text)) return text;
  let parsed: URL;
  try {
    // The parser removes tabs and newlines as browsers do, so `java\tscript:` has its real scheme
    // here.
    parsed = new URL(text);
  } catch {
    return null;
  }
  if (!allowedSchemes[use].has(parsed.protocol)) return null;
  return parsed.href;
}
