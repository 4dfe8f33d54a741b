import { createElement, type ReactNode } from "react";
import type { SurfaceLike } from "../dom/base/component.js";
import { css } from "../dom/css.js";
import type { ServerElement, ServerNode } from "../dom/server/element.js";
import { safeStyles } from "../dom/server/html.js";
import { type RenderOptions, renderSurface } from "../dom/server/render.js";
import { type Island, islandOn, islandsOf, type Standing } from "./island.js";
import { Signal } from "./signal.js";
import { StandingView } from "./slot-view.js";

/** A surface as elements of React, for a server and for the moment in which its page is taken over. */
export interface Frozen {
  readonly nodes: ReactNode;
  /** The islands in it, by the keys of their instances. */
  readonly standing: ReadonlyMap<string, Standing>;
}

/** Attributes that React calls otherwise. */
const renamed: { readonly [attribute: string]: string } = {
  class: "className",
  for: "htmlFor",
  tabindex: "tabIndex",
  inputmode: "inputMode",
  referrerpolicy: "referrerPolicy",
  playsinline: "playsInline",
  checked: "defaultChecked",
  value: "defaultValue",
};
const flags = new Set(["hidden", "checked", "disabled", "controls", "playsinline", "open"]);

/** Draws the surface as it is, the components of these names by React. */
export function freeze(
  surface: SurfaceLike,
  names: readonly string[],
  options: RenderOptions,
): Frozen {
  const standing = new Map<string, Standing>();
  const none = new Signal<readonly Island[]>([]);
  const component = islandsOf(surface, none, standing);
  const components = Object.fromEntries(names.map((name) => [name, component]));
  const drawn = renderSurface(surface, { ...options, components });
  const style = createElement("style", {
    key: "style",
    className: "bn-style",
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the stylesheet is this package's own, and escaping would break it.
    dangerouslySetInnerHTML: { __html: css },
  });
  return { nodes: [style, ...drawn.map((one, at) => elementOf(one, at, standing))], standing };
}

function elementOf(node: ServerNode, key: number, standing: Map<string, Standing>): ReactNode {
  if (node.nodeType === 3) return node.data;
  const props = { ...propsOf(node), key };
  const island = islandOn(node);
  if (island) {
    for (const slot of island.slots.values()) {
      slot.frozen = elementOf(slot.container as unknown as ServerElement, 0, standing);
      // Those in it stand in their own places.
      slot.islands.set([]);
    }
    const place = new Signal<Island | null>(island);
    standing.set(island.instance.key, place);
    return createElement("div", props, createElement(StandingView, { standing: place }));
  }
  if (node.localName === "textarea")
    return createElement("textarea", { ...props, defaultValue: node.textContent });
  const children = node.childNodes.map((child, at) => elementOf(child, at, standing));
  return createElement(node.localName, props, ...children);
}

function propsOf(element: ServerElement): { [prop: string]: unknown } {
  const props: { [prop: string]: unknown } = {};
  for (const [name, value] of element.attributes)
    props[renamed[name] ?? name] = flags.has(name) ? true : value;
  const styles = safeStyles(element);
  if (styles.length > 0) props["style"] = Object.fromEntries(styles);
  if (islandOn(element)) props["className"] = "bn-react bn";
  return props;
}
