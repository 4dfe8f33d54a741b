import type { Component } from "byname/dom";
import { element } from "../page/element.js";

/** Component that shows the share of a row as a bar; the number is text next to it. */
export const barComponent: Component = () => {
  const fill = element("i");
  const made = element("div", { class: "story-bar", "aria-hidden": "true" }, fill);
  return {
    element: made,
    set: (prop, value) => {
      if (prop === "value") fill.style.transform = `scaleX(${Number(value) || 0})`;
    },
  };
};
