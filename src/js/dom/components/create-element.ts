import type { Context } from "../base/component.js";

/** A new element with our class. */
export function make<K extends keyof HTMLElementTagNameMap>(
  context: Context,
  tag: K,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = context.document.createElement(tag);
  if (className !== "") element.className = className;
  return element;
}
