import type { Component, Context } from "../base/component.js";
import { flow } from "../base/direct-children.js";
import type { MirrorNode, View } from "../base/mirror-node.js";
import { make } from "./create-element.js";

/** Placeholder of a component that is not received yet. */
export const placeholder: Component = (_node, context) => {
  const element = make(context, "div", "bn-skeleton");
  element.setAttribute("aria-busy", "true");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", context.words.loading);
  return { element, set: () => {} };
};

/** Fallback for an unknown component: its name and its children. */
export const unknown: Component = (node, context) =>
  labelled(node, context, context.words.unknown(node.component));

/** Fallback for a component that threw: its name and its children. */
export const failed: Component = (node, context) =>
  labelled(node, context, context.words.failed(node.component));

function labelled(node: MirrorNode, context: Context, words: string): View {
  const element = make(context, "div", "bn-unknown");
  element.setAttribute("role", "group");
  const label = make(context, "span", "bn-unknown-name");
  label.textContent = words;
  label.id = context.newId();
  element.setAttribute("aria-labelledby", label.id);
  const body = make(context, "div", "bn-column");
  element.append(label, body);
  return { element, set: () => {}, children: flow(context, node, body) };
}
