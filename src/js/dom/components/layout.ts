import { oneOf } from "../../json-value.js";
import { attribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { flow } from "../base/direct-children.js";
import { rows } from "../base/list-children.js";
import { make } from "./create-element.js";

const justify = [
  "start",
  "center",
  "end",
  "spaceBetween",
  "spaceAround",
  "spaceEvenly",
  "stretch",
] as const;
const align = ["stretch", "start", "center", "end"] as const;
const css: { readonly [name: string]: string } = {
  spaceBetween: "space-between",
  spaceAround: "space-around",
  spaceEvenly: "space-evenly",
};

function flex(element: HTMLElement): (prop: string, value: Parameters<typeof oneOf>[0]) => void {
  return (prop, value) => {
    if (prop === "justify") {
      const name = oneOf(value, justify);
      element.style.justifyContent = css[name] ?? name;
      element.classList.toggle("bn-stretch", name === "stretch");
    } else if (prop === "align") {
      const name = oneOf(value, align);
      element.style.alignItems = name;
      attribute(element, "data-align", name === "stretch" ? "" : name);
    }
  };
}

export const row: Component = (node, context) => {
  const element = make(context, "div", "bn-row");
  return { element, set: flex(element), children: flow(context, node, element) };
};

export const column: Component = (node, context) => {
  const element = make(context, "div", "bn-column");
  return { element, set: flex(element), children: rows(context, node, element, false) };
};

export const list: Component = (node, context) => {
  const element = make(context, "div", "bn-list");
  element.setAttribute("role", "list");
  const across = node.props.get("direction") === "horizontal";
  const set = flex(element);
  return {
    element,
    set: (prop, value) => {
      if (prop !== "direction") return set(prop, value);
      element.classList.toggle("bn-across", value === "horizontal");
      // Makes the list scrollable by keyboard.
      attribute(element, "tabindex", value === "horizontal" ? "0" : "");
    },
    // A horizontal list is not windowed, because the window uses row heights.
    children: rows(context, node, element, true, across ? Infinity : context.windowAbove),
  };
};

export const card: Component = (node, context) => {
  const element = make(context, "div", "bn-card");
  return { element, set: () => {}, children: flow(context, node, element) };
};

export const divider: Component = (_node, context) => {
  const element = make(context, "div", "bn-divider");
  element.setAttribute("role", "separator");
  return {
    element,
    set: (prop, value) => {
      if (prop !== "axis") return;
      const axis = oneOf(value, ["horizontal", "vertical"]);
      element.setAttribute("aria-orientation", axis);
      element.classList.toggle("bn-vertical", axis === "vertical");
    },
  };
};
