import { asText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import { failedCheck } from "../base/checks.js";
import type { Context } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { make } from "./create-element.js";

/** The message of an input whose value fails a check. */
export interface Message {
  readonly element: HTMLElement;
  /** Sets what belongs to the checks (`checks`, `validationRegexp`); false when it was another property. */
  set(prop: string, value: Json): boolean;
  /** Looks at the value again; the message shows once the user has been there. */
  check(value: Json | undefined): void;
  touch(): void;
}

/**
 * `say` tells what the message is about that it is there, by the id of its element, or that it is not, by an empty text. `refused` says what
 * the browser itself has against the value.
 */
export function message(
  context: Context,
  node: MirrorNode,
  say: (described: string) => void,
  refused: () => string = () => "",
): Message {
  const element = make(context, "div", "bn-message");
  element.id = context.newId();
  element.setAttribute("role", "alert");
  element.hidden = true;
  const check = (value: Json | undefined): void => {
    if (!node.memo?.has("touched")) return;
    const failed = failedCheck(node.props, value, context) ?? refused();
    // An equal text would be read aloud again.
    if (element.textContent !== failed) element.textContent = failed;
    element.hidden = failed === "";
    say(failed === "" ? "" : element.id);
  };
  return {
    element,
    check,
    touch: () => {
      context.afterPress(() => {
        node.keep("touched", "");
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
  replace(next: HTMLInputElement | HTMLTextAreaElement): void;
}

export function field(
  context: Context,
  node: MirrorNode,
  first: HTMLInputElement | HTMLTextAreaElement,
  className: string,
): Field {
  let control = first;
  const element = make(context, "div", `bn-field ${className}`);
  const label = make(context, "label", "bn-label");
  control.id = context.newId();
  label.htmlFor = control.id;
  const say = (described: string): void => {
    attribute(control, "aria-invalid", described === "" ? "" : "true");
    attribute(control, "aria-describedby", described);
  };
  const failed = message(context, node, say, () => control.validationMessage);
  element.append(label, control, failed.element);
  label.hidden = true;
  const name = (): void => nameAfter(label, node, control);
  name();

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

/** A field without words in its label is still called something. */
export function nameAfter(label: HTMLElement, node: MirrorNode, control: HTMLElement): void {
  if (ownProperty(node.props.get("accessibility"), "label") !== undefined) return;
  const name = label.hidden ? asText(node.props.get("placeholder")) || node.id : "";
  attribute(control, "aria-label", name);
}
