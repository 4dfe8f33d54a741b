import type { Json } from "../../types.js";
import { asText, own } from "../../value.js";
import { attribute } from "../accessibility.js";
import { failedCheck } from "../checks.js";
import type { MirrorNode } from "../mirror.js";
import type { Context } from "../view.js";
import { make } from "./make.js";

/** The message of an input whose value fails a check. */
export interface Message {
  readonly element: HTMLElement;
  /** Sets what belongs to the checks (`checks`, `validationRegexp`); false when it was another property. */
  set(prop: string, value: Json): boolean;
  /** Looks at the value again; the message shows once the user has been there. */
  check(value: Json | undefined): void;
  touch(): void;
}

/** `say` tells what the message is about that it is there, by the id of its element, or that it is not, by an empty text. */
export function message(
  context: Context,
  node: MirrorNode,
  say: (described: string) => void,
): Message {
  const element = make(context, "div", "bn-message");
  element.id = context.newId();
  element.hidden = true;
  let touched = false;

  const check = (value: Json | undefined): void => {
    if (!touched) return;
    const failed = failedCheck(node.props, value, context);
    element.textContent = failed ?? "";
    element.hidden = failed === null;
    say(failed === null ? "" : element.id);
  };
  return {
    element,
    check,
    touch: () => {
      context.afterPress(() => {
        touched = true;
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

/** What all inputs share: a label tied to the control, and a message when a check fails. */
export interface Field extends Message {
  readonly label: HTMLLabelElement;
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
  control.id = context.newId();
  label.htmlFor = control.id;
  const failed = message(context, node, (described) => {
    attribute(control, "aria-invalid", described === "" ? "" : "true");
    attribute(control, "aria-describedby", described);
  });
  element.append(label, control, failed.element);
  label.hidden = true;
  name();

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
    ...failed,
    element,
    label,
    replace: (next) => {
      control.replaceWith(next);
      control = next;
    },
    set: (prop, value) => {
      if (prop === "placeholder") name();
      if (prop !== "label") return failed.set(prop, value);
      label.textContent = asText(value);
      label.hidden = label.textContent === "";
      name();
      return true;
    },
  };
}
