/** Maximum number of elements that are highlighted at once. */
const MAX_ELEMENTS = 50;

const COLOUR = "#f5b301";

/** Highlights the elements of instances in the page for a second. */
export function highlightInPage(keys: Iterable<string>): void {
  const roots = [document, ...shadowRoots()];
  let count = 0;
  for (const key of new Set(keys)) {
    const selector = `[data-key="${CSS.escape(key)}"]`;
    for (const element of roots.flatMap((root) => [...root.querySelectorAll(selector)])) {
      count += 1;
      if (count > MAX_ELEMENTS) return;
      highlight(element);
    }
  }
}

/** Returns the shadow roots of the surfaces in the page. */
function shadowRoots(): ShadowRoot[] {
  const surfaces = document.querySelectorAll("byname-surface");
  return [...surfaces].flatMap(({ shadowRoot }) => shadowRoot ?? []);
}

function highlight(element: Element): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const start = { outline: `2px solid ${COLOUR}`, outlineOffset: "2px" };
  const end = { outline: "2px solid transparent", outlineOffset: "2px" };
  element.animate([start, isCalm ? start : end], { duration: 1100, easing: "ease-out" });
}
