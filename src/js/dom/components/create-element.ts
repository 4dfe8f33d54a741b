import type { Context } from "../base/component.js";

/** Creates an element with a class. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  context: Context,
  tag: K,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = context.document.createElement(tag);
  if (className !== "") element.className = className;
  return element;
}
