import type { Json } from "../../types.js";
import { asText, own } from "../../value.js";
import { attribute } from "../accessibility.js";
import { failedCheck } from "../checks.js";
import type { MirrorNode } from "../mirror.js";
import type { Context } from "../view.js";
import { make } from "./make.js";

/** What all inputs share: a label tied to the control, and a message when a check fails. */
export interface Field {
  readonly element: HTMLElement;
  readonly label: HTMLLabelElement;
  /** Sets what every field has (`label`, `checks`, `validationRegexp`); false when it was another property. */
  set(prop: string, value: Json): boolean;
  /** Looks at the value again; the message shows once the user has been there. */
  check(value: Json | undefined): void;
  touch(): void;
  /** Another element takes the place of the control. */
  replace(next: HTMLElement): void;
}

export function field(
  context: Context,
  node: MirrorNode,
  first: HTMLElement,
  className: string,
): Field {
  let control = first;
  const element = make(context, "div", `bn-field ${className}`);
  const label = make(context, "label", "bn-label");
  const message = make(context, "div", "bn-message");
  control.id = context.newId();
  label.htmlFor = control.id;
  message.id = context.newId();
  message.hidden = true;
  element.append(label, control, message);
  label.hidden = true;
  name();
  let touched = false;

  const check = (value: Json | undefined): void => {
    const failed = touched ? failedCheck(node.props, value) : null;
    message.textContent = failed ?? "";
    message.hidden = failed === null;
    attribute(control, "aria-invalid", failed === null ? "" : "true");
    attribute(control, "aria-describedby", failed === null ? "" : message.id);
  };
  /** A field without words is still called something. */
  function name(): void {
    if (own(node.props.get("accessibility"), "label") !== undefined) return;
    attribute(
      control,
      "aria-label",
      label.hidden ? asText(node.props.get("placeholder")) || node.id : "",
    );
  }
  return {
    element,
    label,
    check,
    touch: () => {
      context.afterPress(() => {
        touched = true;
        check(node.props.get("value"));
      });
    },
    replace: (next) => {
      control.replaceWith(next);
      control = next;
    },
    set: (prop, value) => {
      if (prop === "placeholder") name();
      if (prop === "label") {
        label.textContent = asText(value);
        label.hidden = label.textContent === "";
        name();
      } else if (prop === "checks" || prop === "validationRegexp") check(node.props.get("value"));
      else return false;
      return true;
    },
  };
}
