// Journal of a run in Redis: the outcome of each call under its key. The first outcome of a key counts.

/** Appends an outcome, unless the key has one. */
const COMPLETE = `
if redis.call("HSETNX", KEYS[1], ARGV[1], 1) == 0 then return 0 end
redis.call("XADD", KEYS[2], "*", "key", ARGV[1], "outcome", ARGV[2])
return 1`;

export class Journal {
  #redis;
  #keys;
  #last = "0";

  constructor(redis, run) {
    this.#redis = redis;
    this.#keys = [`flow:${run}:completed`, `flow:${run}:journal`];
  }

  /** Reports whether a call has an outcome. */
  async has(key) {
    return (await this.#redis.hexists(this.#keys[0], key)) === 1;
  }

  /** Stores the outcome of a call. Returns false if the call had one. */
  async complete(key, outcome) {
    const added = await this.#redis.eval(COMPLETE, 2, ...this.#keys, key, JSON.stringify(outcome));
    return added === 1;
  }

  /** Returns the outcomes since the last read, by key. Waits for at most `waitMs` milliseconds. */
  async read(waitMs) {
    const block = waitMs > 0 ? ["BLOCK", waitMs] : [];
    const found = await this.#redis.xread(...block, "STREAMS", this.#keys[1], this.#last);
    const entries = found?.[0]?.[1] ?? [];
    const outcomes = new Map();
    for (const [id, [, key, , outcome]] of entries) {
      this.#last = id;
      outcomes.set(key, JSON.parse(outcome));
    }
    return outcomes;
  }
}
