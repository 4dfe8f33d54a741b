import { oneOf } from "../../json-value.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { directChildren } from "../base/direct-children.js";
import { listChildren } from "../base/list-children.js";
import { createElement, createFrom, elementModel } from "./create-element.js";

const ROW = elementModel("div", "bn-row bn");
const COLUMN = elementModel("div", "bn-column bn");
const CARD = elementModel("div", "bn-card bn");

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
const CSS_NAMES: { readonly [name: string]: string } = {
  spaceBetween: "space-between",
  spaceAround: "space-around",
  spaceEvenly: "space-evenly",
};

function flexSetter(
  element: HTMLElement,
): (prop: string, value: Parameters<typeof oneOf>[0]) => void {
  return (prop, value) => {
    if (prop === "justify") {
      const name = oneOf(value, justify);
      element.style.justifyContent = CSS_NAMES[name] ?? name;
      element.classList.toggle("bn-stretch", name === "stretch");
    } else if (prop === "align") {
      const name = oneOf(value, align);
      element.style.alignItems = name;
      updateAttribute(element, "data-align", name === "stretch" ? "" : name);
    }
  };
}

export const row: Component = (node, context) => {
  const element = createFrom(context, ROW, node);
  return { element, set: flexSetter(element), children: directChildren(context, node, element) };
};

export const column: Component = (node, context) => {
  const element = createFrom(context, COLUMN, node);
  return {
    element,
    set: flexSetter(element),
    children: listChildren(context, node, element, "long"),
  };
};

export const list: Component = (node, context) => {
  const element = createElement(context, "div", "bn-list");
  element.setAttribute("role", "list");
  const isHorizontal = node.props.get("direction") === "horizontal";
  const set = flexSetter(element);
  return {
    element,
    set: (prop, value) => {
      if (prop !== "direction") return set(prop, value);
      element.classList.toggle("bn-across", value === "horizontal");
      // Makes the list scrollable by keyboard.
      updateAttribute(element, "tabindex", value === "horizontal" ? "0" : "");
    },
    // A horizontal list is not windowed, because the window uses row heights.
    children: listChildren(
      context,
      node,
      element,
      "all",
      isHorizontal ? Infinity : context.windowAbove,
    ),
  };
};

export const card: Component = (node, context) => {
  const element = createFrom(context, CARD, node);
  return { element, set: () => {}, children: directChildren(context, node, element) };
};

export const divider: Component = (_node, context) => {
  const element = createElement(context, "div", "bn-divider");
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
