import { focusedElement } from "./move-element.js";

/**
 * Records the focused element. The returned function restores the focus if that element was
 * removed: to its replacement, else to the same part of a sibling, else to an ancestor. Such a part
 * is the button of the next row. Without that, the Tab order would restart at the top of the page.
 */
export function trackFocus(host: HTMLElement): () => void {
  const active = focusedElement(host);
  if (!active) return () => {};
  const owner = closestInstance(active);
  const levels = [...ancestorLevels(active, host)];
  return () => {
    const { activeElement, body } = host.ownerDocument;
    if (active.isConnected || (activeElement && activeElement !== body)) return;
    const replacement = [...host.querySelectorAll<HTMLElement>("[data-key]")].find(
      ({ dataset }) => dataset["key"] === owner?.dataset["key"],
    );
    const level = levels.find(({ ancestor }) => ancestor.isConnected);
    if (!level) return;
    const candidates = [replacement, ...level.siblings].map(
      (one) => one && focusableFor(one, owner?.dataset["id"]),
    );
    const target = candidates.find((one) => one) ?? level.ancestor;
    if (target === level.ancestor && target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
}

/**
 * Yields the ancestors of an element up to the host, innermost first. Each has the siblings of the
 * path into it, following siblings first.
 */
function* ancestorLevels(
  active: HTMLElement,
  host: HTMLElement,
): Generator<{ ancestor: HTMLElement; siblings: Element[] }> {
  for (let inner: Element = active; inner !== host; inner = inner.parentElement as Element) {
    const ancestor = inner.parentElement as HTMLElement;
    const all = [...ancestor.children];
    const at = all.indexOf(inner);
    yield { ancestor, siblings: [...all.slice(at + 1), ...all.slice(0, at).reverse()] };
  }
}

/**
 * Returns the first focusable element of the component with this id, else of the whole element, or
 * `null`.
 */
function focusableFor(element: Element, id: string | undefined): HTMLElement | null {
  if (!element.isConnected) return null;
  const same = [...element.querySelectorAll<HTMLElement>("[data-id]")].find(
    ({ dataset }) => dataset["id"] === id,
  );
  return (same && firstFocusable(same)) ?? firstFocusable(element);
}

const FOCUSABLE = "a[href],button,input,textarea,select,audio,video,summary,[tabindex]";

/** Returns the first focusable element, which may be the given one, or `null`. */
export function firstFocusable(inside: Element): HTMLElement | null {
  const all = [inside, ...inside.querySelectorAll(FOCUSABLE)] as HTMLElement[];
  return all.find((one) => one.tabIndex >= 0 && one.matches(FOCUSABLE) && isRendered(one)) ?? null;
}

function isRendered(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

function closestInstance(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-key]");
}
