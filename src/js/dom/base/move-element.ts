type Mover = Element & { moveBefore?: (node: Node, before: Node | null) => void };

/**
 * Puts an element in front of another. One that is in the document already is moved with its state: by `moveBefore` where the
 * browser has it; else focus, selection and scroll positions are put back by hand (playing media goes on by itself, since it is out for no longer than this call).
 */
export function place(parent: Element, element: HTMLElement, before: Node | null): void {
  if (element.parentNode === parent && element.nextSibling === before) return;
  if (!element.isConnected || !parent.isConnected) {
    parent.insertBefore(element, before);
    return;
  }
  const mover = parent as Mover;
  if (typeof mover.moveBefore === "function") {
    // Firefox, which alone has `scrollTopMax`, moves without scroll positions. Looking for them takes a layout.
    const scroll = "scrollTopMax" in element ? scrolled(element) : null;
    mover.moveBefore(element, before);
    scroll?.();
    return;
  }
  const restore = remember(element);
  parent.insertBefore(element, before);
  restore();
}

/** The focused element, also inside an open shadow root. */
export function focused(inside: Node): HTMLElement | null {
  // A document or a shadow root, of whatever window; elsewhere nothing has the focus.
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
      // A dialog that left the top layer looks open and is not modal any more.
      modal.removeAttribute("open");
      modal.showModal();
    }
    scroll();
    active?.focus({ preventScroll: true });
    if (selection) selection();
  };
}

/** Notes how far the element and those inside it are scrolled, and answers what scrolls them so again. */
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

/** The media in an element that play. */
export function playing(element: Element): HTMLMediaElement[] {
  const media = [...element.querySelectorAll<HTMLMediaElement>("audio,video")];
  return media.filter(({ paused }) => !paused);
}
