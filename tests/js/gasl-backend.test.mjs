// Rule 29: the state is stored after each successful step, completely or not at all.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, init } from "byname";
import { memoryStorage } from "byname/storage";
import { graph, memory, plan } from "./gasl-memory.mjs";

await init();

test("stores the state after each successful step", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  await session.execute("DECLARE k AS LIST");
  await session.execute("FIND nodes AS x");
  assert.deepEqual(backend.stored.saves, [1, 2]);
  await session.execute("SHOW absent");
  assert.deepEqual(backend.stored.saves, [1, 2]);
  await session.execute("UPDATE k WITH x");
  assert.equal(JSON.parse(backend.stored.text).variables.k.items.length, 2);
  assert.deepEqual(backend.stored.saves, [1, 2, 4]);
});

test("another session resumes from the stored state", async () => {
  const backend = memory();
  const first = new GaslSession({ graph: graph(), backend });
  await first.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
  const second = new GaslSession({ graph: graph(), backend });
  const record = await second.execute("COUNT k AS n");
  assert.deepEqual([record.status, record.step], ["success", 4]);
  assert.equal(second.variable("n"), 2);
  assert.equal(second.snapshot().hash, first.snapshot().hash);
});

test("reports a backend that fails, and keeps the step", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  backend.stored.failing = true;
  const record = await session.execute("DECLARE k AS LIST");
  assert.equal(record.status, "success");
  assert.deepEqual(
    record.errors.map(({ code, help }) => [code, help.length > 0]),
    [["GASL064", true]],
  );
  const result = await session.run(plan("FIND nodes AS x", "UPDATE k WITH x"));
  assert.equal(result.status, "failed");
  assert.ok(result.diagnostics.some(({ code }) => code === "GASL064"));
  backend.stored.failing = false;
  await session.execute("SHOW k");
  assert.equal(JSON.parse(backend.stored.text).variables.k.items.length, 2);
});

test("two sessions do not overwrite each other", async () => {
  const backend = memory();
  const one = new GaslSession({ graph: graph(), backend });
  const other = new GaslSession({ graph: graph(), backend });
  await one.execute("DECLARE mine AS LIST");
  const { status } = await other.execute("DECLARE yours AS LIST");
  assert.equal(status, "success");
  const stored = JSON.parse(backend.stored.text).variables;
  assert.deepEqual(Object.keys(stored), ["mine", "yours"]);
});

test("a fork has the stored state, also where nothing has been loaded yet", async () => {
  const backend = memory();
  const first = new GaslSession({ graph: graph(), backend });
  for (const command of ["DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"])
    await first.execute(command);
  const saves = backend.stored.saves.length;
  const session = new GaslSession({ graph: graph(), backend });
  const fork = session.fork();
  await fork.execute("SELECT k FIELDS id AS ids");
  assert.deepEqual(fork.variable("ids"), [{ id: "a" }, { id: "b" }]);
  await fork.execute("DECLARE own AS COUNTER");
  assert.equal(backend.stored.saves.length, saves);
  // The session itself continues to store its loaded state.
  assert.equal((await session.execute("DECLARE more AS LIST")).status, "success");
  assert.deepEqual(Object.keys(JSON.parse(backend.stored.text).variables), ["k", "more"]);
});

test("stores concurrent steps one after the other", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  const names = ["a", "b", "c"];
  const records = await Promise.all(
    names.map((name) => session.execute(`DECLARE ${name} AS LIST`)),
  );
  assert.deepEqual(
    records.map(({ errors }) => errors),
    [undefined, undefined, undefined],
  );
  assert.deepEqual(Object.keys(JSON.parse(backend.stored.text).variables), names);
});

test("an abort does not wait for a backend that does not answer", async () => {
  const backend = memory();
  let answer;
  const slow = {
    load: backend.load,
    save: async (state, options) => {
      await new Promise((resolve) => {
        answer = resolve;
      });
      return await backend.save(state, options);
    },
  };
  const session = new GaslSession({ graph: graph(), backend: slow });
  const control = new AbortController();
  const { signal } = control;
  const running = session.run(plan("DECLARE k AS LIST", "FIND nodes AS x"), { signal });
  while (answer === undefined) await new Promise(setImmediate);
  const before = performance.now();
  control.abort();
  const { status, diagnostics } = await running;
  assert.ok(performance.now() - before < 1_000);
  assert.deepEqual([status, diagnostics.map(({ code }) => code)], ["cancelled", ["GASL064"]]);
  // A save that the abort did not wait for is done later, by the next call.
  for (const saves of [1, 2]) {
    answer();
    while (backend.stored.saves.length < saves) await new Promise(setImmediate);
  }
  const stored = JSON.parse(backend.stored.text);
  assert.deepEqual([Object.keys(stored.variables), stored.running], [["k"], undefined]);
  answer = undefined;
  const next = session.run(plan("COUNT k AS n"));
  while (answer === undefined) await new Promise(setImmediate);
  slow.save = backend.save;
  answer();
  assert.equal((await next).status, "completed");
});

