import { asList, asText } from "../../json-value.js";
import { isPlain } from "../base/markdown.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { UNMEASURED_ROW_COUNT } from "../virtual-list/row-window.js";

/** Components with up to five elements of their own. */
const SEVERAL_ELEMENTS = /^(?:Modal|TextField|CheckBox|Slider|DateTimeInput)$/;

/** Returns the number of elements of one instance and its list item, without its children. */
export function countOwnElements(node: MirrorNode): number {
  return countComponent(node) + (node.parent?.component === "List" ? 1 : 0);
}

function countComponent(node: MirrorNode): number {
  switch (node.component) {
    case "Text":
      return 1 + countMarkdown(asText(node.props.get("text")));
    case "ChoicePicker":
      return 5 + 3 * asList(node.props.get("options")).length;
    case "Tabs":
      return 2 + 2 * node.count;
    default:
      return SEVERAL_ELEMENTS.test(node.component) ? 5 : 1;
  }
}

/** Returns the maximum number of elements of a text: each line or pair of marks can be one. */
function countMarkdown(text: string): number {
  return isPlain(text) ? 0 : 1 + countMarks(text);
}

/** Returns the maximum number of elements that a text adds to the text before it. */
export function countMarks(text: string): number {
  return (text.match(/\n/g)?.length ?? 0) + Math.floor((text.match(/[*_`[]+/g)?.length ?? 0) / 2);
}

/**
 * Returns the number of elements of an instance and its descendants. Stops counting above `limit`.
 * Of a virtualised list, the rows of the first draw are counted.
 */
export function countElements(top: MirrorNode, windowAbove: number, limit: number): number {
  let count = 0;
  const pending = [top];
  for (let node = pending.pop(); node && count <= limit; node = pending.pop()) {
    const isWindowed = isVirtualised(node) && node.count > windowAbove;
    count += countOwnElements(node);
    let rest = isWindowed ? UNMEASURED_ROW_COUNT : limit;
    for (let child = node.first; child && rest > 0; child = child.next, rest -= 1)
      pending.push(child);
  }
  return count;
}

/** Returns whether a component creates elements only for its visible children if they are many. */
export function isVirtualised({ component, props }: MirrorNode): boolean {
  return (
    component === "Column" || (component === "List" && props.get("direction") !== "horizontal")
  );
}
