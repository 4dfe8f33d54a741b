import type { Component, Context } from "../base/component.js";
import { directChildren } from "../base/direct-children.js";
import type { MirrorNode, View } from "../base/mirror-node.js";
import { createElement } from "./create-element.js";

/** Placeholder of a component that is not received yet. */
export const placeholder: Component = (_node, context) => {
  const element = createElement(context, "div", "bn-skeleton");
  element.setAttribute("aria-busy", "true");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", context.words.loading);
  return { element, set: () => {} };
};

/** Fallback for an unknown component: its name and its children. */
export const unknown: Component = (node, context) =>
  labelledBox(node, context, context.words.unknown(node.component));

/** Fallback for a component that threw: its name and its children. */
export const failed: Component = (node, context) =>
  labelledBox(node, context, context.words.failed(node.component));

/** Message in place of a part that exceeds `maxElements`, without its children. */
export const tooLarge: Component = (_node, context) => {
  const element = createElement(context, "div", "bn-unknown");
  element.textContent = context.words.tooLarge;
  return { element, set: () => {} };
};

function labelledBox(node: MirrorNode, context: Context, words: string): View {
  const element = createElement(context, "div", "bn-unknown");
  element.setAttribute("role", "group");
  const label = createElement(context, "span", "bn-unknown-name");
  label.textContent = words;
  label.id = context.newId();
  element.setAttribute("aria-labelledby", label.id);
  const body = createElement(context, "div", "bn-column");
  element.append(label, body);
  return { element, set: () => {}, children: directChildren(context, node, body) };
}