test("a call that is aborted before the state is loaded says so, and does not change it", async () => {
  const stop = { signal: AbortSignal.abort(new Error("enough")) };
  for (const options of [stop, { timeout: 20 }]) {
    const stored = JSON.stringify({ declarations: {} });
    const backend = {
      // It has not arrived yet when there is a timeout.
      load: () => (options === stop ? Promise.resolve(null) : new Promise(() => {})),
      save: () => assert.fail(`${stored} is stored over`),
    };
    const session = new GaslSession({ graph: graph(), backend, llm: () => "COMPLETE: x" });
    const step = await session.execute("FIND nodes AS x", options);
    assert.deepEqual([step.status, step.errors[0].code], ["error", "GASL045"]);
    const commands = ["TRY", "DECLARE k AS LIST", "FINALLY", "FIND nodes AS x", "END"];
    const { status } = await session.run(plan(...commands), options);
    assert.equal(status, "cancelled");
    assert.equal((await session.solve("Who?", options)).status, "cancelled");
    assert.deepEqual([session.variable("x"), session.state.history], [undefined, []]);
    await assert.rejects(session.propose("Who?", options), /enough|no response within 20 ms/);
  }
  // A state that cannot be loaded is not an abort.
  const load = async () => {
    throw new Error("the disk is gone");
  };
  const invalid = new GaslSession({ graph: graph(), backend: { load, save: load } });
  await assert.rejects(invalid.execute("FIND nodes AS x"), /the disk is gone/);
  await assert.rejects(invalid.execute("FIND nodes AS x", { timeout: 1000 }), /the disk is gone/);
});

test("continues after a save whose confirmation was lost", async () => {
  const backend = memory();
  const { save } = backend;
  let saves = 0;
  backend.save = async (...args) => {
    const saved = await save(...args);
    saves += 1;
    if (saves % 3 === 2) throw new Error("the connection broke after the save");
    return saved;
  };
  const session = new GaslSession({ graph: graph(), backend });
  const result = await session.run(
    plan("DECLARE n AS COUNTER", "FIND nodes AS x", ...Array(20).fill("UPDATE n WITH x")),
  );
  assert.deepEqual([result.status, result.diagnostics], ["completed", []]);
  assert.equal(JSON.parse(backend.stored.text).variables.n.value, session.variable("n"));
});

test("a replica that returns an earlier state after a failed save causes no conflict", async () => {
  for (let failing = 3; failing < 8; failing += 1) {
    const backend = memory();
    let saves = 0;
    const loaded = [];
    const session = new GaslSession({
      graph: graph(),
      backend: {
        load: async () => (saves === failing ? loaded.at(-2) : backend.load()),
        async save(...args) {
          saves += 1;
          if (saves === failing) throw new Error("the connection broke");
          const saved = await backend.save(...args);
          loaded.push(await backend.load());
          return saved;
        },
      },
    });
    const { status } = await session.run(
      plan("DECLARE n AS COUNTER", "FIND nodes AS x", ...Array(6).fill("UPDATE n WITH x")),
    );
    assert.deepEqual([status, session.variable("n")], ["completed", 12], `${failing}`);
  }
});

test("after a conflict a session saves nothing, and another one continues its plan", async () => {
  const backend = memory();
  let saves = 0;
  const session = new GaslSession({
    graph: graph(),
    backend: {
      load: () => (saves >= 5 ? { state: { other: 1 }, rev: "other" } : backend.load()),
      async save(...args) {
        saves += 1;
        if (saves === 5) throw new Error("the connection broke");
        return await backend.save(...args);
      },
    },
  });
  const text = plan("DECLARE n AS COUNTER", "FIND nodes AS x", ...Array(6).fill("UPDATE n WITH x"));
  await assert.rejects(session.run(text), /another writer has saved the state/);
  assert.equal(saves, 5);
  const later = new GaslSession({ graph: graph(), backend });
  assert.equal((await later.resume()).status, "completed");
  assert.equal(later.variable("n"), 12);
});

