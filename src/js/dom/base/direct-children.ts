import type { Context } from "./component.js";
import { childrenOf } from "./mirror.js";
import type { Children, MirrorNode } from "./mirror-node.js";
import { insertElement } from "./move-element.js";

/** Returns the handling of children that are placed directly in a container. */
export function directChildren(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
): Children {
  const insert = (child: MirrorNode): void => {
    insertElement(container, context.show(child), child.next?.view?.element ?? null);
  };
  return {
    fill: () => {
      for (const child of childrenOf(node)) container.append(context.show(child));
    },
    insert,
    move: insert,
    remove: (child) => child.view?.element.remove(),
  };
}
