/** Attributes of an element: texts, flags and listeners. */
export type Attributes = { readonly [name: string]: string | boolean | ((event: never) => void) };

/** Creates an element with attributes, listeners (`onclick`) and children. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      element.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** Maximum length of a value in one line. */
const MAX_TEXT_LENGTH = 120;

/** Returns the JSON text of a value, truncated. */
export function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** Returns a count with its unit: `1 change`, `2 changes`. */
export function countText(count: number, unit: string, units = `${unit}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? unit : units}`;
}

/** Returns the time of day of an ISO 8601 time with milliseconds. */
export function timeText(time: string): string {
  return time.slice(11, 23);
}
