import { currentTime, type SessionContext } from "./session-context.js";

/** Clock of a session, whose last time is used when it throws during a task. */
export class SessionClock {
  readonly #context: SessionContext;
  #lastTime = "";

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Returns the time of the start of a task. A failing clock throws. */
  async start(): Promise<string> {
    this.#lastTime = await currentTime(this.#context);
    return this.#lastTime;
  }

  /** Returns the host's time, or the last one if its clock throws. */
  now(): string | Promise<string> {
    const keep = (time: string): string => {
      this.#lastTime = time;
      return time;
    };
    const last = (error: unknown): string => {
      if (this.#lastTime === "") throw error;
      return this.#lastTime;
    };
    try {
      const time = currentTime(this.#context);
      return typeof time === "string" ? keep(time) : time.then(keep, last);
    } catch (error) {
      return last(error);
    }
  }

  /** Calls the clock before an action, because it is a callback and may dispose the session. */
  callWithTime<T>(action: (now: string) => T): T | Promise<T> {
    const now = this.now();
    return typeof now === "string" ? action(now) : now.then(action);
  }
}
