/** What a call of WebAssembly and what it calls may take of the stack, in words. */
const MUCH: readonly number[] = Array<number>(512).fill(0);
/** The same for a call that calls nothing of JavaScript. */
const LITTLE: readonly number[] = Array<number>(128).fill(0);

function take(): void {}

/**
 * Throws the RangeError of a stack that is at its end, while nothing is borrowed. In the midst of WebAssembly it
 * would leave its store borrowed for ever: a page that walks data without an end, which lead back to themselves,
 * would lose them. To be called with so many words takes their room.
 */
export function needRoom(): void {
  take.apply(undefined, MUCH as []);
}

/** The same, which costs less. */
export function needLittleRoom(): void {
  take.apply(undefined, LITTLE as []);
}
