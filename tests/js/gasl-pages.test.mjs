// Rows that an adapter sends in pages: back-pressure, the end of the cursor, and pages of PROCESS.

import assert from "node:assert/strict";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GaslSession, init } from "byname";
import { boltGraph, cypherAdapter, DatabaseError } from "byname/databases";

await init();

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const PAGE = 1_000;

const rowsFrom = (start, count) =>
  Array.from({ length: count }, (_, index) => ({
    row: { id: `n${String(start + index).padStart(7, "0")}`, text: "some words of a row" },
  }));

/** Adapter of nodes in pages, which records what is requested. */
function pagedAdapter(total, log = {}) {
  const run = (statement) => {
    const { text, params } = statement;
    if (/UNWIND keys/.test(text)) return Promise.resolve([{ row: "text" }]);
    if (/RETURN count/.test(text)) return Promise.resolve([{ row: total }]);
    const limit = Number(/LIMIT (\d+)$/.exec(text)?.[1] ?? total);
    const after = Object.values(params).find((value) => /^n\d/.test(value));
    const first = after === undefined ? 0 : Number(after.slice(1)) + 1;
    return pages(first, Math.min(total, first + limit), log);
  };
  return cypherAdapter({ run, stable: true });
}

async function* pages(start, end, log) {
  log.open = (log.open ?? 0) + 1;
  try {
    for (let at = start; at < end; at += PAGE) {
      log.pages = (log.pages ?? 0) + 1;
      await log.beforePage?.();
      yield rowsFrom(at, Math.min(PAGE, end - at));
    }
  } finally {
    log.open -= 1;
  }
}

test("sends the first rows and their number, and reads the others on request", async () => {
  const log = {};
  const session = new GaslSession({ graph: pagedAdapter(5_000, log) });
  const { metrics, status } = await session.execute("FIND nodes AS x");
  assert.deepEqual([status, metrics.count], ["success", 5_000]);
  assert.equal(log.pages, 1);
  assert.throws(() => session.variable("x"), /read them with `await rows\(\)`/);
  assert.equal((await session.rows("x", { limit: 10 })).length, 10);
  await session.execute("UNION x WITH x AS twice");
  assert.equal(session.variable("twice").length, 10_000);
  assert.equal(session.variable("x").length, 5_000);
  assert.equal(log.open, 0);
});

