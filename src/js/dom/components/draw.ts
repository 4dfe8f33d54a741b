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

/** The built-in components, and those of one's own, which come before them. */
export function componentsOf(options: MountOptions): Components {
  return new Map([...builtin, ...Object.entries(options.components ?? {})]);
}

/** Makes the element of a node with all that is in it. */
export function draw(node: MirrorNode, context: Context, components: Components): HTMLElement {
  evaluateProps(node.props, context);
  const make = node.component === "" ? placeholder : (components.get(node.component) ?? unknown);
  guard(node, context, () => fill(node, make, context));
  return (node.view as View).element;
}

/** Runs what belongs to one component. When it throws, a box that says so takes its place, and the components around it go on. */
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

/** Shows one property. */
export function show(view: View, prop: string, value: Json): void {
  if (!setCommon(view.element, view.control ?? view.element, prop, value)) view.set(prop, value);
}

/** Ends what a view has under way. */
export function close(view: View): void {
  runAndReport(() => view.children?.dispose?.());
  runAndReport(() => view.dispose?.());
}

/** Throws for what a component has returned instead of a view. */
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
