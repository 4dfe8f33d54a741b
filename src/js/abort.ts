/**
 * Waits for a promise until the signal aborts. An abort rejects at once with the reason of the
 * signal, even if the promise ignores it.
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
    // An operation that listens to the signal may reject with its own error.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Maximum delay of a timer in milliseconds. A timer with a longer delay fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

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

/** Returns the result of a promise, or rejects with the error that `expired` returns after a timeout. */
export async function inTime<T>(
  promise: T | PromiseLike<T>,
  milliseconds: number,
  expired: () => Error,
): Promise<T> {
  const timeout = deadline(milliseconds);
  try {
    return await abortable(Promise.resolve(promise), timeout.signal);
  } catch (error) {
    throw timeout.signal.aborted ? expired() : error;
  } finally {
    timeout.clear();
  }
}

/** Returns the error of a timeout. */
export function timeoutError(milliseconds: number | undefined): Error {
  return new Error(`no response within ${milliseconds} ms`);
}

/**
 * Returns a signal that aborts after a timeout in milliseconds, until it is cleared. Unlike
 * `AbortSignal.timeout` it keeps a process alive.
 */
export function deadline(milliseconds: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const onTimeout = () => controller.abort(timeoutError(milliseconds));
  const timer = setTimeout(onTimeout, Math.min(milliseconds, MAX_TIMER_MS));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/**
 * Returns a signal that aborts with the first of the given signals, until it is cleared. Not every
 * host has `AbortSignal.any`.
 */
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
