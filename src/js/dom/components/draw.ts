import { describeType, throwMisuse } from "../../arguments.js";
import { evaluateProps } from "../../functions/evaluate.js";
import { report, runAndReport } from "../../report.js";
import type { Json } from "../../types.js";
import { setCommon } from "../base/accessibility.js";
import type { Component, Context, MountOptions } from "../base/component.js";
import type { MirrorNode, View } from "../base/mirror-node.js";
import { builtin } from "./index.js";
import { failed, placeholder, unknown } from "./placeholder.js";

export type Components = ReadonlyMap<string, Component>;

/** Returns the built-in components, overridden by custom ones. */
export function componentsOf(options: MountOptions): Components {
  return new Map([...builtin, ...Object.entries(options.components ?? {})]);
}

/** Draws a node and its descendants. Returns the element. */
export function draw(node: MirrorNode, context: Context, components: Components): HTMLElement {
  evaluateProps(node.props, context);
  const make = node.component === "" ? placeholder : (components.get(node.component) ?? unknown);
  guard(node, context, () => fill(node, make, context));
  return (node.view as View).element;
}

/**
 * Runs a task of one component. If it throws, an error box replaces the component, and the other
 * components keep working.
 */
export function guard(node: MirrorNode, context: Context, task: () => void): void {
  try {
    task();
  } catch (error) {
    report(error);
    const old = node.view;
    node.view = null;
    if (old) close(old);
    context.adoption?.restart();
    fill(node, failed, context);
    const { element } = node.view as unknown as View;
    if (old && old.element !== element) old.element.replaceWith(element);
  }
}

function fill(node: MirrorNode, make: Component, context: Context): void {
  const view = make(node, context);
  needView(view, node.component);
  node.view = view;
  if (view.foreign) context.adoption?.leave(view);
  view.element.classList.add("bn");
  view.element.dataset["key"] = node.key;
  view.element.dataset["id"] = node.id;
  for (const [prop, value] of node.props) show(view, prop, value);
  view.children?.fill();
}

export function show(view: View, prop: string, value: Json): void {
  if (!setCommon(view.element, view.control ?? view.element, prop, value)) view.set(prop, value);
}

/** Calls the `dispose` functions of a view. Errors are reported and not thrown. */
export function close(view: View): void {
  runAndReport(() => view.children?.dispose?.());
  runAndReport(() => view.dispose?.());
}

/** Throws if a component did not return a view. */
function needView(view: unknown, component: string): void {
  const { element, set } = Object(view) as { [name: string]: unknown };
  const lacks = (name: string, value: unknown): never => {
    const what = Object(view) === view ? ` whose \`${name}\` is ${describeType(value)}` : "";
    return throwMisuse(
      `\`${component}\` returns \`{ element, set }\`, not ${describeType(view)}${what}`,
    );
  };
  if (typeof (element as HTMLElement | null)?.append !== "function") lacks("element", element);
  if (typeof set !== "function") lacks("set", set);
}
