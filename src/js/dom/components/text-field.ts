import { asNumber, asText, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { focused } from "../base/move-element.js";
import { make } from "./create-element.js";
import { field } from "./field.js";

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Text input of one line or several lines, for text, a number or a password. Typed text is not
 * overwritten by its own echo or by stale data.
 */
export const textField: Component = (node, context) => {
  const long = node.props.get("variant") === "longText";
  let control: Control = create(context, long);
  const parts = field(context, node, control, "bn-text-field");
  let composing = false;
  // Whether the last value of the data was a number. An empty field and incomplete input do not
  // count.
  let numeric = false;
  let sent: Json = "";
  // Whether the user is typing; reset by Enter and when the field is left.
  let typing = false;
  // Last value of the data, and whether it was ignored because the user is typing.
  let before: Json = null;
  let owed = false;

  const send = (): void => {
    // The browser may fill in a field that has no focus.
    typing = focused(control) === control;
    owed = false;
    const typed = control.value;
    // A number is sent if the data contained one and the text is one.
    const number = numeric ? asNumber(typed) : null;
    sent = number ?? typed;
    context.input(node, sent);
    parts.check(node.props.get("value"));
  };
  const listen = (one: HTMLElement): void => {
    one.addEventListener("compositionstart", () => (composing = true));
    one.addEventListener("compositionend", () => {
      composing = false;
      send();
    });
    one.addEventListener("input", () => {
      if (!composing) send();
    });
    one.addEventListener("keydown", ({ key }) => {
      if (key === "Enter" && !composing) rest();
    });
    one.addEventListener("blur", () => {
      rest();
      before = node.props.get("value") ?? null;
      parts.touch();
    });
  };
  /** Ends typing. Sends the text if a value of the data was ignored meanwhile. */
  const rest = (): void => {
    if (owed) send();
    typing = false;
  };
  const write = (value: Json): void => {
    // Text that an input method is composing must not be overwritten.
    if (composing || same(control.value, value)) return;
    // An empty, unchanged or first value is stale while the user is typing.
    const isNews = asText(value) !== "" && asText(before) !== "" && value !== before;
    before = value;
    owed = typing && !isNews;
    if (owed) return;
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
        if (asText(value) !== "" && value !== sent) numeric = typeof value === "number";
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

/** Reports whether a control is a text area, by name because server elements have another class. */
function isLong(control: Control): control is HTMLTextAreaElement {
  return control.localName === "textarea";
}

/** Reports whether a text shows a value; `1.` shows 1. */
function same(shown: string, value: Json): boolean {
  return (
    shown === asText(value) ||
    (typeof value === "number" && shown.trim() !== "" && Number(shown) === value)
  );
}
