import { asList, asText, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { focused } from "../base/move-element.js";
import { arrange } from "../base/reconcile-children.js";
import { make } from "./create-element.js";
import { message, nameAfter } from "./field.js";

interface Option {
  readonly box: HTMLInputElement;
  readonly label: HTMLLabelElement;
  readonly words: HTMLElement;
}

/**
 * Single or multiple choice as boxes or chips. The value is a list; if the data contains a text, a
 * single choice sends a text.
 */
export const choicePicker: Component = (node, context) => {
  const element = make(context, "fieldset", "bn-field bn-choice");
  const legend = make(context, "legend", "bn-label");
  const filter = make(context, "input", "bn-input");
  const options = make(context, "div", "bn-options");
  const name = context.newId();
  let boxes = new Map<string, Option>();
  const failed = message(context, node, (described) =>
    attribute(element, "aria-describedby", described),
  );
  legend.hidden = true;
  nameAfter(legend, node, element);
  filter.type = "search";
  filter.hidden = true;
  filter.placeholder = context.words.filter;
  filter.value = node.memo?.get("filter") ?? "";
  filter.setAttribute("aria-label", context.words.filter);
  element.append(legend, filter, options, failed.element);

  const several = (): boolean => node.props.get("variant") === "multipleSelection";
  const chosen = (): readonly string[] => {
    const value = node.props.get("value");
    return typeof value === "string" ? [value] : asList(value).map(asText);
  };
  const mark = (): void => {
    const now = new Set(chosen());
    const type = several() ? "checkbox" : "radio";
    for (const [value, { box }] of boxes) {
      if (box.type !== type) box.type = type;
      if (box.checked !== now.has(value)) box.checked = now.has(value);
    }
  };
  const narrow = (): void => {
    const wanted = node.props.get("filterable") === true ? filter.value.trim().toLowerCase() : "";
    for (const { label } of boxes.values())
      label.hidden = !(label.textContent ?? "").toLowerCase().includes(wanted);
  };
  const send = (): void => {
    const now = [...boxes].filter(([, { box }]) => box.checked).map(([value]) => value);
    // Radio buttons cannot be cleared by the user: the checked option of the server's markup is
    // gone.
    if (!several() && now.length === 0) {
      mark();
      return;
    }
    // Values without an option, which may arrive later, were not deselected.
    for (const value of several() ? chosen() : []) if (!boxes.has(value)) now.push(value);
    const was = node.props.get("value");
    const answer: Json = typeof was === "string" && !several() ? (now[0] as string) : now;
    context.input(node, answer);
    failed.check(node.props.get("value"));
    // A single choice is complete after one press, a multiple choice when the focus leaves. Safari
    // does not focus boxes.
    if (!several() || !focused(element)) failed.touch();
  };
  /** Updates the options. An option whose value is unchanged keeps its element and so the focus. */
  const build = (value: Json): void => {
    const before = boxes;
    boxes = new Map();
    for (const option of asList(value)) {
      const key = asText(ownProperty(option, "value"));
      const known = boxes.get(key) ?? before.get(key) ?? add();
      const words = asText(ownProperty(option, "label")) || key;
      if (known.words.textContent !== words) known.words.textContent = words;
      boxes.set(key, known);
    }
    const labels = [...boxes.values()].map(({ label }) => label);
    arrange(context, options, labels);
    mark();
    narrow();
  };
  const add = (): Option => {
    const label = make(context, "label", "bn-option");
    const box = make(context, "input");
    const words = make(context, "span");
    box.name = name;
    box.type = several() ? "checkbox" : "radio";
    box.addEventListener("change", send);
    label.append(box, words);
    return { box, label, words };
  };
  filter.addEventListener("input", () => {
    node.keep("filter", filter.value);
    narrow();
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (element.contains(relatedTarget as Node | null)) return;
    // Pressing the label of an option takes the focus from its box for a short time.
    context.afterPress(() => {
      if (!focused(element)) failed.touch();
    });
  });

  return {
    element,
    set: (prop, value) => {
      if (failed.set(prop, value)) return;
      if (prop === "label") {
        legend.textContent = asText(value);
        legend.hidden = legend.textContent === "";
        nameAfter(legend, node, element);
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
