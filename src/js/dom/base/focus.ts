import { focused } from "./move-element.js";

/**
 * Records the focused element. The returned function restores the focus if that element was
 * removed: to its replacement, else to the same part of a sibling, such as the button of the next
 * row, else to an ancestor. Without that, the Tab order would restart at the top of the page.
 */
export function focusIn(host: HTMLElement): () => void {
  const active = focused(host);
  if (!active) return () => {};
  const owner = instanceOf(active);
  const levels = [...levelsOf(active, host)];
  return () => {
    const { activeElement, body } = host.ownerDocument;
    if (active.isConnected || (activeElement && activeElement !== body)) return;
    const again = [...host.querySelectorAll<HTMLElement>("[data-key]")].find(
      ({ dataset }) => dataset["key"] === owner?.dataset["key"],
    );
    const place = levels.find(({ around }) => around.isConnected);
    if (!place) return;
    const near = [again, ...place.beside].map((one) => one && partOf(one, owner?.dataset["id"]));
    const next = near.find((one) => one) ?? place.around;
    if (next === place.around && next.tabIndex < 0) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
}

/**
 * Yields the ancestors of an element up to the host, innermost first. Each has the siblings of the
 * path into it, following siblings first.
 */
function* levelsOf(
  active: HTMLElement,
  host: HTMLElement,
): Generator<{ around: HTMLElement; beside: Element[] }> {
  for (let inner: Element = active; inner !== host; inner = inner.parentElement as Element) {
    const around = inner.parentElement as HTMLElement;
    const all = [...around.children];
    const at = all.indexOf(inner);
    yield { around, beside: [...all.slice(at + 1), ...all.slice(0, at).reverse()] };
  }
}

/**
 * Returns the first focusable element of the component with this id, else of the whole element, or
 * `null`.
 */
function partOf(element: Element, id: string | undefined): HTMLElement | null {
  if (!element.isConnected) return null;
  const same = [...element.querySelectorAll<HTMLElement>("[data-id]")].find(
    ({ dataset }) => dataset["id"] === id,
  );
  return (same && firstFocusable(same)) ?? firstFocusable(element);
}

const focusable = "a[href],button,input,textarea,select,audio,video,summary,[tabindex]";

/** Returns the first focusable element, which may be the given one, or `null`. */
export function firstFocusable(inside: Element): HTMLElement | null {
  const all = [inside, ...inside.querySelectorAll(focusable)] as HTMLElement[];
  return all.find((one) => one.tabIndex >= 0 && one.matches(focusable) && isThere(one)) ?? null;
}

function isThere(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

function instanceOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-key]");
}
