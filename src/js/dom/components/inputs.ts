import { asNumber, asText } from "../../json-value.js";
import type { Json } from "../../types.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { createElement } from "./create-element.js";
import { type DateInputType, editedDate, isInstant, shownDate } from "./date-value.js";
import { createField } from "./field.js";

export const checkBox: Component = (node, context) => {
  const control = createElement(context, "input");
  control.type = "checkbox";
  const field = createField(context, node, control, "bn-check");
  field.element.prepend(control);
  control.addEventListener("change", () => {
    context.input(node, control.checked);
    field.touch();
  });
  control.addEventListener("blur", () => field.touch());
  return {
    element: field.element,
    control,
    touch: field.touch,
    set: (prop, value) => {
      if (field.set(prop, value)) return;
      // Models often write it as a text.
      if (prop === "value") control.checked = value === true || value === "true";
    },
  };
};

/**
 * Returns the step of a slider: from `steps` if given, 1 for large or integer ranges, else a
 * hundredth of the range.
 */
function stepOf(range: number, steps: number | null, areIntegers: boolean): number {
  // Rounded down, because steps rounded up would end after the maximum.
  if (steps !== null && steps > 0) return Math.floor((range / steps) * 1e12) / 1e12;
  return range > 10 || (areIntegers && range > 1) ? 1 : range / 100;
}

export const slider: Component = (node, context) => {
  const control = createElement(context, "input");
  control.type = "range";
  control.step = "any";
  const field = createField(context, node, control, "bn-slider");
  // Not an `output`: screen readers announce the value of the slider, and would repeat it.
  const output = createElement(context, "span", "bn-value");
  field.label.after(output);
  const stepsOf = (): number | null => asNumber(node.props.get("steps") ?? null);
  const show = (): void => {
    const min = asNumber(node.props.get("min") ?? null) ?? 0;
    const max = asNumber(node.props.get("max") ?? null) ?? 100;
    const steps = stepsOf();
    const value = asNumber(node.props.get("value") ?? null) ?? min;
    control.min = String(min);
    control.max = String(max);
    const step = stepOf(max - min, steps, [min, max, value].every(Number.isInteger));
    control.step = step > 0 ? String(step) : "any";
    if (Number(control.value) !== value) control.value = String(value);
    const text = String(Math.round(value * 100) / 100);
    if (output.textContent !== text) output.textContent = text;
  };
  /** Returns the exact value of a step, which the control rounds. */
  const exactValue = (): number => {
    const [min, max, steps] = [Number(control.min), Number(control.max), stepsOf()];
    const value = Number(control.value);
    if (steps === null || steps <= 0 || max <= min) return value;
    const index = Math.round(((value - min) / (max - min)) * steps);
    const exact = min + (index * (max - min)) / steps;
    return Math.abs(exact - value) < 1e-9 * (max - min) ? exact : value;
  };
  control.addEventListener("input", () => {
    context.input(node, exactValue());
    field.check(node.props.get("value"));
    show();
  });
  // The user has released the thumb or the key.
  control.addEventListener("change", () => field.touch());
  control.addEventListener("blur", () => field.touch());
  show();
  return {
    element: field.element,
    control,
    touch: field.touch,
    set: (prop, value) => {
      if (!field.set(prop, value) && ["value", "min", "max", "steps"].includes(prop)) show();
    },
  };
};

/**
 * Date, time or both. A value with a zone is shown and edited in the time zone of the reader; other
 * values are wall-clock times.
 */
export const dateTimeInput: Component = (node, context) => {
  const control = createElement(context, "input", "bn-input");
  const field = createField(context, node, control, "bn-date");
  const { timeZone } = context;
  /** Last instant; browsers report an empty value while the user types. */
  let lastInstant: Json | undefined;
  const inputType = (): DateInputType => {
    const date = node.props.get("enableDate") === true;
    const time = node.props.get("enableTime") === true;
    return time ? (date ? "datetime-local" : "time") : "date";
  };
  const shown = (prop: string): string => shownDate(node.props.get(prop), inputType(), timeZone);
  const show = (): void => {
    if (control.type !== inputType()) control.type = inputType();
    updateAttribute(control, "min", shown("min"));
    updateAttribute(control, "max", shown("max"));
    const value = node.props.get("value");
    if (isInstant(value)) lastInstant = value;
    else if (asText(value) !== "") lastInstant = undefined;
    if (control.value !== shown("value")) control.value = shown("value");
  };
  control.addEventListener("input", () => {
    const current = node.props.get("value");
    const old = asText(current) === "" ? lastInstant : current;
    context.input(node, editedDate(old, control.value, inputType(), timeZone));
    field.check(node.props.get("value"));
  });
  control.addEventListener("blur", () => field.touch());
  show();
  return {
    element: field.element,
    control,
    touch: field.touch,
    set: (prop, value) => {
      if (
        !field.set(prop, value) &&
        ["value", "min", "max", "enableDate", "enableTime"].includes(prop)
      )
        show();
    },
  };
};
