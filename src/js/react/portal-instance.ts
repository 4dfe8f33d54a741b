import { createElement, type ReactNode } from "react";
import type { Component, Context, SurfaceLike } from "../dom/base/component.js";
import { childrenOf } from "../dom/base/mirror.js";
import type { Children, MirrorNode, View } from "../dom/base/mirror-node.js";
import { insertElement } from "../dom/base/move-element.js";
import { triggerAction } from "../dom/trigger.js";
import type { InputError } from "../input-check.js";
import type { Json } from "../types.js";
import type { Placeholder, Portal, PortalList, Slot } from "./portal.js";
import { SlotView } from "./portal-view.js";
import { Signal } from "./signal.js";

type Props = { readonly [prop: string]: Json };

const portalsByElement = new WeakMap<object, PortalInstance>();

/** Returns the portal that renders into an element, or undefined. */
export function portalOf(element: object): PortalInstance | undefined {
  return portalsByElement.get(element);
}

/** Portal of one instance into the page of the `byname/dom` renderer. */
export class PortalInstance implements Portal {
  readonly instance: { readonly key: string; readonly id: string; readonly component: string };
  readonly element: HTMLElement;
  readonly props: Signal<Props>;
  readonly children: ReactNode;
  readonly slots = new Map<string, Slot>();
  /** Whether a server rendered it. */
  readonly adopted: boolean;
  readonly #node: MirrorNode;
  readonly #context: Context;
  readonly #surface: SurfaceLike;

  constructor(node: MirrorNode, context: Context, surface: SurfaceLike) {
    const { key, id, component } = node;
    this.instance = Object.freeze({ key, id, component });
    this.#node = node;
    this.#context = context;
    this.#surface = surface;
    this.element = context.document.createElement("div");
    this.adopted = this.element.className !== "";
    this.element.className = this.adopted ? "bn-react" : "bn-react bn-waiting";
    portalsByElement.set(this.element, this);
    this.props = new Signal(this.#read());
    this.children = this.slot("");
  }

  readonly slot = (name: string): ReactNode =>
    createElement(SlotView, { key: name, slot: this.slotOf(name) });

  readonly set = (prop: string, value: Json): void =>
    this.#surface.input(this.instance.key, prop, value);

  readonly trigger = (event = "action"): void => {
    triggerAction(this.#surface, this.instance.key, event, this.#context);
  };

  slotOf(name: string): Slot {
    const existing = this.slots.get(name);
    if (existing) return existing;
    const { adoption, document } = this.#context;
    // Other elements inside belong to React and must not be claimed.
    const container =
      adoption?.claimMatching(
        (one) => one.className === "bn-slot" && one.getAttribute("data-slot") === name,
      ) ?? (this.element.ownerDocument ?? document).createElement("div");
    container.className = "bn-slot";
    container.dataset["slot"] = name;
    const slot = { container, portals: new Signal<readonly PortalInstance[]>([]) };
    this.slots.set(name, slot);
    return slot;
  }

  errors(): readonly InputError[] {
    const error = this.#context.errorOf(this.#node);
    return error ? [error] : [];
  }

  /** Updates the properties. */
  refresh(): void {
    this.props.set(this.#read());
  }

  #read(): Props {
    return Object.freeze(Object.fromEntries(this.#node.props));
  }
}

/**
 * Returns the renderer component of all React components: it creates a portal for each instance.
 */
export function portalComponent(
  surface: SurfaceLike,
  rootPortals: PortalList,
  placeholders: ReadonlyMap<string, Placeholder>,
): Component {
  const portals = new WeakMap<MirrorNode, PortalInstance>();
  return (node, context): View => {
    const portal = new PortalInstance(node, context, surface);
    const siblings = parentSlot(node, portals)?.portals ?? rootPortals;
    portals.set(node, portal);
    const placeholder = portal.adopted ? placeholders.get(node.key) : undefined;
    if (placeholder) placeholder.set(portal);
    else siblings.set([...siblings.get(), portal]);
    // If React removes the placeholder, the portal joins the others.
    const unsubscribe = placeholder?.onEnd(() => {
      portal.element.replaceChildren();
      siblings.set([...siblings.get(), portal]);
    });
    let isFilled = false;
    return {
      element: portal.element,
      foreign: true,
      // The constructor reads all properties before the children are filled in.
      set: () => isFilled && portal.refresh(),
      children: slotChildren(context, node, portal, () => {
        isFilled = true;
      }),
      dispose: () => {
        unsubscribe?.();
        placeholder?.set(null);
        siblings.set(siblings.get().filter((other) => other !== portal));
      },
    };
  };
}

/** Returns the slot of the closest portal ancestor, or undefined. */
function parentSlot(
  node: MirrorNode,
  portals: WeakMap<MirrorNode, PortalInstance>,
): Slot | undefined {
  let child = node;
  for (let one = node.parent; one; one = one.parent) {
    const portal = portals.get(one);
    if (portal) return portal.slotOf(child.slot ?? "");
    child = one;
  }
  return undefined;
}

/** Returns the child operations of a portal with slots. */
function slotChildren(
  context: Context,
  node: MirrorNode,
  portal: PortalInstance,
  onFilled: () => void,
): Children {
  const insert = (child: MirrorNode): void => {
    let next = child.next;
    while (next && (next.slot !== child.slot || !next.view)) next = next.next;
    const { container } = portal.slotOf(child.slot ?? "");
    insertElement(container, context.show(child), next?.view?.element ?? null);
  };
  return {
    fill: () => {
      for (const child of childrenOf(node)) {
        const { container } = portal.slotOf(child.slot ?? "");
        container.append(context.show(child));
      }
      onFilled();
    },
    insert,
    move: insert,
    remove: (child) => child.view?.element.remove(),
  };
}