test("finds its own state after an outage, and after a save that arrives late", async () => {
  const text = plan("DECLARE n AS COUNTER", "FIND nodes AS x", ...Array(6).fill("UPDATE n WITH x"));
  /**
   * The save with this number fails in one of these ways; then `load` fails this number of times.
   */
  const failures = {
    "stored, and the backend is gone for a while": [1, async (save) => save()],
    "stored before the repetition": [0, (save) => void setTimeout(save)],
    "never stored": [1, async () => {}],
  };
  for (const [name, [outage, act]] of Object.entries(failures)) {
    for (let failing = 1; failing < 9; failing += 1) {
      const backend = memory();
      let saves = 0;
      let outages = 0;
      const session = new GaslSession({
        graph: graph(),
        backend: {
          async load() {
            outages -= 1;
            if (outages >= 0) throw new Error("no connection");
            return await backend.load();
          },
          async save(...args) {
            saves += 1;
            if (saves !== failing) return await backend.save(...args);
            outages = outage;
            await act(() => backend.save(...args).catch(() => {}));
            throw new Error("the connection broke");
          },
        },
      });
      const { status, records } = await session.run(text);
      assert.equal(status, "completed", `${name}, save ${failing}`);
      assert.equal(records.length, 8);
      assert.equal(session.variable("n"), 12);
      assert.equal(JSON.parse(backend.stored.text).variables.n.value, 12);
    }
  }
});

test("finds its own state after many failed saves, each of which may arrive late", async () => {
  for (const arriving of [1, 15, 16, 17, 39, 40]) {
    const backend = memory();
    const failed = [];
    let isDown = false;
    const save = (...args) => {
      if (!isDown) return backend.save(...args);
      failed.push(args);
      return Promise.reject(new Error("down"));
    };
    const session = new GaslSession({
      graph: graph(),
      backend: { load: () => backend.load(), save },
    });
    await session.execute("DECLARE n AS COUNTER");
    isDown = true;
    for (let count = 1; count <= 20; count += 1) await session.execute(`DECLARE v${count} AS LIST`);
    await backend.save(...failed.slice(0, arriving).at(-1));
    isDown = false;
    const { status, errors } = await session.execute("DECLARE last AS LIST");
    assert.deepEqual([status, errors], ["success", undefined], `save ${arriving}`);
    assert.equal(Object.keys(JSON.parse(backend.stored.text).variables).length, 22);
  }
});

test("a save that failed and was stored does not hide that of another session", async () => {
  const backend = memory();
  let isDown = false;
  const session = new GaslSession({
    graph: graph(),
    backend: {
      load: async () => (isDown ? Promise.reject(new Error("down")) : backend.load()),
      async save(...args) {
        const saved = await backend.save(...args);
        if (isDown) throw new Error("down");
        return saved;
      },
    },
  });
  await session.execute("DECLARE n AS COUNTER");
  isDown = true;
  const { diagnostics } = await session.run(plan("DECLARE m AS COUNTER"));
  assert.ok(diagnostics.some(({ code }) => code === "GASL064"));
  const other = new GaslSession({ graph: graph(), backend });
  await other.execute("DECLARE other AS LIST");
  isDown = false;
  await assert.rejects(session.execute("DECLARE late AS LIST"), { code: "storage" });
  assert.deepEqual(Object.keys(JSON.parse(backend.stored.text).variables), ["n", "m", "other"]);
});

test("stops with a typed error when another session has saved", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  await session.execute("DECLARE n AS COUNTER");
  const other = new GaslSession({ graph: graph(), backend });
  await other.execute("DECLARE other AS LIST");
  const steps = [];
  const running = session.run(plan("DECLARE mine AS LIST", "FIND nodes AS x"), {
    onStep: ({ command }) => steps.push(command),
  });
  await assert.rejects(running, { name: "BynameError", code: "storage" });
  await assert.rejects(session.execute("SHOW n"), { code: "storage" });
  assert.deepEqual(Object.keys(JSON.parse(backend.stored.text).variables), ["n", "other"]);
});

test("stops with a typed error when the stored state was deleted", async () => {
  const calls = {
    execute: (session) => session.execute("DECLARE late AS LIST"),
    run: (session) => session.run(plan("DECLARE late AS LIST", "FIND nodes AS x")),
  };
  for (const [name, call] of Object.entries(calls)) {
    const backend = memoryStorage();
    const session = new GaslSession({ graph: graph(), backend });
    await session.execute("DECLARE n AS COUNTER");
    await backend.delete();
    const expected = { name: "BynameError", code: "storage", message: /state was deleted/ };
    await assert.rejects(call(session), expected, name);
    await assert.rejects(session.execute("SHOW n"), expected, name);
    assert.equal(await backend.load(), null, name);
    const later = new GaslSession({ graph: graph(), backend });
    assert.equal((await later.execute("DECLARE m AS LIST")).status, "success");
    assert.deepEqual(Object.keys((await backend.load()).state.variables), ["m"]);
  }
});

