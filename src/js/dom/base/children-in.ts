import type { Context } from "./component.js";
import { directChildren } from "./direct-children.js";
import { listChildren } from "./list-children.js";
import type { Children, MirrorNode } from "./mirror-node.js";

/** Returns the handling of children without list items; `windowAbove` is the limit of a window. */
export function childrenIn(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  windowAbove = Number.POSITIVE_INFINITY,
): Children {
  return windowAbove === Number.POSITIVE_INFINITY
    ? directChildren(context, node, container)
    : listChildren(context, node, container, "none", windowAbove);
}
