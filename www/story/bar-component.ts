import type { Component } from "byname/dom";
import { element } from "../page/element.js";

/** A component of this page's own: how much of the most a row has, as a bar. The number stands beside it. */
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
