import type { Json } from "../../types.js";
import { asList, asText, own } from "../../value.js";
import type { Component } from "../view.js";
import { make } from "./make.js";

/** One of several, or several of many, as boxes or chips. The value is a list; where the data holds one text, one text goes back. */
export const choicePicker: Component = (node, context) => {
  const element = make(context, "fieldset", "bn-field bn-choice");
  const legend = make(context, "legend", "bn-label");
  const filter = make(context, "input", "bn-input");
  const options = make(context, "div", "bn-options");
  const name = context.newId();
  const boxes = new Map<
    string,
    { box: HTMLInputElement; label: HTMLLabelElement; words: HTMLElement }
  >();
  legend.hidden = true;
  filter.type = "search";
  filter.hidden = true;
  filter.placeholder = context.words.filter;
  filter.setAttribute("aria-label", context.words.filter);
  element.append(legend, filter, options);

  const several = (): boolean => node.props.get("variant") === "multipleSelection";
  const chosen = (): readonly string[] => {
    const value = node.props.get("value");
    return typeof value === "string" ? [value] : asList(value).map(asText);
  };
  const mark = (): void => {
    const now = new Set(chosen());
    for (const [value, { box }] of boxes) {
      box.type = several() ? "checkbox" : "radio";
      box.checked = now.has(value);
    }
  };
  const narrow = (): void => {
    const wanted = node.props.get("filterable") === true ? filter.value.trim().toLowerCase() : "";
    for (const { label } of boxes.values())
      label.hidden = !(label.textContent ?? "").toLowerCase().includes(wanted);
  };
  const send = (): void => {
    const now = [...boxes].filter(([, { box }]) => box.checked).map(([value]) => value);
    const was = node.props.get("value");
    const answer: Json = typeof was === "string" && !several() ? (now[0] ?? "") : now;
    context.input(node, answer);
  };
  /** Options are known by their value: one that stays keeps its element, and with it the focus. */
  const build = (value: Json): void => {
    const left = new Set(boxes.keys());
    for (const option of asList(value)) {
      const key = asText(own(option, "value"));
      const known = boxes.get(key) ?? add(key);
      left.delete(key);
      known.words.textContent = asText(own(option, "label")) || key;
      if (known.label.nextSibling !== null || known.label.parentNode !== options)
        options.append(known.label);
    }
    for (const key of left) {
      boxes.get(key)?.label.remove();
      boxes.delete(key);
    }
    mark();
    narrow();
  };
  const add = (
    key: string,
  ): { box: HTMLInputElement; label: HTMLLabelElement; words: HTMLElement } => {
    const label = make(context, "label", "bn-option");
    const box = make(context, "input");
    const words = make(context, "span");
    box.name = name;
    box.type = several() ? "checkbox" : "radio";
    box.addEventListener("change", send);
    label.append(box, words);
    const made = { box, label, words };
    boxes.set(key, made);
    return made;
  };
  filter.addEventListener("input", narrow);

  return {
    element,
    set: (prop, value) => {
      if (prop === "label") {
        legend.textContent = asText(value);
        legend.hidden = legend.textContent === "";
      } else if (prop === "options") build(value);
      else if (prop === "value" || prop === "variant") mark();
      else if (prop === "displayStyle") element.classList.toggle("bn-chips", value === "chips");
      else if (prop === "filterable") {
        filter.hidden = value !== true;
        narrow();
      }
    },
  };
};
