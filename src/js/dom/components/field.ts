import { failedCheck } from "../../functions/checks.js";
import { asText, displayText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Context } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { createElement } from "./create-element.js";

/** Validation message of an input. */
export interface ValidationMessage {
  readonly element: HTMLElement;
  /** Applies `checks` or `validationRegexp`. Returns false for another property. */
  set(prop: string, value: Json): boolean;
  /** Validates a value. The message is shown once the field was touched. */
  check(value: Json | undefined): void;
  touch(): void;
}

/**
 * Creates the message. `describe` is called with the id of its element, or with an empty string
 * while it is hidden. `nativeMessage` returns the validation message of the browser.
 */
export function createMessage(
  context: Context,
  node: MirrorNode,
  describe: (described: string) => void,
  nativeMessage: () => string = () => "",
): ValidationMessage {
  const element = createElement(context, "div", "bn-message");
  element.id = context.newId();
  element.setAttribute("role", "alert");
  element.dir = "auto";
  element.hidden = true;
  const check = (value: Json | undefined): void => {
    if (!node.memo?.has("touched")) return;
    const failed = failedCheck(node.props, value, context) ?? nativeMessage();
    // Screen readers would announce an equal text again.
    if (element.textContent !== failed) element.textContent = failed;
    element.hidden = failed === "";
    describe(failed === "" ? "" : element.id);
  };
  return {
    element,
    check,
    touch: () => {
      context.afterPress(() => {
        node.storeState("touched", "");
        check(node.props.get("value"));
      });
    },
    set: (prop, value) => {
      if (prop === "value") check(value);
      if (prop !== "checks" && prop !== "validationRegexp") return false;
      check(node.props.get("value"));
      return true;
    },
  };
}

/** Common parts of inputs: a label of the control, and a validation message. */
export interface Field extends ValidationMessage {
  readonly label: HTMLLabelElement;
  /** Replaces the control. */
  replace(next: HTMLInputElement | HTMLTextAreaElement): void;
}

export function createField(
  context: Context,
  node: MirrorNode,
  first: HTMLInputElement | HTMLTextAreaElement,
  className: string,
): Field {
  let control = first;
  const element = createElement(context, "div", `bn-field ${className}`);
  const label = createElement(context, "label", "bn-label");
  control.id = context.newId();
  label.htmlFor = control.id;
  label.dir = "auto";
  const describe = (described: string): void => {
    updateAttribute(control, "aria-invalid", described === "" ? "" : "true");
    updateAttribute(control, "aria-describedby", described);
  };
  const message = createMessage(context, node, describe, () => control.validationMessage);
  element.append(label, control, message.element);
  label.hidden = true;
  const name = (): void => setFallbackName(label, node, control);
  name();

  return {
    ...message,
    element,
    label,
    replace: (next) => {
      control.replaceWith(next);
      control = next;
    },
    set: (prop, value) => {
      if (prop === "placeholder") name();
      if (prop !== "label") return message.set(prop, value);
      label.textContent = displayText(value);
      label.hidden = label.textContent === "";
      name();
      return true;
    },
  };
}

/** Sets `aria-label` to the placeholder or id of a field without a visible label. */
export function setFallbackName(label: HTMLElement, node: MirrorNode, control: HTMLElement): void {
  if (ownProperty(node.props.get("accessibility"), "label") !== undefined) return;
  const name = label.hidden ? asText(node.props.get("placeholder")) || node.id : "";
  updateAttribute(control, "aria-label", name);
}
