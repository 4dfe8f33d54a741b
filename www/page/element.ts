type Attributes = { [name: string]: string };

/** Creates an element with optional attributes and children; strings become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  ...content: (Attributes | Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const one of content) {
    if (typeof one === "string" || one instanceof Node) made.append(one);
    else for (const [name, value] of Object.entries(one)) made.setAttribute(name, value);
  }
  return made;
}

/** Creates a `div` with a CSS class. */
export const div = (className: string, ...children: (Node | string)[]): HTMLDivElement =>
  element("div", { class: className }, ...children);

/** Creates a `span` with a CSS class. */
export const span = (className: string, ...children: (Node | string)[]): HTMLSpanElement =>
  element("span", { class: className }, ...children);

/** Creates a paragraph with a CSS class. */
export const p = (className: string, ...children: (Node | string)[]): HTMLParagraphElement =>
  element("p", { class: className }, ...children);

/** Returns the element with this id. Throws if there is none. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

export function button(
  label: string,
  attributes: { [name: string]: string },
  click: () => void,
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  // The event is not passed, because `click` may have optional parameters.
  made.addEventListener("click", () => click());
  return made;
}

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: { [name: string]: string },
): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Creates arrowhead markers; each id is also the CSS class. */
export function arrowHeads(ids: readonly string[], size: number): SVGDefsElement {
  const defs = svg("defs", {});
  for (const id of ids) {
    const marker = svg("marker", {
      id,
      class: id,
      viewBox: "0 0 6 6",
      refX: "5",
      refY: "3",
      markerWidth: String(size),
      markerHeight: String(size),
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    });
    marker.append(svg("path", { d: "M0 0L6 3L0 6Z" }));
    defs.append(marker);
  }
  return defs;
}
