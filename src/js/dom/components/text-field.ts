import { asNumber, asText, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { focused } from "../base/move-element.js";
import { make } from "./create-element.js";
import { field } from "./field.js";

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * One line, several lines, a number or a secret. What the user is typing is never written over by its own echo, nor by data that know
 * nothing of it yet.
 */
export const textField: Component = (node, context) => {
  const long = node.props.get("variant") === "longText";
  let control: Control = create(context, long);
  const parts = field(context, node, control, "bn-text-field");
  let composing = false;
  // Whether the data last held a number; an empty field, or what was typed on the way to one, says nothing about that.
  let numeric = false;
  let sent: Json = "";
  // Whether the user is in the middle of typing: that ends with Enter, and when the field is left.
  let typing = false;
  // What the data brought last, and whether that gave way to what is being typed.
  let before: Json = null;
  let owed = false;

  const send = (): void => {
    // What a browser fills in by itself, nobody is typing.
    typing = focused(control) === control;
    owed = false;
    const typed = control.value;
    // A node that held a number gets a number back, while what was typed is one.
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
  /** What was typed is whole: where it did not give way to what came meanwhile, the data learn of it now. */
  const rest = (): void => {
    if (owed) send();
    typing = false;
  };
  const write = (value: Json): void => {
    // A text that an input method is still composing belongs to the user until it is done.
    if (composing || same(control.value, value)) return;
    // Nothing, what was there before and the first that comes at all know nothing of what is being typed.
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
