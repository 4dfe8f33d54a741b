import { describeType, throwMisuse } from "../../arguments.js";
import { evaluateProps, isAction } from "../../functions/evaluate.js";
import { report, runAndReport } from "../../report.js";
import type { Instance, Json } from "../../types.js";
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
export function drawNode(
  node: MirrorNode,
  context: Context,
  components: ComponentMap,
): HTMLElement {
  const make = node.component === "" ? placeholder : (components.get(node.component) ?? unknown);
  return drawAs(make, node, context);
}

/** Draws the message for a node that exceeds `maxElements`. Returns the element. */
export function drawOmitted(node: MirrorNode, context: Context): HTMLElement {
  return drawAs(tooLarge, node, context);
}

function drawAs(make: Component, node: MirrorNode, context: Context): HTMLElement {
  // Only lists and maps contain calls.
  if (node.hasOwnProps || mayContainCall(node.read())) evaluateProps(node.props, context);
  runGuarded(node, context, () => createView(node, make, context));
  return (node.view as View).element;
}

/** Returns whether a property may contain a call that is evaluated now. */
function mayContainCall({ props }: Instance): boolean {
  for (const prop in props) {
    const value = props[prop] as Json;
    if (typeof value === "object" && value !== null && !isAction(value)) return true;
  }
  return false;
}

/**
 * Runs a task of one component. If it throws, an error box replaces the component, and the other
 * components keep working.
 */
export function runGuarded(node: MirrorNode, context: Context, task: () => void): void {
  try {
    task();
  } catch (error) {
    replaceFailed(node, context, error);
  }
}

function replaceFailed(node: MirrorNode, context: Context, error: unknown): void {
  report(error);
  const old = node.view;
  node.view = null;
  if (old) disposeView(old);
  context.adoption?.releaseClaimed();
  createView(node, failed, context);
  const { element } = node.view as unknown as View;
  if (old && old.element !== element) old.element.replaceWith(element);
}

function createView(node: MirrorNode, make: Component, context: Context): void {
  const view = make(node, context);
  assertView(view, node.component);
  node.view = view;
  if (view.foreign) context.adoption?.skipContents(view);
  markInstance(view.element, node);
  if (node.hasOwnProps) for (const [prop, value] of node.props) setProp(view, prop, value);
  else {
    const { props } = node.read();
    for (const prop of Object.keys(props)) setProp(view, prop, props[prop] as Json);
  }
  view.children?.fill();
}

/** Adds the class and the names of an instance. Attributes are faster than `dataset`. */
function markInstance(element: HTMLElement, node: MirrorNode): void {
  const { id, key } = node;
  // Cloned elements of the built-in components have the class and the id.
  const names = element.getAttribute("class") ?? "";
  if (!` ${names} `.includes(" bn ")) element.setAttribute("class", names ? `${names} bn` : "bn");
  element.setAttribute("data-key", key);
  if (element.getAttribute("data-id") !== id) element.setAttribute("data-id", id);
}

export function setProp(view: View, prop: string, value: Json, appended?: string): void {
  if (!setCommonProp(view.element, view.control ?? view.element, prop, value))
    view.set(prop, value, appended);
}

/** Calls the `dispose` functions of a view. Errors are reported and not thrown. */
export function disposeView(view: View): void {
  if (view.children?.dispose) runAndReport(() => view.children?.dispose?.());
  if (view.dispose) runAndReport(() => view.dispose?.());
}

/** Throws if a component did not return a view. */
function assertView(view: unknown, component: string): void {
  const { element, set } = Object(view) as { [name: string]: unknown };
  const hasElement = typeof (element as HTMLElement | null)?.append === "function";
  if (hasElement && typeof set === "function") return;
  const fail = (name: string, value: unknown): never => {
    const what = Object(view) === view ? ` whose \`${name}\` is ${describeType(value)}` : "";
    return throwMisuse(
      `expected \`${component}\` to return \`{ element, set }\`, found ${describeType(view)}${what}`,
    );
  };
  if (!hasElement) fail("element", element);
  fail("set", set);
}
