import { updateGroupRole } from "./accessibility.js";
import { clearContainer } from "./clear-container.js";
import type { Context } from "./component.js";
import { childrenOf } from "./mirror.js";
import type { Children, MirrorNode } from "./mirror-node.js";
import { insertElement } from "./move-element.js";

/** Children that have a list item around them: all, those of a long list, or none. */
export type WrappedChildren = "all" | "long" | "none";

/**
 * Returns the handling of the children of a list or column. Up to `limit` children are all
 * rendered. Once there are more, only those near the viewport are.
 */
export function listChildren(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  wrapped: WrappedChildren,
  limit = context.windowAbove,
): Children {
  const wrappers = new Map<MirrorNode, HTMLElement>();
  let rowWindow: Children | null = null;

  const outerElement = (child: MirrorNode): HTMLElement =>
    wrapped === "all" ? wrap(child) : context.show(child);
  const wrap = (child: MirrorNode): HTMLElement => {
    const element = context.show(child);
    if (wrapped === "none") {
      wrappers.set(child, element);
      return element;
    }
    const parent = element.parentNode;
    const existing = wrappers.get(child);
    if (existing && parent === existing) return existing;
    // A new element is in no container and in no list item of the server.
    const wrapper =
      existing ?? (parent && serverItem(context, element)) ?? createItem(context, element);
    wrappers.set(child, wrapper);
    if (!parent) {
      wrapper.appendChild(element);
      return wrapper;
    }
    // The list item is inserted at the position of the element, so that moving the element into it
    // keeps the focus.
    if (parent === container) container.insertBefore(wrapper, element);
    if (element.parentNode !== wrapper) insertElement(wrapper, element, null);
    return wrapper;
  };
  const renderedElement = (child: MirrorNode | null): HTMLElement | null =>
    !child ? null : ((wrapped === "all" ? wrappers.get(child) : child.view?.element) ?? null);
  const discard = (child: MirrorNode): void => {
    wrappers.get(child)?.remove();
    wrappers.delete(child);
  };
  /** Returns the row window, or null as long as there were at most `limit` children. */
  const windowIfLong = (): Children | null => {
    if (rowWindow || node.count <= limit) return rowWindow;
    if (wrapped !== "none") {
      container.classList.add("bn-windowed");
      container.setAttribute("role", "list");
    }
    // No child is rendered yet if there are many from the start.
    if (container.firstChild) for (const child of childrenOf(node)) if (child.view) wrap(child);
    rowWindow = context.windowed(node, container, { wrap, discard, wrappers });
    return rowWindow;
  };
  const insert = (child: MirrorNode): void => {
    const list = windowIfLong();
    if (list) list.insert(child);
    else insertElement(container, outerElement(child), renderedElement(child.next));
  };

  return {
    fill: () => {
      const list = windowIfLong();
      if (list) list.fill();
      else for (const child of childrenOf(node)) container.append(outerElement(child));
      // The server may have rendered a long list.
      if (!list && wrapped === "long" && container.getAttribute("role") === "list") {
        container.removeAttribute("role");
        updateGroupRole(container);
      }
    },
    insert,
    insertRows: (rows) => {
      const list = windowIfLong();
      if (list) {
        for (let at = rows.length - 1; at >= 0; at -= 1) list.insert(rows[at] as MirrorNode);
        return;
      }
      const before = renderedElement(rows.at(-1)?.next ?? null);
      for (const row of rows) insertElement(container, outerElement(row), before);
    },
    move: (child) => (rowWindow ? rowWindow.move(child) : insert(child)),
    remove: (child) => {
      if (rowWindow) rowWindow.remove(child);
      else child.view?.element.remove();
      discard(child);
    },
    clear: (children) => {
      if (rowWindow) for (const child of children) rowWindow.remove(child);
      clearContainer(
        container,
        children.flatMap((child) => wrappers.get(child) ?? child.view?.element ?? []),
      );
      wrappers.clear();
    },
    dispose: () => rowWindow?.dispose?.(),
  };
}

function createItem(context: Context, element: HTMLElement): HTMLElement {
  // During hydration, `context.document` would return the list item of another row.
  const document = context.adoption ? element.ownerDocument : context.document;
  if (context.adoption || !document.defaultView) return newItem(document);
  let original = templateItems.get(document);
  if (!original) {
    original = newItem(document);
    templateItems.set(document, original);
  }
  return original.cloneNode() as HTMLElement;
}

/** List items that are cloned, by document. */
const templateItems = new WeakMap<Document, HTMLElement>();

function newItem(document: Document): HTMLElement {
  const wrapper = document.createElement("div");
  wrapper.className = "bn-item";
  wrapper.setAttribute("role", "listitem");
  return wrapper;
}

/**
 * Returns the server-rendered list item around an element, or null. Its position attributes are set
 * again if the list is windowed.
 */
function serverItem(context: Context, element: HTMLElement): HTMLElement | null {
  const item = element.parentElement;
  if (item?.className !== "bn-item") return null;
  context.adoption?.claimElement(item);
  for (const name of ["aria-posinset", "aria-setsize"]) item.removeAttribute(name);
  return item;
}
