/** Somebody pressed Stop while a model in this page was at work. */
export class StopError extends Error {
  constructor() {
    super("it was stopped");
  }
}
