import { asNumber, asText, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { focusedElement } from "../base/move-element.js";
import { createElement } from "./create-element.js";
import { createField } from "./field.js";

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Text input of one line or several lines, for text, a number or a password. Typed text is not
 * overwritten by its own echo or by stale data.
 */
export const textField: Component = (node, context) => {
  const isMultiline = node.props.get("variant") === "longText";
  let control: Control = createControl(context, isMultiline);
  const field = createField(context, node, control, "bn-text-field");
  let isComposing = false;
  // Whether the last value of the data was a number. An empty field and incomplete input do not
  // count.
  let isNumeric = false;
  let lastSent: Json = "";
  // Whether the user is typing; reset by Enter and when the field is left.
  let isTyping = false;
  // Last value of the data, and whether it was ignored because the user is typing.
  let lastDataValue: Json = null;
  let hasIgnoredValue = false;

  const send = (): void => {
    // The browser may fill in a field that has no focus.
    isTyping = focusedElement(control) === control;
    hasIgnoredValue = false;
    const typed = control.value;
    // A number is sent if the data contained one and the text is one.
    const number = isNumeric ? asNumber(typed) : null;
    lastSent = number ?? typed;
    context.input(node, lastSent);
    field.check(node.props.get("value"));
  };
  const listen = (target: HTMLElement): void => {
    // An action may have ended typing during a composition, which then continues.
    for (const name of ["compositionstart", "compositionupdate"])
      target.addEventListener(name, () => (isComposing = true));
    target.addEventListener("compositionend", () => {
      isComposing = false;
      send();
    });
    target.addEventListener("input", () => {
      if (!isComposing) send();
    });
    target.addEventListener("keydown", ({ key }) => {
      if (key === "Enter" && !isComposing) finishTyping();
    });
    target.addEventListener("blur", () => {
      followData();
      field.touch();
    });
  };
  /**
   * Ends typing. Sends text that is being composed, and the text if a value of the data was ignored
   * meanwhile.
   */
  const finishTyping = (): void => {
    if (isComposing || hasIgnoredValue) send();
    isComposing = false;
    isTyping = false;
  };
  /** Ends typing; from now on the field shows each value of the data. */
  const followData = (): void => {
    finishTyping();
    lastDataValue = node.props.get("value") ?? null;
  };
  const showValue = (value: Json): void => {
    // Text that an input method is composing must not be overwritten.
    if (isComposing || showsValue(control.value, value)) return;
    // An empty, unchanged or first value is stale while the user is typing.
    const isNewValue =
      asText(value) !== "" && asText(lastDataValue) !== "" && value !== lastDataValue;
    lastDataValue = value;
    hasIgnoredValue = isTyping && !isNewValue;
    if (hasIgnoredValue) return;
    const { selectionStart, selectionEnd, selectionDirection } = control;
    control.value = asText(value);
    const active = control.getRootNode() as Document | ShadowRoot;
    if (active.activeElement === control && selectionStart !== null)
      control.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  };
  const applyVariant = (variant: string): void => {
    if (isTextArea(control) !== (variant === "longText")) {
      const next = createControl(context, variant === "longText");
      for (const { name, value } of control.attributes)
        if (name !== "type") next.setAttribute(name, value);
      next.value = control.value;
      const isFocused = focusedElement(control) === control;
      const { selectionStart, selectionEnd } = control;
      field.replace(next);
      control = next;
      listen(next);
      isComposing = false;
      if (isFocused) {
        next.focus();
        next.setSelectionRange(selectionStart, selectionEnd);
      }
    }
    if (isTextArea(control)) control.removeAttribute("inputmode");
    else {
      control.type = variant === "obscured" ? "password" : "text";
      updateAttribute(control, "inputmode", variant === "number" ? "decimal" : "");
    }
  };
  listen(control);
  const stopListening = context.beforeAction(followData);

  return {
    element: field.element,
    touch: field.touch,
    dispose: stopListening,
    get control() {
      return control;
    },
    set: (prop, value) => {
      if (field.set(prop, value)) return;
      if (prop === "value") {
        if (asText(value) !== "" && value !== lastSent) isNumeric = typeof value === "number";
        showValue(value);
      } else if (prop === "placeholder") updateAttribute(control, "placeholder", asText(value));
      else if (prop === "variant")
        applyVariant(oneOf(value, ["shortText", "longText", "number", "obscured"]));
    },
  };
};

function createControl(context: Context, isMultiline: boolean): Control {
  const control = createElement(context, isMultiline ? "textarea" : "input", "bn-input");
  control.dir = "auto";
  if (isTextArea(control)) control.rows = 3;
  else control.type = "text";
  return control;
}

/** Returns whether a control is a text area, by name because server elements have another class. */
function isTextArea(control: Control): control is HTMLTextAreaElement {
  return control.localName === "textarea";
}

/** Returns whether a text shows a value; `1.` shows 1. */
function showsValue(shown: string, value: Json): boolean {
  return (
    shown === asText(value) ||
    (typeof value === "number" && shown.trim() !== "" && Number(shown) === value)
  );
}
