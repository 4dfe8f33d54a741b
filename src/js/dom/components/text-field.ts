import type { Json } from "../../types.js";
import { asNumber, asText, oneOf } from "../../value.js";
import { attribute } from "../accessibility.js";
import { focused } from "../place.js";
import type { Component, Context } from "../view.js";
import { field } from "./field.js";
import { make } from "./make.js";

type Control = HTMLInputElement | HTMLTextAreaElement;

/** One line, several lines, a number or a secret. What the user is typing is never written over by its own echo. */
export const textField: Component = (node, context) => {
  const long = node.props.get("variant") === "longText";
  let control: Control = create(context, long);
  const parts = field(context, node, control, "bn-text-field");
  let composing = false;
  // Whether the data last held a number; an empty field, or what was typed on the way to one, says nothing about that.
  let numeric = false;
  let sent: Json = "";

  const send = (): void => {
    const typed = control.value;
    // A node that held a number gets a number back, while what was typed is one.
    const number = numeric ? asNumber(typed) : null;
    sent = number ?? typed;
    context.input(node, sent);
    parts.check(node.props.get("value"));
  };
  const listen = (one: Control): void => {
    one.addEventListener("compositionstart", () => (composing = true));
    one.addEventListener("compositionend", () => {
      composing = false;
      send();
    });
    one.addEventListener("input", () => {
      if (!composing) send();
    });
    one.addEventListener("blur", () => parts.touch());
  };
  const write = (value: Json): void => {
    // A text that an input method is still composing belongs to the user until it is done.
    if (composing || same(control.value, value)) return;
    const { selectionStart, selectionEnd, selectionDirection } = control;
    control.value = asText(value);
    const active = control.getRootNode() as Document | ShadowRoot;
    if (active.activeElement === control && selectionStart !== null)
      control.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  };
  const become = (variant: string): void => {
    if (isLong(control) !== (variant === "longText")) {
      const next = create(context, variant === "longText");
      for (const { name, value } of control.attributes)
        if (name !== "type") next.setAttribute(name, value);
      next.value = control.value;
      const isFocused = focused(control) === control;
      const { selectionStart, selectionEnd } = control;
      parts.replace(next);
      control = next;
      listen(next);
      composing = false;
      if (isFocused) {
        next.focus();
        next.setSelectionRange(selectionStart, selectionEnd);
      }
    }
    if (isLong(control)) control.removeAttribute("inputmode");
    else {
      control.type = variant === "obscured" ? "password" : "text";
      attribute(control, "inputmode", variant === "number" ? "decimal" : "");
    }
  };
  listen(control);

  return {
    element: parts.element,
    get control() {
      return control;
    },
    set: (prop, value) => {
      if (parts.set(prop, value)) return;
      if (prop === "value") {
        if (value !== "" && value !== sent) numeric = typeof value === "number";
        write(value);
      } else if (prop === "placeholder") attribute(control, "placeholder", asText(value));
      else if (prop === "variant")
        become(oneOf(value, ["shortText", "longText", "number", "obscured"]));
    },
  };
};

function create(context: Context, long: boolean): Control {
  const control = make(context, long ? "textarea" : "input", "bn-input");
  if (isLong(control)) control.rows = 3;
  else control.type = "text";
  return control;
}

/** Asked by name: what stands in for elements on a server is no `HTMLTextAreaElement`. */
function isLong(control: Control): control is HTMLTextAreaElement {
  return control.localName === "textarea";
}

/** `1.` is still 1 while the decimals are on their way. */
function same(shown: string, value: Json): boolean {
  return (
    shown === asText(value) ||
    (typeof value === "number" && shown.trim() !== "" && Number(shown) === value)
  );
}
