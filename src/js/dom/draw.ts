import { evaluateProps } from "../functions/evaluate.js";
import type { Json } from "../types.js";
import { setCommon } from "./accessibility.js";
import { builtin } from "./components/index.js";
import { placeholder, unknown } from "./components/placeholder.js";
import type { MirrorNode } from "./mirror.js";
import type { Component, Context, MountOptions, View } from "./view.js";

export type Components = ReadonlyMap<string, Component>;

/** The built-in components, and those of one's own, which come before them. */
export function componentsOf(options: MountOptions): Components {
  return new Map([...builtin, ...Object.entries(options.components ?? {})]);
}

/** Makes the element of a node with all that is in it. */
export function draw(node: MirrorNode, context: Context, components: Components): HTMLElement {
  evaluateProps(node.props, context.locale);
  const make = node.component === "" ? placeholder : (components.get(node.component) ?? unknown);
  const view = make(node, context);
  node.view = view;
  if (view.foreign) context.adoption?.leave(view);
  view.element.classList.add("bn");
  view.element.dataset["key"] = node.key;
  view.element.dataset["id"] = node.id;
  for (const [prop, value] of node.props) show(view, prop, value);
  view.children?.fill();
  return view.element;
}

/** Shows one property. */
export function show(view: View, prop: string, value: Json): void {
  if (!setCommon(view.element, view.control ?? view.element, prop, value)) view.set(prop, value);
}
