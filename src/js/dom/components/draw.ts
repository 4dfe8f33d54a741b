import { describeType, throwMisuse } from "../../arguments.js";
import { evaluateProps } from "../../functions/evaluate.js";
import { report, runAndReport } from "../../report.js";
import type { Json } from "../../types.js";
import { setCommonProp } from "../base/accessibility.js";
import type { Component, Context, MountOptions } from "../base/component.js";
import type { MirrorNode, View } from "../base/mirror-node.js";
import { builtin } from "./index.js";
import { failed, placeholder, tooLarge, unknown } from "./placeholder.js";

export type ComponentMap = ReadonlyMap<string, Component>;

/** Returns the built-in components, overridden by custom ones. */
export function mergeComponents(options: MountOptions): ComponentMap {
  return new Map([...builtin, ...Object.entries(options.components ?? {})]);
}

/** Draws a node and its descendants. Returns the element. */
export function draw(node: MirrorNode, context: Context, components: ComponentMap): HTMLElement {
  const make = node.component === "" ? placeholder : (components.get(node.component) ?? unknown);
  return drawAs(make, node, context);
}

/** Draws the message for a node that exceeds `maxElements`. Returns the element. */
export function drawOmitted(node: MirrorNode, context: Context): HTMLElement {
  return drawAs(tooLarge, node, context);
}

function drawAs(make: Component, node: MirrorNode, context: Context): HTMLElement {
  evaluateProps(node.props, context);
  runGuarded(node, context, () => createView(node, make, context));
  return (node.view as View).element;
}

/**
 * Runs a task of one component. If it throws, an error box replaces the component, and the other
 * components keep working.
 */
export function runGuarded(node: MirrorNode, context: Context, task: () => void): void {
  try {
    task();
  } catch (error) {
    report(error);
    const old = node.view;
    node.view = null;
    if (old) disposeView(old);
    context.adoption?.restart();
    createView(node, failed, context);
    const { element } = node.view as unknown as View;
    if (old && old.element !== element) old.element.replaceWith(element);
  }
}

function createView(node: MirrorNode, make: Component, context: Context): void {
  const view = make(node, context);
  assertView(view, node.component);
  node.view = view;
  if (view.foreign) context.adoption?.skipContents(view);
  view.element.classList.add("bn");
  view.element.dataset["key"] = node.key;
  view.element.dataset["id"] = node.id;
  for (const [prop, value] of node.props) setProp(view, prop, value);
  view.children?.fill();
}

export function setProp(view: View, prop: string, value: Json, appended?: string): void {
  if (!setCommonProp(view.element, view.control ?? view.element, prop, value))
    view.set(prop, value, appended);
}

/** Calls the `dispose` functions of a view. Errors are reported and not thrown. */
export function disposeView(view: View): void {
  runAndReport(() => view.children?.dispose?.());
  runAndReport(() => view.dispose?.());
}

/** Throws if a component did not return a view. */
function assertView(view: unknown, component: string): void {
  const { element, set } = Object(view) as { [name: string]: unknown };
  const fail = (name: string, value: unknown): never => {
    const what = Object(view) === view ? ` whose \`${name}\` is ${describeType(value)}` : "";
    return throwMisuse(
      `expected \`${component}\` to return \`{ element, set }\`, found ${describeType(view)}${what}`,
    );
  };
  if (typeof (element as HTMLElement | null)?.append !== "function") fail("element", element);
  if (typeof set !== "function") fail("set", set);
}
