import type { Json } from "byname";
import { element, p } from "./element.js";

/** Returns the message of a caught value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a value as text: a string as it is, anything else as JSON. */
export function formatValue(value: Json, maxLength = Number.POSITIVE_INFINITY): string {
  return truncate(typeof value === "string" ? value : JSON.stringify(value), maxLength);
}

/** Creates a paragraph for an empty pane. */
export function emptyPaneHint(words: string): HTMLElement {
  return p("hint", words);
}

export function formatCount(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? singular : plural}`;
}

export function formatMilliseconds(time: number): string {
  return formatWholeMilliseconds(time) ?? `${time < 10 ? time.toFixed(2) : time.toFixed(0)} ms`;
}

/** Formats milliseconds for clocks with a resolution of 0.1 ms. */
export function formatCoarseMilliseconds(time: number): string {
  if (time >= 10) return formatMilliseconds(time);
  return formatWholeMilliseconds(time) ?? (time < 0.1 ? "< 0.1 ms" : `${time.toFixed(1)} ms`);
}

/** Whether a fraction of a millisecond has been observed. */
let hasFineClock = false;

/**
 * Formats whole milliseconds if the clock has no finer resolution, as in Firefox; else returns
 * null.
 */
function formatWholeMilliseconds(time: number): string | null {
  hasFineClock ||= !Number.isInteger(time) || !Number.isInteger(performance.now());
  if (hasFineClock) return null;
  return time < 1 ? "< 1 ms" : `${time} ms`;
}

export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns a paragraph with the number of items that are not rendered, if any. */
export function moreHint(length: number, limit: number): HTMLElement[] {
  const words = `… and ${(length - limit).toLocaleString()} more`;
  return length > limit ? [p("muted", words)] : [];
}

/** Returns the transferred size of the WebAssembly in bytes, or 0 if unknown. */
export function wasmBytes(): number {
  const wasm = performance
    .getEntriesByType("resource")
    .find(({ name }) => /\.wasm(?:$|\?)/.test(name)) as PerformanceResourceTiming | undefined;
  return wasm ? wasm.encodedBodySize || wasm.decodedBodySize : 0;
}

/** Converts backtick spans of a message to code elements; three backticks are a literal one. */
export function withInlineCode(message: string): (Node | string)[] {
  return message
    .split(/`(`|[^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? element("code", part) : part));
}
