import { element } from "./element.js";

/** What stands where there is nothing to see yet. */
export function hint(words: string): HTMLElement {
  return element("p", { class: "hint" }, words);
}

export function formatCount(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? singular : plural}`;
}

export function formatTime(time: number): string {
  return formatWholeMilliseconds(time) ?? `${time < 10 ? time.toFixed(2) : time.toFixed(0)} ms`;
}

/** A time that a clock of a tenth of a millisecond may have missed. */
export function formatCoarseTime(time: number): string {
  if (time >= 10) return formatTime(time);
  return formatWholeMilliseconds(time) ?? (time < 0.1 ? "< 0.1 ms" : `${time.toFixed(1)} ms`);
}

/** Whether the clock of this page has ever shown a part of a millisecond. */
let hasFineClock = false;

/** A time in whole milliseconds, where the clock has no others, as that of Firefox; else nothing. */
function formatWholeMilliseconds(time: number): string | null {
  hasFineClock ||= !Number.isInteger(time) || !Number.isInteger(performance.now());
  if (hasFineClock) return null;
  return time < 1 ? "< 1 ms" : `${time} ms`;
}

/** No more than so many characters. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** How many bytes of WebAssembly this page has loaded, as the browser tells; 0 where it does not. */
export function wasmBytes(): number {
  const wasm = performance
    .getEntriesByType("resource")
    .find(({ name }) => /\.wasm(?:$|\?)/.test(name)) as PerformanceResourceTiming | undefined;
  return wasm ? wasm.encodedBodySize || wasm.decodedBodySize : 0;
}

/** A message with what stands between backticks as code; three in a row are a backtick. */
export function withInlineCode(message: string): (Node | string)[] {
  return message
    .split(/`(`|[^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
