import { button, element } from "./element.js";
import { wasmBytes } from "./format.js";

/** Creates the list item of a step. */
export function stepItem(
  className: string,
  label: string,
  isCurrent: boolean,
  click: () => void,
): HTMLLIElement {
  const step = button("", { class: `step ${className}`, "aria-label": label, title: label }, click);
  if (isCurrent) step.setAttribute("aria-current", "step");
  return element("li", step);
}

/** Shows the measurements of a step. */
export function showMeasurements(host: HTMLElement, parts: readonly string[]): void {
  host.replaceChildren(...parts.map((part) => element("span", part)));
}

/** Returns the size of the WebAssembly as text; empty if unknown. */
export function wasmSize(): string[] {
  const bytes = wasmBytes();
  return bytes > 0 ? [`wasm ${Math.round(bytes / 1000).toLocaleString()} kB`] : [];
}
