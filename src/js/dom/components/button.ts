import { failedCheck } from "../../functions/checks.js";
import { oneOf } from "../../json-value.js";
import type { Component } from "../base/component.js";
import { directChildren } from "../base/direct-children.js";
import { createFrom, elementModel } from "./create-element.js";

const BUTTON = elementModel("button", "bn-button bn", {
  type: "button",
  "data-variant": "default",
});
const VARIANTS = ["default", "primary", "borderless"] as const;

export const button: Component = (node, context) => {
  const element = createFrom(context, BUTTON, node);
  let variant: (typeof VARIANTS)[number] = "default";
  let off = false;
  element.addEventListener("click", () => {
    if (off) return;
    if (node.props.get("submit") !== true || context.validateForm(node)) context.trigger(node);
  });
  return {
    element,
    children: directChildren(context, node, element),
    set: (prop, value) => {
      if (prop === "variant") {
        const name = oneOf(value, VARIANTS);
        if (name !== variant) element.setAttribute("data-variant", name);
        variant = name;
      } else if (prop === "checks") {
        const message = failedCheck(node.props, undefined, context);
        off = message !== null;
        // The button stays focusable, so that keyboard users reach it and its message.
        element.setAttribute("aria-disabled", String(off));
        element.title = message ?? "";
      }
    },
  };
};
