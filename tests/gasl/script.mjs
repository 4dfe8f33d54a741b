// A model that answers from a list. A reply is a text, a reply object, or an instruction:
// {"$throw": words}, {"$return": json}, {"$hang": true}, {"$repeat": reply}, and
// {"$execute" | "$run" | "$remember": …, "expect", "reply"}, which uses the session from inside the callback.

import { CaseFailure, expectTrue, show } from "../compare.mjs";

/** A reply that is repeated for ever shall not be asked for more often than that. */
const ENOUGH = 400;

export class Script {
  constructor(replies) {
    this.replies = [...replies];
    /** What was asked since the last step that looked. */
    this.asked = [];
    this.count = 0;
    /** What a failure inside a callback was: the session takes it for a failure of the model. */
    this.fault = null;
    /** Called before the reply of a question; set by a step that aborts. */
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
      expectTrue(this.count < ENOUGH, "the model is asked for ever");
    } catch (fault) {
      this.fault = fault;
      throw fault;
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
      } catch (fault) {
        this.fault = fault;
        throw fault;
      }
      return this.#answer(reply.reply, request);
    }
    return reply;
  }

  /** After a case: everything scripted was asked for, and nothing else. */
  expectUsed(what) {
    if (this.fault) throw this.fault;
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
