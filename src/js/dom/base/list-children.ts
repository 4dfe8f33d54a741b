import { nameGroup } from "./accessibility.js";
import type { Context } from "./component.js";
import { childrenOf } from "./mirror.js";
import type { Children, MirrorNode } from "./mirror-node.js";
import { place } from "./move-element.js";

/**
 * Returns the handling of the children of a list or column. Up to `limit` children are all
 * rendered. Once there are more, only those near the viewport are. `items` wraps each child in a
 * list item from the start.
 */
export function rows(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  items: boolean,
  limit = context.windowAbove,
): Children {
  const wrappers = new Map<MirrorNode, HTMLElement>();
  let narrow: Children | null = null;

  const outer = (child: MirrorNode): HTMLElement => (items ? wrap(child) : context.show(child));
  const wrap = (child: MirrorNode): HTMLElement => {
    const element = context.show(child);
    const wrapper = wrappers.get(child) ?? adopted(context, element) ?? item(context, element);
    wrappers.set(child, wrapper);
    // The list item is inserted at the position of the element, so that moving the element into it
    // keeps the focus.
    if (element.parentElement === container) container.insertBefore(wrapper, element);
    if (element.parentNode !== wrapper) place(wrapper, element, null);
    return wrapper;
  };
  const standing = (child: MirrorNode | null): HTMLElement | null =>
    !child ? null : ((items ? wrappers.get(child) : child.view?.element) ?? null);
  const forget = (child: MirrorNode): void => {
    wrappers.get(child)?.remove();
    wrappers.delete(child);
  };
  /** Returns the row window, or null as long as there were at most `limit` children. */
  const window = (): Children | null => {
    if (narrow || node.count <= limit) return narrow;
    container.classList.add("bn-windowed");
    container.setAttribute("role", "list");
    // No child is rendered yet if there are many from the start.
    if (container.firstChild) for (const child of childrenOf(node)) if (child.view) wrap(child);
    narrow = context.windowed(node, container, { wrap, forget, wrappers });
    return narrow;
  };
  const insert = (child: MirrorNode): void => {
    const list = window();
    if (list) list.insert(child);
    else place(container, outer(child), standing(child.next));
  };

  return {
    fill: () => {
      const list = window();
      if (list) list.fill();
      else for (const child of childrenOf(node)) container.append(outer(child));
      // The server may have rendered a long list.
      if (!list && !items && container.getAttribute("role") === "list") {
        container.removeAttribute("role");
        nameGroup(container);
      }
    },
    insert,
    move: (child) => (narrow ? narrow.move(child) : insert(child)),
    remove: (child) => {
      if (narrow) narrow.remove(child);
      else child.view?.element.remove();
      forget(child);
    },
    dispose: () => narrow?.dispose?.(),
  };
}

function item(context: Context, element: HTMLElement): HTMLElement {
  // During hydration, `context.document` would return the list item of another row.
  const document = context.adoption ? element.ownerDocument : context.document;
  const wrapper = document.createElement("div");
  wrapper.className = "bn-item";
  wrapper.setAttribute("role", "listitem");
  return wrapper;
}

/**
 * Returns the server-rendered list item around an element, or null. Its position attributes are set
 * again if the list is windowed.
 */
function adopted(context: Context, element: HTMLElement): HTMLElement | null {
  const around = element.parentElement;
  if (around?.className !== "bn-item") return null;
  context.adoption?.take(around);
  for (const name of ["aria-posinset", "aria-setsize"]) around.removeAttribute(name);
  return around;
}
