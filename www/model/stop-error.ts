/** Somebody pressed Stop while a model in this page was at work. */
export class Stopped extends Error {
  constructor() {
    super("it was stopped");
  }
}
