import { createElement, type ReactNode } from "react";
import type { SurfaceLike } from "../dom/base/component.js";
import { css } from "../dom/css.js";
import type { ServerElement, ServerNode } from "../dom/server/element.js";
import { safeStyles } from "../dom/server/html.js";
import { type RenderOptions, renderSurface } from "../dom/server/render.js";
import type { Placeholder, Portal } from "./portal.js";
import { portalComponent, portalOf } from "./portal-instance.js";
import { PlaceholderView } from "./portal-view.js";
import { Signal } from "./signal.js";

/** Server-rendered surface as React elements, also used to hydrate it. */
export interface ServerRendered {
  readonly nodes: ReactNode;
  /** Placeholders of its portals by instance key. */
  readonly placeholders: ReadonlyMap<string, Placeholder>;
}

/** React names of attributes. */
const REACT_NAMES: { readonly [attribute: string]: string } = {
  class: "className",
  for: "htmlFor",
  tabindex: "tabIndex",
  inputmode: "inputMode",
  referrerpolicy: "referrerPolicy",
  playsinline: "playsInline",
  checked: "defaultChecked",
  value: "defaultValue",
};
const BOOLEAN_ATTRIBUTES = new Set([
  "hidden",
  "checked",
  "disabled",
  "controls",
  "playsinline",
  "open",
]);

/** Renders the surface as React elements; React renders the components with these names. */
export function renderOnServer(
  surface: SurfaceLike,
  names: readonly string[],
  options: RenderOptions,
): ServerRendered {
  const placeholders = new Map<string, Placeholder>();
  const none = new Signal<readonly Portal[]>([]);
  const component = portalComponent(surface, none, placeholders);
  const components = Object.fromEntries(names.map((name) => [name, component]));
  const drawn = renderSurface(surface, { ...options, components });
  const style = createElement("style", {
    key: "style",
    className: "bn-style",
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the stylesheet is this package's own, and escaping would break it.
    dangerouslySetInnerHTML: { __html: css },
  });
  return {
    nodes: [style, ...drawn.map((one, at) => elementOf(one, at, placeholders))],
    placeholders,
  };
}

function elementOf(
  node: ServerNode,
  key: number,
  placeholders: Map<string, Placeholder>,
): ReactNode {
  if (node.nodeType === 3) return node.data;
  const props = { ...propsOf(node), key };
  const portal = portalOf(node);
  if (portal) {
    for (const slot of portal.slots.values()) {
      slot.serverRendered = elementOf(slot.container as unknown as ServerElement, 0, placeholders);
      // The portals in it have placeholders of their own.
      slot.portals.set([]);
    }
    const placeholder = new Signal<Portal | null>(portal);
    placeholders.set(portal.instance.key, placeholder);
    return createElement("div", props, createElement(PlaceholderView, { placeholder }));
  }
  if (node.localName === "textarea")
    return createElement("textarea", { ...props, defaultValue: node.textContent });
  const children = node.childNodes.map((child, at) => elementOf(child, at, placeholders));
  return createElement(node.localName, props, ...children);
}

function propsOf(element: ServerElement): { [prop: string]: unknown } {
  const props: { [prop: string]: unknown } = {};
  for (const [name, value] of element.attributes)
    props[REACT_NAMES[name] ?? name] = BOOLEAN_ATTRIBUTES.has(name) ? true : value;
  const styles = safeStyles(element);
  if (styles.length > 0) props["style"] = Object.fromEntries(styles);
  if (portalOf(element)) props["className"] = "bn-react bn";
  return props;
}
