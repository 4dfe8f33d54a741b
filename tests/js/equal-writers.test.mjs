// Writers that begin at the same time with the same state: one continues, the others end with a
// conflict. Their saves are equal, so their contents do not show whose save is stored.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GaslSession, init } from "byname";
import { memoryStorage } from "byname/storage";
import { Session } from "../../pkg/byname_bg.js";
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

/** Returns a backend with another `save`, which gets the number of the call and the inner `save`. */
function backendWith(save) {
  const inner = memoryStorage();
  let count = 0;
  return {
    load: () => inner.load(),
    save: (...args) => {
      count += 1;
      return save(count, () => inner.save(...args));
    },
  };
}

const sessionOf = (backend, now = () => fixed) => new GaslSession({ graph: graph(), backend, now });

test("a lost confirmation is found while an equal save is pending", async () => {
  const backend = backendWith(async (number, save) => {
    if (number === 2) await wait(20);
    const saved = await save();
    if (number === 1) {
      await wait(5);
      throw new Error("no confirmation");
    }
    return saved;
  });
  const start = () => sessionOf(backend).execute("DECLARE n AS COUNTER");
  const plans = await Promise.allSettled([start(), start()]);
  assert.deepEqual(
    plans.map(({ value, reason }) => value?.status ?? reason.code),
    ["success", "storage"],
  );
});

test("a late confirmation of another session is not a conflict", async () => {
  let confirm;
  const backend = backendWith(async (number, save) => {
    const saved = await save();
    if (number === 1) await new Promise((resolve) => (confirm = resolve));
    if (number === 4) throw new Error("no confirmation");
    return saved;
  });
  const first = sessionOf(backend).execute("DECLARE n AS COUNTER");
  await wait(10);
  await sessionOf(backend).execute("DECLARE m AS LIST");
  const last = sessionOf(backend);
  await last.execute("DECLARE k AS LIST");
  confirm();
  await first;
  assert.equal((await last.execute("DECLARE z AS LIST")).status, "success");
});

test("revisions that a storage uses again after a deletion are not those of another session", async () => {
  let stored = null;
  let isLost = false;
  const backend = {
    load: async () => stored,
    async save(state, { expectedRev }) {
      if (expectedRev !== (stored?.rev ?? null)) throw new Error("another revision");
      stored = { state, rev: String(Number(expectedRev) + 1) };
      if (isLost) throw new Error("no confirmation");
      return { rev: stored.rev };
    },
  };
  const text = "DECLARE n AS COUNTER";
  const first = sessionOf(backend);
  assert.equal((await first.execute(text)).status, "success");
  stored = null;
  isLost = true;
  assert.equal((await sessionOf(backend).execute(text)).status, "success");
});

test("two writers that load a state at the same time do not both take it", async () => {
  const waiting = [];
  const inner = memoryStorage();
  let saves = 0;
  const backend = {
    load: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length > 1) return;
        wait(10).then(async () => {
          const stored = await inner.load();
          for (const one of waiting.splice(0)) one(stored);
        });
      }),
    async save(...args) {
      saves += 1;
      const isLost = saves <= 2;
      const saved = await inner.save(...args).catch((error) => isLost || Promise.reject(error));
      if (isLost) throw new Error("no confirmation");
      return saved;
    },
  };
  const run = () =>
    sessionOf(backend)
      .execute("DECLARE n AS COUNTER")
      .then(
        ({ status }) => status,
        ({ code }) => code,
      );
  const found = await Promise.all([run(), run()]);
  assert.deepEqual(found.sort(), ["storage", "success"]);
});

test("a task that is stopped does not withdraw the save of another task", async () => {
  let confirm;
  const backend = backendWith(async (number, save) => {
    if (number === 2) {
      await wait(50);
      throw new Error("no connection");
    }
    const saved = await save();
    if (number === 1) await new Promise((resolve) => (confirm = resolve));
    return saved;
  });
  const text = "DECLARE n AS COUNTER";
  const [first, second] = [sessionOf(backend), sessionOf(backend)];
  const saved = first.execute(text);
  const other = second.execute(text).then(
    ({ status }) => status,
    ({ code }) => code,
  );
  await wait(10);
  await first.execute("DECLARE q AS LIST", { timeout: 5 }).catch(() => {});
  setTimeout(confirm, 150);
  assert.equal(await other, "storage");
  assert.equal((await saved).status, "success");
});

test("the pending save of a stopped task does not delay another session", async () => {
  const backend = backendWith(async (number, save) => {
    if (number === 1) return new Promise(() => {});
    const saved = await save();
    if (number === 2) throw new Error("no confirmation");
    return saved;
  });
  const text = "DECLARE n AS COUNTER";
  const stopped = await sessionOf(backend).execute(text, { timeout: 20 });
  assert.notEqual(stopped, undefined);
  const begin = performance.now();
  assert.equal((await sessionOf(backend).execute(text)).status, "success");
  assert.ok(performance.now() - begin < 10_000);
});

test("the states of the sessions of a backend are garbage-collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const handles = [];
  const { capture } = Session.prototype;
  Session.prototype.capture = function (...args) {
    handles.push(new WeakRef(this));
    return capture.apply(this, args);
  };
  try {
    const backend = memoryStorage();
    for (let n = 0; n < 20; n += 1) await sessionOf(backend).execute(`DECLARE n${n} AS LIST`);
  } finally {
    Session.prototype.capture = capture;
  }
  for (let n = 0; n < 3; n += 1) {
    await wait(5);
    collect();
  }
  const alive = handles.filter((handle) => handle.deref()).length;
  assert.ok(handles.length >= 20 && alive <= 2, `${alive} of ${handles.length}`);
});

test("a storage that rejects the key of a result has no writers after it", async () => {
  const inner = memoryStorage();
  let isRejected = true;
  const at = (key) => {
    if (isRejected && key.includes("/")) throw new Error("invalid key");
    return inner.at(key);
  };
  const storage = { ...inner, at };
  const work = ({ id }) => ({ outputs: { [outputOf[id]]: "ok" } });
  const maps = new Set();
  const { set } = WeakMap.prototype;
  WeakMap.prototype.set = function (key, value) {
    if (key === storage) maps.add(value);
    return set.call(this, key, value);
  };
  try {
    const start = () => flow.run({ storage, run: "r", nodes: { work } });
    await assert.rejects(start(), /invalid key/);
    isRejected = false;
    assert.equal((await start()).status, "completed");
  } finally {
    WeakMap.prototype.set = set;
  }
  assert.deepEqual(
    [...maps].map(({ size }) => size),
    [0],
  );
});
