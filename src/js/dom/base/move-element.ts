type MovableParent = Element & { moveBefore?: (node: Node, before: Node | null) => void };

/**
 * Inserts an element before a node, or at the end. A connected element keeps its state: by
 * `moveBefore` if the browser has it, else by restoring focus, selection and scroll positions.
 * Playing media continues, because it is disconnected only during this call.
 */
export function insertElement(parent: Element, element: HTMLElement, before: Node | null): void {
  const current = element.parentNode;
  if (current === parent && element.nextSibling === before) return;
  if (current === null || !element.isConnected || !parent.isConnected) {
    parent.insertBefore(element, before);
    return;
  }
  const movable = parent as MovableParent;
  if (typeof movable.moveBefore === "function") {
    // Firefox, the only browser with `scrollTopMax`, loses scroll positions in `moveBefore`.
    // Reading them forces a layout.
    const restoreScroll = "scrollTopMax" in element ? saveScroll(element) : null;
    movable.moveBefore(element, before);
    restoreScroll?.();
    return;
  }
  const restore = saveState(element);
  parent.insertBefore(element, before);
  restore();
}

/** Returns the focused element inside a node, also in an open shadow root, or `null`. */
export function focusedElement(inside: Node): HTMLElement | null {
  // Only a document or shadow root, of any window, has an active element.
  const { activeElement = null } = inside.getRootNode() as Partial<DocumentOrShadowRoot>;
  if (!activeElement || activeElement === activeElement.ownerDocument.body) return null;
  return inside.contains(activeElement) ? (activeElement as HTMLElement) : null;
}

function saveState(element: HTMLElement): () => void {
  const restoreScroll = saveScroll(element);
  const active = focusedElement(element);
  const restoreSelection =
    active && "selectionStart" in active ? saveSelection(active as HTMLInputElement) : null;
  const modals = [...element.querySelectorAll<HTMLDialogElement>("dialog[open]")];
  return () => {
    for (const modal of modals) {
      // A dialog that left the top layer still has `open` but is not modal.
      modal.removeAttribute("open");
      modal.showModal();
    }
    restoreScroll();
    active?.focus({ preventScroll: true });
    if (restoreSelection) restoreSelection();
  };
}

/**
 * Records the scroll positions of an element and its descendants. Returns a function that restores
 * them.
 */
function saveScroll(element: HTMLElement): () => void {
  const positions: [Element, number, number][] = [];
  for (const scrollable of [element, ...element.querySelectorAll("*")]) {
    if (scrollable.scrollTop !== 0 || scrollable.scrollLeft !== 0)
      positions.push([scrollable, scrollable.scrollTop, scrollable.scrollLeft]);
  }
  return () => {
    for (const [scrollable, top, left] of positions)
      scrollable.scrollTo({ top, left, behavior: "instant" });
  };
}

function saveSelection(field: HTMLInputElement | HTMLTextAreaElement): (() => void) | null {
  const { selectionStart, selectionEnd, selectionDirection } = field;
  if (selectionStart === null) return null;
  return () =>
    field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}

/** Returns the playing media elements inside an element. */
export function playingMedia(element: Element): HTMLMediaElement[] {
  const media = [...element.querySelectorAll<HTMLMediaElement>("audio,video")];
  return media.filter(({ paused }) => !paused);
}
