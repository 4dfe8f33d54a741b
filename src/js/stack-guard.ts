/** What a call of WebAssembly and what it calls may take of the stack, in words. */
const LARGE_FRAME: readonly number[] = Array<number>(512).fill(0);
/** The same for a call that calls nothing of JavaScript. */
const SMALL_FRAME: readonly number[] = Array<number>(128).fill(0);

function noop(): void {}

/**
 * Throws the RangeError of a stack that is at its end, while nothing is borrowed. In the midst of WebAssembly it
 * would leave its store borrowed for ever: a page that walks data without an end, which lead back to themselves,
 * would lose them. To be called with so many words takes their room.
 */
export function assertStackSpace(): void {
  noop.apply(undefined, LARGE_FRAME as []);
}

/** The same, which costs less. */
export function assertSmallStackSpace(): void {
  noop.apply(undefined, SMALL_FRAME as []);
}
