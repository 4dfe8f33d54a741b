import { abortable } from "../abort.js";

/** Request whose result several callers wait for. */
interface PendingRequest<T> {
  result: Promise<T>;
  stop: AbortController;
  callers: number;
  isLoaded: boolean;
}

/**
 * Returns a function that requests a value once for all callers. The abort of a caller rejects only
 * its own call; the request is aborted when no caller waits for it. A failed request is not kept.
 */
export function sharedRequest<T>(
  request: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let current: PendingRequest<T> | undefined;
  const forget = (one: PendingRequest<T>) => {
    if (current === one) current = undefined;
  };
  const begin = (): PendingRequest<T> => {
    const stop = new AbortController();
    const begun = { result: request(stop.signal), stop, callers: 0, isLoaded: false };
    const onLoad = () => {
      begun.isLoaded = true;
    };
    begun.result.then(onLoad, () => forget(begun));
    return begun;
  };
  return async (signal) => {
    signal.throwIfAborted();
    current ??= begin();
    const shared = current;
    shared.callers += 1;
    try {
      return await abortable(shared.result, signal);
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0 && !shared.isLoaded) {
        forget(shared);
        shared.stop.abort(new Error("the result is no longer needed"));
      }
    }
  };
}
