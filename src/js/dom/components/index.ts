import type { Component } from "../base/component.js";
import { button } from "./button.js";
import { choicePicker } from "./choice-picker.js";
import { icon } from "./icon.js";
import { checkBox, dateTimeInput, slider } from "./inputs.js";
import { card, column, divider, list, row } from "./layout.js";
import { audioPlayer, image, video } from "./media.js";
import { modal } from "./modal.js";
import { tabs } from "./tabs.js";
import { text } from "./text.js";
import { textField } from "./text-field.js";

/**
 * Components of the A2UI basic catalog by name. A map, because a model may name a component
 * `constructor`.
 */
export const builtin: ReadonlyMap<string, Component> = new Map<string, Component>([
  ["Text", text],
  ["Image", image],
  ["Icon", icon],
  ["Video", video],
  ["AudioPlayer", audioPlayer],
  ["Row", row],
  ["Column", column],
  ["List", list],
  ["Card", card],
  ["Tabs", tabs],
  ["Modal", modal],
  ["Divider", divider],
  ["Button", button],
  ["TextField", textField],
  ["CheckBox", checkBox],
  ["ChoicePicker", choicePicker],
  ["Slider", slider],
  ["DateTimeInput", dateTimeInput],
]);
