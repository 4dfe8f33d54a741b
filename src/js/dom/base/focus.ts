import { focused } from "./move-element.js";

/**
 * Notes where the focus is; the answer looks after it, where what had it has gone: it goes to what is drawn in its place, else to the same
 * part of a neighbour, such as the button of the next row, else to what is around it. Without that, keys would begin at the top of the page.
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

/** What is around an element, from the inside out, with what stands beside the way to it: what follows first. */
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

/** The first element that takes the focus in what is drawn for a component of this id, or else in all of it. */
function partOf(element: Element, id: string | undefined): HTMLElement | null {
  if (!element.isConnected) return null;
  const same = [...element.querySelectorAll<HTMLElement>("[data-id]")].find(
    ({ dataset }) => dataset["id"] === id,
  );
  return (same && firstFocusable(same)) ?? firstFocusable(element);
}

const focusable = "a[href],button,input,textarea,select,audio,video,summary,[tabindex]";

/** The first element that takes the focus, be it the one given. */
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
