/** The user stopped a local model. */
export class StopError extends Error {
  constructor() {
    super("the request was cancelled");
  }
}
