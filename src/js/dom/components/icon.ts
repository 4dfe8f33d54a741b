import { asText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Component } from "../base/component.js";
import { icons } from "../base/icons.js";
import { make } from "./create-element.js";

const svg = "http://www.w3.org/2000/svg";
/** Allowed characters of SVG path data. */
const path = /^[\sMmLlHhVvCcSsQqTtAaZz0-9.,eE+-]+$/;

/** Icon by name. An unknown name is shown as text. */
export const icon: Component = (node, context) => {
  const element = make(context, "span", "bn-icon");
  const draw = (value: Json): void => {
    const own_ = ownProperty(value, "svgPath");
    const name = asText(value);
    // Accepts `arrow_back` for `arrowBack`.
    const strokes = icons.get(
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    element.classList.toggle("bn-icon-name", strokes === undefined && own_ === undefined);
    // Screen readers announce the name unless the author set a label.
    if (ownProperty(node.props.get("accessibility"), "label") === undefined) {
      if (name === "") element.removeAttribute("aria-label");
      else element.setAttribute("aria-label", words(name));
    }
    if (typeof own_ === "string" && path.test(own_)) element.replaceChildren(drawing(own_, true));
    else if (strokes !== undefined) element.replaceChildren(drawing(strokes, false));
    else element.textContent = words(name);
  };
  element.setAttribute("role", "img");
  const drawing = (d: string, filled: boolean): SVGElement => {
    const picture = context.document.createElementNS(svg, "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    const line = context.document.createElementNS(svg, "path");
    line.setAttribute("d", d);
    line.setAttribute("class", filled ? "bn-filled" : "bn-stroked");
    picture.append(line);
    return picture;
  };
  return {
    element,
    set: (prop, value) => {
      if (prop === "name") draw(value);
    },
  };
};

/** Returns the words of a camelCase or snake_case name: `shopping cart`. */
function words(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}
