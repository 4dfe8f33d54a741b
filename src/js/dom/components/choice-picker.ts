import { asList, asText, displayText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { focusedElement } from "../base/move-element.js";
import { reconcileChildren } from "../base/reconcile-children.js";
import { createElement } from "./create-element.js";
import { createMessage, setFallbackName } from "./field.js";

interface Option {
  readonly box: HTMLInputElement;
  readonly label: HTMLLabelElement;
  readonly caption: HTMLElement;
}

/**
 * Single or multiple choice as boxes or chips. The value is a list; if the data contains a text, a
 * single choice sends a text.
 */
export const choicePicker: Component = (node, context) => {
  const element = createElement(context, "fieldset", "bn-field bn-choice");
  const legend = createElement(context, "legend", "bn-label");
  const filter = createElement(context, "input", "bn-input");
  const options = createElement(context, "div", "bn-options");
  const name = context.newId();
  let boxes = new Map<string, Option>();
  const message = createMessage(context, node, (described) =>
    updateAttribute(element, "aria-describedby", described),
  );
  legend.hidden = true;
  legend.dir = "auto";
  setFallbackName(legend, node, element);
  filter.type = "search";
  filter.dir = "auto";
  filter.hidden = true;
  filter.placeholder = context.words.filter;
  filter.value = node.memo?.get("filter") ?? "";
  filter.setAttribute("aria-label", context.words.filter);
  element.append(legend, filter, options, message.element);

  const isMultiple = (): boolean => node.props.get("variant") === "multipleSelection";
  const selectedValues = (): readonly string[] => {
    const value = node.props.get("value");
    return typeof value === "string" ? [value] : asList(value).map(asText);
  };
  const syncChecked = (): void => {
    const selected = new Set(selectedValues());
    const type = isMultiple() ? "checkbox" : "radio";
    for (const [value, { box }] of boxes) {
      if (box.type !== type) box.type = type;
      if (box.checked !== selected.has(value)) box.checked = selected.has(value);
    }
  };
  const applyFilter = (): void => {
    const query = node.props.get("filterable") === true ? filter.value.trim().toLowerCase() : "";
    for (const { label } of boxes.values())
      label.hidden = !(label.textContent ?? "").toLowerCase().includes(query);
  };
  const submit = (): void => {
    const selected = [...boxes].filter(([, { box }]) => box.checked).map(([value]) => value);
    // Radio buttons cannot be cleared by the user: the checked option of the server's markup is
    // gone.
    if (!isMultiple() && selected.length === 0) {
      syncChecked();
      return;
    }
    // Values without an option, which may arrive later, were not deselected.
    for (const value of isMultiple() ? selectedValues() : [])
      if (!boxes.has(value)) selected.push(value);
    const current = node.props.get("value");
    const result: Json =
      typeof current === "string" && !isMultiple() ? (selected[0] as string) : selected;
    context.input(node, result);
    message.check(node.props.get("value"));
    // A single choice is complete after one press, a multiple choice when the focus leaves. Safari
    // does not focus boxes.
    if (!isMultiple() || !focusedElement(element)) message.touch();
  };
  /** Updates the options. An option whose value is unchanged keeps its element and so the focus. */
  const updateOptions = (value: Json): void => {
    const before = boxes;
    boxes = new Map();
    for (const option of asList(value)) {
      const key = asText(ownProperty(option, "value"));
      const shown = boxes.get(key) ?? before.get(key) ?? createOption();
      const caption = asText(ownProperty(option, "label")) || key;
      if (shown.caption.textContent !== caption) shown.caption.textContent = caption;
      boxes.set(key, shown);
    }
    const labels = [...boxes.values()].map(({ label }) => label);
    reconcileChildren(context, options, labels);
    syncChecked();
    applyFilter();
  };
  const createOption = (): Option => {
    const label = createElement(context, "label", "bn-option");
    const box = createElement(context, "input");
    const caption = createElement(context, "span");
    caption.dir = "auto";
    box.name = name;
    box.type = isMultiple() ? "checkbox" : "radio";
    box.addEventListener("change", submit);
    label.append(box, caption);
    return { box, label, caption };
  };
  filter.addEventListener("input", () => {
    node.storeState("filter", filter.value);
    applyFilter();
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (element.contains(relatedTarget as Node | null)) return;
    // Pressing the label of an option takes the focus from its box for a short time.
    context.afterPress(() => {
      if (!focusedElement(element)) message.touch();
    });
  });

  return {
    element,
    touch: message.touch,
    set: (prop, value) => {
      if (message.set(prop, value)) return;
      if (prop === "label") {
        legend.textContent = displayText(value);
        legend.hidden = legend.textContent === "";
        setFallbackName(legend, node, element);
      } else if (prop === "options") updateOptions(value);
      else if (prop === "value" || prop === "variant") syncChecked();
      else if (prop === "displayStyle") element.classList.toggle("bn-chips", value === "chips");
      else if (prop === "filterable") {
        filter.hidden = value !== true;
        applyFilter();
      }
    },
  };
};
