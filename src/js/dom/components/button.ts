import { failedCheck } from "../../functions/checks.js";
import { oneOf } from "../../json-value.js";
import type { Component } from "../base/component.js";
import { directChildren } from "../base/direct-children.js";
import { createElement } from "./create-element.js";

export const button: Component = (node, context) => {
  const element = createElement(context, "button", "bn-button");
  element.type = "button";
  element.dataset["variant"] = "default";
  let off = false;
  element.addEventListener("click", () => {
    if (off) return;
    if (node.props.get("submit") !== true || context.validateForm(node)) context.trigger(node);
  });
  return {
    element,
    children: directChildren(context, node, element),
    set: (prop, value) => {
      if (prop === "variant")
        element.dataset["variant"] = oneOf(value, ["default", "primary", "borderless"]);
      else if (prop === "checks") {
        const message = failedCheck(node.props, undefined, context);
        off = message !== null;
        // The button stays focusable, so that keyboard users reach it and its message.
        element.setAttribute("aria-disabled", String(off));
        element.title = message ?? "";
      }
    },
  };
};
