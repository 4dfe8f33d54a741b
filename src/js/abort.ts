/**
 * Waits for a promise, but no longer than the signal allows: an abort rejects with its reason at
 * once, whether or not whoever keeps the promise listens to the signal.
 */
export async function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } catch (error) {
    // Those who listen to the signal may fail with an error of their own.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A timer that is set to more goes off at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Waits, in milliseconds. */
export async function sleep(time: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(time, LONGEST_TIMER));
  });
  try {
    await abortable(passed, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** What a deadline ends with. */
export function tooLate(milliseconds: number | undefined): Error {
  return new Error(`no answer within ${milliseconds} ms`);
}

/** A signal that ends after so many milliseconds, until it is cleared. Unlike `AbortSignal.timeout` it keeps a process alive. */
export function deadline(milliseconds: number): { signal: AbortSignal; clear: () => void } {
  const control = new AbortController();
  const late = () => control.abort(tooLate(milliseconds));
  const timer = setTimeout(late, Math.min(milliseconds, LONGEST_TIMER));
  return { signal: control.signal, clear: () => clearTimeout(timer) };
}

/** A signal that ends with the first of those that are there, until it is cleared. Not every host has `AbortSignal.any`. */
export function anySignal(...signals: (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  clear: () => void;
} {
  const control = new AbortController();
  const given = signals.filter((one) => one !== undefined);
  const end = () => control.abort(given.find(({ aborted }) => aborted)?.reason);
  for (const one of given) {
    if (one.aborted) end();
    else one.addEventListener("abort", end);
  }
  const clear = () => {
    for (const one of given) one.removeEventListener("abort", end);
  };
  return { signal: control.signal, clear };
}
