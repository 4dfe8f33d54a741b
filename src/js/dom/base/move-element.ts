type Mover = Element & { moveBefore?: (node: Node, before: Node | null) => void };

/**
 * Inserts an element before a node, or at the end. A connected element keeps its state: by
 * `moveBefore` if the browser has it, else by restoring focus, selection and scroll positions.
 * Playing media continues, because it is disconnected only during this call.
 */
export function place(parent: Element, element: HTMLElement, before: Node | null): void {
  if (element.parentNode === parent && element.nextSibling === before) return;
  if (!element.isConnected || !parent.isConnected) {
    parent.insertBefore(element, before);
    return;
  }
  const mover = parent as Mover;
  if (typeof mover.moveBefore === "function") {
    // Firefox, the only browser with `scrollTopMax`, loses scroll positions in `moveBefore`.
    // Reading them forces a layout.
    const scroll = "scrollTopMax" in element ? scrolled(element) : null;
    mover.moveBefore(element, before);
    scroll?.();
    return;
  }
  const restore = remember(element);
  parent.insertBefore(element, before);
  restore();
}

/** Returns the focused element inside a node, also in an open shadow root, or `null`. */
export function focused(inside: Node): HTMLElement | null {
  // Only a document or shadow root, of any window, has an active element.
  const { activeElement = null } = inside.getRootNode() as Partial<DocumentOrShadowRoot>;
  if (!activeElement || activeElement === activeElement.ownerDocument.body) return null;
  return inside.contains(activeElement) ? (activeElement as HTMLElement) : null;
}

function remember(element: HTMLElement): () => void {
  const scroll = scrolled(element);
  const active = focused(element);
  const selection =
    active && "selectionStart" in active ? selectionOf(active as HTMLInputElement) : null;
  const modals = [...element.querySelectorAll<HTMLDialogElement>("dialog[open]")];
  return () => {
    for (const modal of modals) {
      // A dialog that left the top layer still has `open` but is not modal.
      modal.removeAttribute("open");
      modal.showModal();
    }
    scroll();
    active?.focus({ preventScroll: true });
    if (selection) selection();
  };
}

/**
 * Records the scroll positions of an element and its descendants. Returns a function that restores
 * them.
 */
function scrolled(element: HTMLElement): () => void {
  const positions: [Element, number, number][] = [];
  for (const one of [element, ...element.querySelectorAll("*")]) {
    if (one.scrollTop !== 0 || one.scrollLeft !== 0)
      positions.push([one, one.scrollTop, one.scrollLeft]);
  }
  return () => {
    for (const [one, top, left] of positions) one.scrollTo({ top, left, behavior: "instant" });
  };
}

function selectionOf(field: HTMLInputElement | HTMLTextAreaElement): (() => void) | null {
  const { selectionStart, selectionEnd, selectionDirection } = field;
  if (selectionStart === null) return null;
  return () =>
    field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}

/** Returns the playing media elements inside an element. */
export function playing(element: Element): HTMLMediaElement[] {
  const media = [...element.querySelectorAll<HTMLMediaElement>("audio,video")];
  return media.filter(({ paused }) => !paused);
}
