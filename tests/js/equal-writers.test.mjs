// Writers that begin at the same time with the same state: one continues, the others end with a
// conflict. Their saves are equal, so their contents do not show whose save is stored.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, init } from "byname";
import { memoryStorage } from "byname/storage";
import { flowOf } from "../flow/make.mjs";
import { graph, plan } from "./gasl-memory.mjs";

await init();

const ROUNDS = 30;

const flow = flowOf([
  ["pay", "", "a"],
  ["ship", "", "b"],
  ["mail", "", "c"],
]);
const outputOf = { pay: "a", ship: "b", mail: "c" };

/** Ways in which a storage confirms and rejects saves, as functions of a storage of one key. */
const storages = {
  "a storage of the package": (inner) => inner,
  "plain errors": ({ save, ...inner }) => ({
    ...inner,
    save: (...args) => save(...args).catch(({ message }) => Promise.reject(new Error(message))),
  }),
  "plain errors and late confirmations": ({ save, ...inner }) => ({
    ...inner,
    async save(...args) {
      const saved = await save(...args).catch(() => undefined);
      if (saved === undefined) throw new Error("another revision");
      await new Promise(setImmediate);
      return saved;
    },
  }),
  "a reason without a class": ({ save, ...inner }) => ({
    ...inner,
    save: (...args) => save(...args).catch(() => Promise.reject({ reason: "conflict" })),
  }),
  "conflicts after which it does not load": ({ save, load, ...inner }) => {
    let isDown = false;
    return {
      ...inner,
      async load() {
        if (!isDown) return await load();
        isDown = false;
        throw new Error("no connection");
      },
      save: (...args) =>
        save(...args).catch((error) => {
          isDown = true;
          throw error;
        }),
    };
  },
};

const fixed = "2026-01-02T03:04:05.000Z";

for (const [what, wrap] of Object.entries(storages)) {
  for (const count of [2, 3]) {
    for (const now of [undefined, () => fixed]) {
      const title = `${count} equal writers, ${what}, ${now ? "one time" : "the clock"}`;

      test(`a run continues once: ${title}`, async (context) => {
        if (now) context.mock.timers.enable({ apis: ["Date"], now: new Date(fixed) });
        for (let round = 0; round < ROUNDS; round += 1) {
          const inner = memoryStorage();
          const storage = { ...inner, at: (key) => wrap(inner.at(key)) };
          const calls = [];
          const work = ({ id }) => {
            calls.push(id);
            return { outputs: { [outputOf[id]]: "ok" } };
          };
          const start = () => flow.run({ storage, run: "order", nodes: { work } });
          const runs = await Promise.allSettled(Array.from({ length: count }, start));
          const completed = runs.filter(({ value }) => value?.status === "completed");
          assert.deepEqual([completed.length, calls], [1, ["pay", "ship", "mail"]]);
        }
      });

      test(`a plan continues once: ${title}`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const backend = wrap(memoryStorage());
          let asks = 0;
          const llm = () => {
            asks += 1;
            return { json: [1] };
          };
          const text = plan(
            "DECLARE n AS COUNTER",
            "FIND nodes AS x",
            `PROCESS x USING 'a' RETURNING {"type":"array"} AS t`,
            "UPDATE n WITH x",
          );
          const options = { graph: graph(), llm, backend, ...(now && { now }) };
          const start = () => new GaslSession(options).run(text);
          const plans = await Promise.allSettled(Array.from({ length: count }, start));
          const completed = plans.filter(({ value }) => value?.status === "completed");
          assert.deepEqual([completed.length, asks], [1, 1]);
          assert.equal((await backend.load()).state.variables.n.value, 2);
        }
      });
    }
  }
}

test("a writer whose confirmation is lost continues after another one has ended", async () => {
  for (const isEnded of [true, false]) {
    const inner = memoryStorage();
    let isLost = false;
    const at = (key) => ({
      ...inner.at(key),
      async save(...args) {
        const saved = await inner.at(key).save(...args);
        if (isLost) throw new Error("no confirmation");
        return saved;
      },
    });
    const storage = { ...inner, at };
    const nodes = (onCall = () => {}) => ({
      work: ({ id }) => {
        onCall(id);
        return { outputs: { [outputOf[id]]: "ok" } };
      },
    });
    if (isEnded) {
      const fail = (id) => assert.notEqual(id, "ship");
      assert.equal((await flow.run({ storage, run: "r", nodes: nodes(fail) })).status, "failed");
    }
    isLost = true;
    assert.equal((await flow.run({ storage, run: "r", nodes: nodes() })).status, "completed");

    const backend = at("state");
    isLost = false;
    if (isEnded) await new GaslSession({ graph: graph(), backend }).execute("DECLARE n AS COUNTER");
    isLost = true;
    const { status } = await new GaslSession({ graph: graph(), backend }).execute(
      "DECLARE m AS LIST",
    );
    assert.equal(status, "success");
  }
});
