import { css } from "./css.js";

/** Stylesheet by document, because a constructed stylesheet belongs to one document. */
const sheets = new WeakMap<Document, CSSStyleSheet>();
/** Number of surfaces by root. */
const surfaceCounts = new WeakMap<Node, number>();

/**
 * Adds the stylesheet to the root of an element, once for all its surfaces. Returns a function that
 * removes it with the last surface.
 */
export function attachStylesheet(element: Element | ShadowRoot): () => void {
  const root = element.getRootNode();
  const document = element.ownerDocument;
  if (!adoptsStylesheets(root)) {
    // A disconnected element has no root that adopts stylesheets, so a `<style>` is added to the
    // element.
    const style = document.createElement("style");
    style.textContent = css;
    element.prepend(style);
    return () => style.remove();
  }
  const sheet = stylesheetFor(document);
  const count = surfaceCounts.get(root) ?? 0;
  surfaceCounts.set(root, count + 1);
  if (count === 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return () => {
    const remaining = (surfaceCounts.get(root) ?? 1) - 1;
    surfaceCounts.set(root, remaining);
    if (remaining === 0)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

/** Returns whether a root adopts stylesheets, as documents and shadow roots of any window do. */
function adoptsStylesheets(root: Node): root is Document | ShadowRoot {
  return "adoptedStyleSheets" in root;
}

function stylesheetFor(document: Document): CSSStyleSheet {
  const cached = sheets.get(document);
  if (cached) return cached;
  const Sheet = document.defaultView?.CSSStyleSheet ?? CSSStyleSheet;
  const sheet = new Sheet();
  sheet.replaceSync(css);
  sheets.set(document, sheet);
  return sheet;
}
