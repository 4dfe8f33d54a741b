import { clearContainer } from "./clear-container.js";
import type { Context } from "./component.js";
import type { Children, MirrorNode } from "./mirror-node.js";
import { insertElement } from "./move-element.js";

/** Handling of children that are placed directly in a container. */
class DirectChildren implements Children {
  readonly #context: Context;
  readonly #node: MirrorNode;
  readonly #container: HTMLElement;

  constructor(context: Context, node: MirrorNode, container: HTMLElement) {
    this.#context = context;
    this.#node = node;
    this.#container = container;
  }

  fill(): void {
    for (let child = this.#node.first; child; child = child.next)
      this.#container.appendChild(this.#context.show(child));
  }

  insert(child: MirrorNode): void {
    const element = this.#context.show(child);
    insertElement(this.#container, element, child.next?.view?.element ?? null);
  }

  insertRows(rows: readonly MirrorNode[]): void {
    const before = rows.at(-1)?.next?.view?.element ?? null;
    for (const row of rows) insertElement(this.#container, this.#context.show(row), before);
  }

  move(child: MirrorNode): void {
    this.insert(child);
  }

  remove(child: MirrorNode): void {
    child.view?.element.remove();
  }

  clear(children: readonly MirrorNode[]): void {
    clearContainer(
      this.#container,
      children.flatMap(({ view }) => view?.element ?? []),
    );
  }
}

/** Returns the handling of children that are placed directly in a container. */
export function directChildren(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
): Children {
  return new DirectChildren(context, node, container);
}