test("reports a step only after it is stored", async () => {
  const backend = memory();
  const order = [];
  const { save } = backend;
  backend.save = async (state, options) => {
    await new Promise((resolve) => setTimeout(resolve));
    const saved = await save(state, options);
    order.push(`save ${state.history.length}`);
    return saved;
  };
  const session = new GaslSession({ graph: graph(), backend });
  await session.run(plan("DECLARE k AS LIST", "FIND nodes AS x"), {
    onStep: ({ step }) => order.push(`step ${step}`),
  });
  assert.deepEqual(order, ["save 1", "step 1", "save 2", "step 2", "save 2"]);
});

test("reports the steps of failed saves after the next save, and none that is never stored", async () => {
  for (const failing of [
    [3, 4],
    [3, 4, 5, 6],
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  ]) {
    const backend = memory();
    let saves = 0;
    const save = async (...args) => {
      saves += 1;
      if (failing.includes(saves)) throw new Error("offline");
      return await backend.save(...args);
    };
    const session = new GaslSession({
      graph: graph(),
      backend: { load: () => backend.load(), save },
    });
    const reported = [];
    const commands = [
      "DECLARE n AS COUNTER",
      "FIND nodes AS x",
      ...Array(3).fill("UPDATE n WITH x"),
    ];
    const { status } = await session.run(plan(...commands), {
      onStep: ({ step }) => {
        const stored = JSON.parse(backend.stored.text).history.length;
        assert.ok(step <= stored, `step ${step} of ${stored} stored ones`);
        reported.push(step);
      },
    });
    const isStored = failing.length < 10;
    assert.equal(status, isStored ? "completed" : "failed");
    assert.deepEqual(reported, isStored ? [1, 2, 3, 4, 5] : [1, 2]);
  }
});

test("an abort during a save is reported as a state that may not be stored", async () => {
  /** Returns a session whose save with this number fails during an abort, and the signal. */
  const sessionAborted = (number) => {
    const stop = new AbortController();
    const stored = memory();
    let saves = 0;
    const save = async (...args) => {
      saves += 1;
      if (saves < number) return await stored.save(...args);
      stop.abort(new Error("enough"));
      throw new Error("the disk is full");
    };
    const backend = { load: () => stored.load(), save };
    return [new GaslSession({ graph: graph(), backend }), stop.signal];
  };
  for (const number of [1, 2, 3]) {
    const [session, signal] = sessionAborted(number);
    const commands = plan("DECLARE k AS LIST", "FIND nodes AS x");
    const { status, diagnostics } = await session.run(commands, { signal });
    assert.equal(status, number === 3 ? "failed" : "cancelled");
    assert.ok(
      diagnostics.some(({ code }) => code === "GASL064"),
      `save ${number}`,
    );
  }
  const [session, signal] = sessionAborted(1);
  const { status, errors } = await session.execute("DECLARE k AS LIST", { signal });
  assert.deepEqual([status, errors[0].code], ["success", "GASL064"]);
});

/** Returns a promise and the function that rejects it. */
function rejectable() {
  let reject;
  const promise = new Promise((_, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}

test("a plan that is interrupted at any save, any number of times, does no step twice", async () => {
  const commands = [
    "DECLARE n AS COUNTER",
    "FIND nodes AS x",
    "UPDATE n WITH x",
    'PROCESS x USING "name them" AS m',
    "UPDATE n WITH m",
  ];
  const llm = async ({ prompt }) => {
    const [, input_id] = /^\[(\w+)\] /m.exec(prompt);
    return { json: { items: [{ id: "i" }], provenance: [{ item: 0, input_id }] } };
  };
  // Saves of closed pages fail at the end, so that no session waits for them.
  const ended = rejectable();
  for (let first = 1; first < 8; first += 1) {
    for (let second = 1; second < 4; second += 1) {
      const backend = memory();
      /** Returns a session of a page that is closed after some saves. */
      const open = (saves) => {
        let left = saves;
        const save = (...args) => {
          left -= 1;
          return left < 0 ? ended.promise : backend.save(...args);
        };
        const options = { graph: graph(), llm, caps: { max_excerpt_items: 1 } };
        return new GaslSession({ ...options, backend: { load: backend.load, save } });
      };
      const closed = (saves, start) => {
        const session = open(saves);
        const run = start(session).catch(() => {});
        return Promise.race([run, new Promise((resolve) => setTimeout(resolve, 20))]);
      };
      await closed(first, (session) => session.run(plan(...commands)));
      await closed(second, (session) => session.resume());
      const last = open(100);
      await last.resume();
      assert.equal(last.variable("n"), 4, `${first}, ${second}`);
    }
  }
  ended.reject(new Error("the page is closed"));
});
