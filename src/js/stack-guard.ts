/**
 * Arguments that take as much stack as a call of WebAssembly and the JavaScript it calls, in words.
 */
const LARGE_FRAME: readonly number[] = Array<number>(512).fill(0);
/** The same for a call that calls no JavaScript. */
const SMALL_FRAME: readonly number[] = Array<number>(128).fill(0);
/** The same for a call that changes a store and notifies its surfaces. */
const DEEP_FRAME: readonly number[] = Array<number>(4096).fill(0);

function noop(): void {}

/**
 * Throws a RangeError if the stack is nearly full. Inside WebAssembly that error would leave the
 * store borrowed for ever, as for a page that recurses through circular data. A call with many
 * arguments needs the stack space.
 */
export function assertStackSpace(): void {
  noop.apply(undefined, LARGE_FRAME as []);
}

/** Does the same for a larger amount of stack, before a change on behalf of the user. */
export function assertDeepStackSpace(): void {
  noop.apply(undefined, DEEP_FRAME as []);
}

/** Does the same for a smaller amount of stack, at a lower cost. */
export function assertSmallStackSpace(): void {
  noop.apply(undefined, SMALL_FRAME as []);
}
