import { css } from "./css.js";

/** Constructed sheets belong to one document. */
const sheets = new WeakMap<Document, CSSStyleSheet>();
/** How many surfaces in a root need the sheet. */
const users = new WeakMap<Node, number>();

/** Brings the stylesheet into the root that the element stands in, once for all surfaces there; the answer takes it away with the last one. */
export function adoptStyle(element: Element | ShadowRoot): () => void {
  const root = element.getRootNode();
  const document = element.ownerDocument;
  if (!adopts(root)) {
    // Outside any document there is no root to adopt a sheet, so it travels with the element.
    const style = document.createElement("style");
    style.textContent = css;
    element.prepend(style);
    return () => style.remove();
  }
  const sheet = sheetOf(document);
  const count = users.get(root) ?? 0;
  users.set(root, count + 1);
  if (count === 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return () => {
    const left = (users.get(root) ?? 1) - 1;
    users.set(root, left);
    if (left === 0)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

/** Documents and shadow roots do, whatever window they are of. */
function adopts(root: Node): root is Document | ShadowRoot {
  return "adoptedStyleSheets" in root;
}

function sheetOf(document: Document): CSSStyleSheet {
  const known = sheets.get(document);
  if (known) return known;
  const Sheet = document.defaultView?.CSSStyleSheet ?? CSSStyleSheet;
  const sheet = new Sheet();
  sheet.replaceSync(css);
  sheets.set(document, sheet);
  return sheet;
}
