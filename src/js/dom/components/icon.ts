import { asText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Component } from "../base/component.js";
import { icons } from "../base/icons.js";
import { createElement } from "./create-element.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
/** Allowed characters of SVG path data. */
const PATH_DATA = /^[\sMmLlHhVvCcSsQqTtAaZz0-9.,eE+-]+$/;

/** Icon by name. An unknown name is shown as text. */
export const icon: Component = (node, context) => {
  const element = createElement(context, "span", "bn-icon");
  const draw = (value: Json): void => {
    const customPath = ownProperty(value, "svgPath");
    const name = asText(value);
    // Accepts `arrow_back` for `arrowBack`.
    const strokes = icons.get(
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    element.classList.toggle("bn-icon-name", strokes === undefined && customPath === undefined);
    // Screen readers announce the name unless the author set a label.
    if (ownProperty(node.props.get("accessibility"), "label") === undefined) {
      if (name === "") element.removeAttribute("aria-label");
      else element.setAttribute("aria-label", toWords(name));
    }
    if (typeof customPath === "string" && PATH_DATA.test(customPath))
      element.replaceChildren(createPicture(customPath, true));
    else if (strokes !== undefined) element.replaceChildren(createPicture(strokes, false));
    else element.textContent = toWords(name);
  };
  element.setAttribute("role", "img");
  const createPicture = (d: string, filled: boolean): SVGElement => {
    const picture = context.document.createElementNS(SVG_NAMESPACE, "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    const line = context.document.createElementNS(SVG_NAMESPACE, "path");
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
function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}
