import { throwMisuse } from "../arguments.js";
import {
  type DateInputType,
  editedDate,
  isInstant,
  shownDate,
} from "../dom/components/date-value.js";
import { asList, asNumber, asText, displayText, ownProperty } from "../json-value.js";
import type { Instance, Json } from "../types.js";

type Props = Instance["props"];

/** Returns the value that the component of the page writes; throws for one that it cannot take. */
type ReadInput = (value: Json, props: Props, timeZone: string) => Json;

/** Inputs of the basic components, as `byname/dom` renders them. */
const INPUTS: { readonly [component: string]: ReadInput } = {
  TextField: textInput,
  CheckBox: (value) =>
    typeof value === "boolean" ? value : throwInput(value, "true or false for a check box"),
  Slider: sliderInput,
  ChoicePicker: choiceInput,
  DateTimeInput: dateInput,
};

/** Returns what the page writes if the user enters a value. Throws if a user cannot enter it. */
export function typedValue({ component, props }: Instance, value: Json, timeZone: string): Json {
  const read = Object.hasOwn(INPUTS, component) ? INPUTS[component] : undefined;
  return read ? read(value, props, timeZone) : value;
}

/** Returns whether a date field shows a date outside of its limits, which browsers reject. */
export function isOutsideLimits({ component, props }: Instance, timeZone: string): boolean {
  if (component !== "DateTimeInput") return false;
  const shown = (prop: string): string => shownDate(props[prop], dateInputType(props), timeZone);
  const [value, min, max] = [shown("value"), shown("min"), shown("max")];
  return value !== "" && (value < min || (max !== "" && value > max));
}

function throwInput(value: Json, expected: string): never {
  const found = typeof value === "string" ? `"${value}"` : displayText(value) || String(value);
  return throwMisuse(`expected ${expected}, found ${found}`);
}

function textInput(value: Json, props: Props): Json {
  if (typeof value !== "string" && typeof value !== "number")
    return throwInput(value, "a text for a text field");
  // A number is written if the data contain one and the text is one.
  const number = typeof props["value"] === "number" ? asNumber(value) : null;
  return number ?? String(value);
}

function sliderInput(value: Json, props: Props): Json {
  const min = asNumber(props["min"] ?? null) ?? 0;
  const max = asNumber(props["max"] ?? null) ?? 100;
  const steps = asNumber(props["steps"] ?? null) ?? 0;
  const expected = `a number from ${min} to ${max} for a slider`;
  if (typeof value !== "number" || value < min || value > max) return throwInput(value, expected);
  const at = ((value - min) / (max - min)) * steps;
  if (steps > 0 && Math.abs(at - Math.round(at)) > 1e-9)
    return throwInput(value, `${expected} with ${steps} steps`);
  return value;
}

/** Maximum number of options in an error message. */
const MAX_LISTED_OPTIONS = 20;

function choiceInput(value: Json, props: Props): Json {
  const options = asList(props["options"]).map((one) => asText(ownProperty(one, "value")));
  const listed = options.slice(0, MAX_LISTED_OPTIONS).map((one) => `"${one}"`);
  const names = listed.join(", ") || "none";
  const isMultiple = props["variant"] === "multipleSelection";
  const selected = typeof value === "string" ? [value] : asList(value);
  const isKnown = selected.every((one) => typeof one === "string" && options.includes(one));
  const isList = typeof value === "string" || Array.isArray(value);
  const count = isMultiple ? "some" : "one";
  // Radio buttons cannot be cleared.
  if (!isList || !isKnown || (!isMultiple && selected.length !== 1))
    return throwInput(value, `${count} of the options ${names}`);
  const isText = typeof props["value"] === "string" && !isMultiple;
  return isText ? (selected[0] as string) : [...selected];
}

/** Values of the control of each input type. */
const DATE_FORMS = {
  date: /^\d{4,6}-\d\d-\d\d$/,
  time: /^\d\d:\d\d$/,
  "datetime-local": /^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/,
} as const;
const DATE_EXAMPLES = { date: "2030-01-31", time: "09:30", "datetime-local": "2030-01-31T09:30" };

function dateInput(value: Json, props: Props, timeZone: string): Json {
  const type = dateInputType(props);
  // An instant is what the page writes, not what the user enters.
  const typed = isInstant(value) ? shownDate(value, type, timeZone) : value;
  const isValid = typeof typed === "string" && (typed === "" || isDate(typed, type));
  if (!isValid) return throwInput(value, `a text such as "${DATE_EXAMPLES[type]}" for this field`);
  return isInstant(value) ? value : editedDate(props["value"], typed, type, timeZone);
}

/** Returns whether a text is a date of the calendar, a time of the clock, or both. */
function isDate(text: string, type: DateInputType): boolean {
  if (!DATE_FORMS[type].test(text)) return false;
  const whole = type === "time" ? `2000-01-01T${text}` : type === "date" ? `${text}T00:00` : text;
  const at = Date.parse(`${whole}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().includes(whole);
}

function dateInputType(props: Props): DateInputType {
  const isDateShown = props["enableDate"] === true;
  if (props["enableTime"] !== true) return "date";
  return isDateShown ? "datetime-local" : "time";
}
