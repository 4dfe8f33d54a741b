import type { Context } from "./component.js";
import { insertElement } from "./move-element.js";

/**
 * Reorders the child nodes of an element as in `sequence` and removes the others. Elements in the
 * right position are not touched.
 */
export function reconcileChildren(
  context: Context,
  container: Element,
  sequence: readonly HTMLElement[],
): void {
  if (context.adoption) {
    container.replaceChildren(...sequence);
    return;
  }
  const keep = new Set<Node>(sequence);
  for (const child of [...container.childNodes]) if (!keep.has(child)) child.remove();
  let cursor = container.firstChild;
  for (const element of sequence) {
    if (element === cursor) cursor = cursor.nextSibling;
    else insertElement(container, element, cursor);
  }
}
