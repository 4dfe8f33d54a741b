/**
 * Waits for a promise, but no longer than the signal allows: an abort rejects with its reason at
 * once, whether or not whoever keeps the promise listens to the signal.
 */
export async function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } catch (error) {
    // Those who listen to the signal may fail with an error of their own.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** A timer that is set to more goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits, in milliseconds. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS));
  });
  try {
    await abortable(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** What a deadline ends with. */
export function timeoutError(milliseconds: number | undefined): Error {
  return new Error(`no response within ${milliseconds} ms`);
}

/** A signal that ends after so many milliseconds, until it is cleared. Unlike `AbortSignal.timeout` it keeps a process alive. */
export function deadline(milliseconds: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const onTimeout = () => controller.abort(timeoutError(milliseconds));
  const timer = setTimeout(onTimeout, Math.min(milliseconds, MAX_TIMER_MS));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** A signal that ends with the first of those that are there, until it is cleared. Not every host has `AbortSignal.any`. */
export function anySignal(...signals: (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  clear: () => void;
} {
  const controller = new AbortController();
  const present = signals.filter((one) => one !== undefined);
  const onAbort = () => controller.abort(present.find(({ aborted }) => aborted)?.reason);
  for (const one of present) {
    if (one.aborted) onAbort();
    else one.addEventListener("abort", onAbort);
  }
  const clear = () => {
    for (const one of present) one.removeEventListener("abort", onAbort);
  };
  return { signal: controller.signal, clear };
}
