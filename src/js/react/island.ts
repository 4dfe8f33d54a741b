import { createElement, type ReactNode } from "react";
import type { Component, Context, SurfaceLike } from "../dom/base/component.js";
import { childrenOf } from "../dom/base/mirror.js";
import type { Children, MirrorNode, View } from "../dom/base/mirror-node.js";
import { insertElement } from "../dom/base/move-element.js";
import { trigger } from "../dom/trigger.js";
import type { Json } from "../types.js";
import { Signal } from "./signal.js";
import { SlotView } from "./slot-view.js";

/** The islands that React draws at one place of its own tree, so that what surrounds the place (contexts, error boundaries) reaches them. */
export type Islands = Signal<readonly Island[]>;

/** Where the children of an island go, which the renderer draws; the island's component says where it stands. */
export interface Slot {
  readonly container: HTMLElement;
  /** The islands among and below these children. */
  readonly islands: Islands;
  /** The children as a server draws them. */
  frozen?: ReactNode;
}

/** An island that stands in React's own tree, because a server has drawn it there; null once it is gone. */
export type Standing = Signal<Island | null>;

type Props = { readonly [prop: string]: Json };

const onElements = new WeakMap<object, Island>();

/** The island whose element this is. */
export function islandOn(element: object): Island | undefined {
  return onElements.get(element);
}

/** An instance that React draws, in a page that is otherwise drawn by the renderer of `byname/dom`. */
export class Island {
  readonly instance: { readonly key: string; readonly id: string; readonly component: string };
  readonly element: HTMLElement;
  readonly props: Signal<Props>;
  readonly children: ReactNode;
  readonly slots = new Map<string, Slot>();
  /** Whether a server has drawn it. */
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
    onElements.set(this.element, this);
    this.props = new Signal(this.#read());
    this.children = this.slot("");
  }

  readonly slot = (name: string): ReactNode =>
    createElement(SlotView, { key: name, slot: this.slotOf(name) });

  readonly set = (prop: string, value: Json): void =>
    this.#surface.input(this.instance.key, prop, value);

  readonly trigger = (event = "action"): void => {
    trigger(this.#surface, this.instance.key, event, this.#context);
  };

  slotOf(name: string): Slot {
    const known = this.slots.get(name);
    if (known) return known;
    const { adoption, document } = this.#context;
    // Other elements inside are those of React, so none of them may be taken for this one.
    const container =
      adoption?.claim(
        (one) => one.className === "bn-slot" && one.getAttribute("data-slot") === name,
      ) ?? (this.element.ownerDocument ?? document).createElement("div");
    container.className = "bn-slot";
    container.dataset["slot"] = name;
    const slot = { container, islands: new Signal<readonly Island[]>([]) };
    this.slots.set(name, slot);
    return slot;
  }

  /** Shows the properties as they are now. */
  refresh(): void {
    this.props.set(this.#read());
  }

  #read(): Props {
    return Object.freeze(Object.fromEntries(this.#node.props));
  }
}

/** The component that stands in the renderer for every component of React. */
export function islandsOf(
  surface: SurfaceLike,
  top: Islands,
  standing: ReadonlyMap<string, Standing>,
): Component {
  const islands = new WeakMap<MirrorNode, Island>();
  return (node, context): View => {
    const island = new Island(node, context, surface);
    const around = surrounding(node, islands)?.islands ?? top;
    islands.set(node, island);
    const place = island.adopted ? standing.get(node.key) : undefined;
    if (place) place.set(island);
    else around.set([...around.get(), island]);
    // Where its place in the tree goes, as when a component shows its children no more, it is one like the others.
    const stop = place?.onEnd(() => {
      island.element.replaceChildren();
      around.set([...around.get(), island]);
    });
    let filled = false;
    return {
      element: island.element,
      foreign: true,
      // Each property is set once before the children are filled in, and the island has read them all.
      set: () => filled && island.refresh(),
      children: slotted(context, node, island, () => {
        filled = true;
      }),
      dispose: () => {
        stop?.();
        place?.set(null);
        around.set(around.get().filter((one) => one !== island));
      },
    };
  };
}

/** The slot of the nearest island above the node that the node is in. */
function surrounding(node: MirrorNode, islands: WeakMap<MirrorNode, Island>): Slot | undefined {
  let below = node;
  for (let one = node.parent; one; one = one.parent) {
    const island = islands.get(one);
    if (island) return island.slotOf(below.slot ?? "");
    below = one;
  }
  return undefined;
}

/** Children in the slots that they name. */
function slotted(context: Context, node: MirrorNode, island: Island, done: () => void): Children {
  const insert = (child: MirrorNode): void => {
    let next = child.next;
    while (next && (next.slot !== child.slot || !next.view)) next = next.next;
    const { container } = island.slotOf(child.slot ?? "");
    insertElement(container, context.show(child), next?.view?.element ?? null);
  };
  return {
    fill: () => {
      for (const child of childrenOf(node)) {
        const { container } = island.slotOf(child.slot ?? "");
        container.append(context.show(child));
      }
      done();
    },
    insert,
    move: insert,
    remove: (child) => child.view?.element.remove(),
  };
}
