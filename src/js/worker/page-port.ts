import type { CallbackValue, ErrorMessage } from "./protocol.js";

/**
 * Callback of the page: gets the values of the worker, and a signal that the worker aborts. Calls
 * `called` when the worker may continue.
 */
export type PageCallback = (
  values: unknown[],
  signal: AbortSignal,
  called: () => void,
) => Promise<CallbackResult>;

/** Result of a callback with the buffers that are transferred. */
export interface CallbackResult {
  value: CallbackValue;
  transfer?: Transferable[];
}

/** Callbacks and signals of the page that a worker can use. */
export interface PagePort {
  /** Returns the number of the callback. */
  addCallback(callback: PageCallback): number;
  removeCallback(number: number): void;
  /** Forwards the abort of a signal until `release`. */
  forwardSignal(signal: AbortSignal): {
    number: number;
    reason: ErrorMessage | undefined;
    release: () => void;
  };
}

/** Object of the page that represents one in a worker. */
export interface RemoteObject {
  readonly port: PagePort;
  readonly handle: number;
}
