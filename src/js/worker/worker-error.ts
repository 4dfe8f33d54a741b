import { BynameError } from "../errors.js";

/** Reason why a worker does not answer. */
export type WorkerErrorReason =
  /** The page has closed it. */
  | "closed"
  /** It has ended by itself, as when its memory is exhausted. */
  | "ended"
  /** It could not be started. */
  | "unavailable";

const MESSAGES: { readonly [reason in WorkerErrorReason]: string } = {
  closed: "the worker has been closed",
  ended: "the worker has ended: open another one with `openWorker()` and load the data again",
  unavailable: "the worker could not be started",
};

/** Error of all calls of a worker that has ended or did not start. */
export class WorkerError extends BynameError {
  override readonly name: string = "WorkerError";
  readonly reason: WorkerErrorReason;

  constructor(reason: WorkerErrorReason, detail = "", cause?: unknown) {
    super("disposed", detail === "" ? MESSAGES[reason] : `${MESSAGES[reason]} (${detail})`);
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}