test("rows of a server that ignores the limit end after the page with the last needed row", async () => {
  const log = {};
  const run = ({ text }) => {
    if (/UNWIND keys/.test(text)) return Promise.resolve([{ row: "text" }]);
    return /RETURN count/.test(text) ? Promise.resolve([{ row: 5_000 }]) : pages(0, 5_000, log);
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  await session.execute("FIND nodes AS x");
  log.pages = 0;
  const rows = await session.rows("x", { limit: 3 });
  assert.deepEqual(
    rows.map(({ id }) => id),
    ["n0000000", "n0000001", "n0000002"],
  );
  assert.deepEqual(log, { pages: 1, open: 0 });
});

test("warns of many rows that a command fetches", async () => {
  const session = new GaslSession({ graph: pagedAdapter(50_001) });
  await session.execute("FIND nodes AS x");
  const { errors } = await session.execute("UNION x WITH x AS twice");
  assert.equal(errors[0].code, "GASL165");
  assert.match(errors[0].message, /50001 rows of `x`/);
});

test("warns of rows that a lower cap leaves out of a fetch", async () => {
  const session = new GaslSession({ graph: pagedAdapter(5_000) });
  await session.execute("FIND nodes AS x");
  await session.execute("SET adapter.caps.max_results = 3000");
  const { errors } = await session.execute("UNION x WITH x AS twice");
  assert.deepEqual([errors[0]?.code, session.variable("x").length], ["GASL040", 3_000]);
});

test("a join of sent rows with rows of the database fetches the latter, with a warning", async () => {
  const session = new GaslSession({ graph: pagedAdapter(50_001) });
  await session.execute("FIND nodes LIMIT 5 AS few");
  await session.execute("FIND nodes AS x");
  const { errors, metrics } = await session.execute("JOIN few WITH x ON id AS both");
  assert.equal(errors[0].code, "GASL165");
  assert.equal(metrics.count, 5);
});

test("PROCESS reports rows that no page contains", async () => {
  const lost = pagedAdapter(3_000);
  const graph = {
    ...lost,
    async *deriveRows(query, signal) {
      if (query.what === "page" && query.after !== undefined) return;
      yield* lost.deriveRows(query, signal);
    },
  };
  const llm = async () => ({ json: [] });
  const session = new GaslSession({ graph, llm, caps: { max_excerpt_items: 500 } });
  await session.execute("FIND nodes AS x");
  const { status, errors, metrics } = await session.execute(
    'PROCESS x USING "read" RETURNING {"type": "array"} AS y',
  );
  assert.equal(status, "partial");
  assert.deepEqual([errors[0].code, metrics.input], ["GASL170", 1_000]);
  assert.equal(errors[0].message, "2000 of 3000 rows were not read");
});

test("groups and fields without values are errors", async () => {
  const rows = [[null], [{}], ["s"], [{ values: 5 }], [{ values: null }]];
  for (const found of rows) {
    const paged = pagedAdapter(5_000);
    const deriveRows = (query, signal) =>
      query.what === "count" ? paged.deriveRows(query, signal) : Promise.resolve(found);
    const graph = { ...paged, deriveRows };
    const session = new GaslSession({ graph });
    await session.execute("FIND nodes AS x");
    for (const command of ["COUNT x BY text AS n", "SELECT x FIELDS text:z AS y"]) {
      const { status, errors } = await session.execute(command);
      assert.deepEqual([status, errors[0].code], ["error", "GASL044"], JSON.stringify(found));
    }
  }
});

test("an abort ends the pages", async () => {
  const controller = new AbortController();
  const log = {
    beforePage: () => {
      if (log.pages > 4) controller.abort(new Error("enough"));
    },
  };
  const session = new GaslSession({ graph: pagedAdapter(1_000_000, log) });
  await session.execute("FIND nodes AS x");
  log.pages = 0;
  const { status } = await session.execute("UNION x WITH x AS twice", {
    signal: controller.signal,
  });
  assert.equal(status, "error");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(log.pages < 10, `${log.pages} pages`);
  assert.equal(log.open, 0);
});

test("PROCESS reads a page after the batches of the one before, in little memory", async () => {
  const total = 500_000;
  const log = {};
  let batches = 0;
  let peak = 0;
  const llm = async () => {
    batches += 1;
    // At most one page more than the batches need.
    assert.ok(log.pages <= 2 + Math.ceil((batches * 500) / PAGE));
    if (batches % 50 === 0) {
      collectGarbage();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      peak = Math.max(peak, heapUsed + external + arrayBuffers);
    }
    return { json: [batches] };
  };
  const graph = pagedAdapter(total, log);
  const caps = { max_excerpt_items: 500, max_excerpt_chars: 100_000 };
  const session = new GaslSession({ graph, llm, caps });
  await session.execute("FIND nodes AS all");
  const { status, metrics } = await session.execute(
    'PROCESS all USING "count" RETURNING {"type": "array"} AS x',
  );
  assert.equal(status, "success");
  assert.deepEqual([metrics.input, metrics.batches, batches], [total, 1_000, 1_000]);
  assert.ok(peak < 150e6, `${Math.round(peak / 1e6)} MB`);
});

/** Driver whose sessions run a function, and count how many are open. */
function fakeDriver(records, log = {}) {
  return {
    session() {
      log.open = (log.open ?? 0) + 1;
      return {
        run: (...statement) => records(...statement),
        async close() {
          log.open -= 1;
        },
      };
    },
  };
}

async function* failing(message, code) {
  yield* [];
  throw Object.assign(new Error(message), { code });
}

test("errors of a driver are temporary or final, in one line without addresses", async () => {
  for (const [message, code, expected, isTransient] of [
    [
      "The client is unauthorized at bolt://db:7687",
      "Neo.ClientError.Security.Unauthorized",
      /rejected the user/,
      false,
    ],
    [
      "Database people not found",
      "Neo.ClientError.Database.DatabaseNotFound",
      /does not exist/,
      false,
    ],
    [
      "Failed to connect to server bolt://secret:1",
      "ServiceUnavailable",
      /the connection to the database failed/,
      true,
    ],
    [
      "WebSocket connection failure. Due to security constraints in your web browser, the reason is not available",
      "ServiceUnavailable",
      /the connection to the database failed/,
      true,
    ],
    ["deadlock", "Neo.TransientError.Transaction.DeadlockDetected", /temporary error/, true],
    ["Invalid input 'X'", "Neo.ClientError.Statement.SyntaxError", /syntax error/, false],
    [
      "bad /home/me/file of bolt://db",
      "Neo.ClientError.Other",
      /rejected the statement: bad … of …/,
      false,
    ],
  ]) {
    let calls = 0;
    const records = () => {
      calls += 1;
      return failing(message, code);
    };
    const graph = boltGraph(fakeDriver(records), { retries: 1 });
    const { signal } = new AbortController();
    const error = await graph.schema(signal).catch((reason) => reason);
    assert.ok(error instanceof DatabaseError);
    assert.match(error.message, expected);
    assert.deepEqual([error.isTransient, calls], [isTransient, isTransient ? 2 : 1], message);
    assert.equal(error.serverMessage, message);
    assert.ok(!/bolt:|secret|home/.test(error.message), error.message);
  }
});

test("a statement without a response fails after the time-out, and its session is closed", async () => {
  const log = {};
  const never = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });
  const graph = boltGraph(fakeDriver(never, log), { timeout: 30, retries: 0 });
  const session = new GaslSession({ graph });
  const result = await session.run({ plan_id: "p", why: "test", commands: ["FIND nodes AS x"] });
  assert.equal(result.status, "interrupted");
  assert.match(result.records[0].errors[0].message, /did not respond in time/);
  assert.ok(log.open <= 0);
});
