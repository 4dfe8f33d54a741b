import { element } from "./element.js";

/** What stands where there is nothing to see yet. */
export function hint(words: string): HTMLElement {
  return element("p", { class: "hint" }, words);
}

export function count(number: number, word: string, words = `${word}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? word : words}`;
}

export function milliseconds(time: number): string {
  return inWhole(time) ?? `${time < 10 ? time.toFixed(2) : time.toFixed(0)} ms`;
}

/** A time that a clock of a tenth of a millisecond may have missed. */
export function briefly(time: number): string {
  if (time >= 10) return milliseconds(time);
  return inWhole(time) ?? (time < 0.1 ? "< 0.1 ms" : `${time.toFixed(1)} ms`);
}

/** Whether the clock of this page has ever shown a part of a millisecond. */
let fine = false;

/** A time in whole milliseconds, where the clock has no others, as that of Firefox; else nothing. */
function inWhole(time: number): string | null {
  fine ||= !Number.isInteger(time) || !Number.isInteger(performance.now());
  if (fine) return null;
  return time < 1 ? "< 1 ms" : `${time} ms`;
}

/** No more than so many characters. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** How many bytes of WebAssembly this page has loaded, as the browser tells; 0 where it does not. */
export function wasmBytes(): number {
  const wasm = performance
    .getEntriesByType("resource")
    .find(({ name }) => /\.wasm(?:$|\?)/.test(name)) as PerformanceResourceTiming | undefined;
  return wasm ? wasm.encodedBodySize || wasm.decodedBodySize : 0;
}

/** A message with what stands between backticks as code; three in a row are a backtick. */
export function ticks(message: string): (Node | string)[] {
  return message
    .split(/`(`|[^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
