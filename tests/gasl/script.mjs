// A model with scripted replies. A reply is a text, a reply object, or an instruction:
// {"$throw": words}, {"$return": json}, {"$hang": true} or {"$repeat": reply}. The instruction
// {"$execute" | "$run" | "$remember": …, "expect", "reply"} uses the session from inside the callback.

import { CaseFailure, expectTrue, show } from "../compare.mjs";

/** Maximum number of calls of the model in a case. */
const MAX_CALLS = 400;

export class Script {
  constructor(replies) {
    this.replies = [...replies];
    /** Requests since the last step that read them. */
    this.asked = [];
    this.count = 0;
    /** Failed expectation inside a callback, which the session handles as a failure of the model. */
    this.failure = null;
    /** Called before each reply; set by a step that aborts. */
    this.onAsk = () => {};
    this.act = null;
  }

  async reply(request) {
    this.asked.push(request);
    this.count += 1;
    this.onAsk(this.count);
    const repeats = Object.hasOwn(Object(this.replies[0]), "$repeat");
    try {
      expectTrue(this.replies.length > 0, `asked more often than scripted: ${show(request)}`);
      expectTrue(this.count < MAX_CALLS, "the model is called without end");
    } catch (failure) {
      this.failure = failure;
      throw failure;
    }
    return this.#answer(repeats ? this.replies[0].$repeat : this.replies.shift(), request);
  }

  async #answer(reply, request) {
    if (typeof reply !== "object" || reply === null) return reply;
    if (Object.hasOwn(reply, "$throw")) throw new Error(reply.$throw);
    if (Object.hasOwn(reply, "$return")) return reply.$return;
    if (Object.hasOwn(reply, "$hang")) return await never(request.signal);
    if (Object.hasOwn(reply, "reply")) {
      try {
        await this.act(reply);
      } catch (failure) {
        this.failure = failure;
        throw failure;
      }
      return this.#answer(reply.reply, request);
    }
    return reply;
  }

  /** Checks that all replies were used and no call failed. */
  expectUsed(what) {
    if (this.failure) throw this.failure;
    const left = this.replies.filter((reply) => !Object.hasOwn(Object(reply), "$repeat"));
    if (left.length > 0)
      throw new CaseFailure(`${what}: the model was not asked for ${show(left)}`);
  }
}

function never(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}
