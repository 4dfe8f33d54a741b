// Adapter for databases: requests that sessions share, and results that equal those of memory.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, init } from "byname";
import { cypherAdapter } from "byname/gasl";

await init();

/** Returns an adapter whose requests for fields take a while; `requests` lists their signals. */
function slowAdapter(requests) {
  const run = async ({ text }, signal) => {
    if (!text.includes("keys(")) return [{ row: { id: "a" } }];
    requests.push(signal);
    await new Promise((resolve, reject) => {
      setTimeout(resolve, 20);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return [{ row: "name" }];
  };
  return cypherAdapter({ run });
}

const command = "FIND nodes WHERE name = Ada AS a";

test("the abort of a session does not end the request that others wait for", async () => {
  for (const ms of [0, 5, 25]) {
    const graph = slowAdapter([]);
    const [aborted, other] = [new GaslSession({ graph }), new GaslSession({ graph })];
    const controller = new AbortController();
    const first = aborted.execute(command, { signal: controller.signal });
    const second = other.execute(command);
    setTimeout(() => controller.abort(), ms);
    assert.match((await first).status, /^(cancelled|error)$/);
    assert.equal((await aborted.execute(command)).status, "success");
    assert.equal((await second).status, "success");
  }
});

test("a request that no session waits for is aborted, and made again", async () => {
  const requests = [];
  const session = new GaslSession({ graph: slowAdapter(requests) });
  const controller = new AbortController();
  const aborted = session.execute(command, { signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  await aborted;
  assert.deepEqual(
    requests.map((signal) => signal.aborted),
    [true],
  );
  assert.equal((await session.execute(command)).status, "success");
  assert.equal(requests.length, 3);
});

test("a request for fields that failed is not kept", async () => {
  let isBroken = true;
  const run = async ({ text }) => {
    if (text.includes("keys(") && isBroken) throw new Error("no fields");
    return [{ row: text.includes("keys(") ? "name" : { id: "a" } }];
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  assert.equal((await session.execute(command)).status, "error");
  isBroken = false;
  assert.equal((await session.execute(command)).status, "success");
});

test("the help of an error of the adapter is that of the step", async () => {
  const runWith = async (error) => {
    const run = () => Promise.reject(error);
    const record = await new GaslSession({ graph: cypherAdapter({ run }) }).execute(command);
    const [{ message, help }] = record.errors;
    return [message, help];
  };
  const unauthorized = Object.assign(new Error("no"), { code: "X.Security.Unauthorized" });
  assert.deepEqual(await runWith(unauthorized), [
    "the graph query failed: the database rejected the user or the password",
    "check the user and the password",
  ]);
  assert.deepEqual(await runWith(new Error("no memory")), [
    "the graph query failed: the database rejected the statement: no memory",
    "retry, narrow the query, or continue without it",
  ]);
});

test("rows of an unknown variable, and of a value without rows, reject", async () => {
  const session = new GaslSession({ graph: cypherAdapter({ run: async () => [] }) });
  await assert.rejects(session.rows("nosuch"), {
    ...{ name: "BynameError", code: "argument" },
    message: "unknown variable `nosuch`: check the name, and the status of its step",
  });
  await session.execute("FIND nodes AS none");
  assert.deepEqual(await session.rows("none"), []);
  await session.execute("COUNT none AS n");
  await assert.rejects(session.rows("n"), /expected `n` to have rows, found a number/);
});

/** Returns the statement of a command; the fields are `name` and the dates `born`. */
async function textOf(command, options) {
  const texts = [];
  const run = async ({ text }) => {
    if (text.includes("keys(")) return [{ row: "name" }, { row: ["born"] }];
    texts.push(text);
    return [];
  };
  await new GaslSession({ graph: cypherAdapter({ run, ...options }) }).execute(command);
  return texts[0];
}

test("a boolean has no order", async () => {
  assert.match(await textOf("FIND nodes WHERE name > false AS x"), /WHERE false RETURN/);
  assert.match(await textOf("FIND nodes WHERE NOT name <= true AS x"), /WHERE NOT coalesce\(false/);
});

test("dates are compared as the texts that rows show, in databases that can", async () => {
  const condition = 'FIND nodes WHERE born > "2020-01-01" AND name > "2020-01-01" AS x';
  const date =
    "CASE WHEN toFloatOrNull\\(n.`born`\\) = n.`born` OR n.`born` IN \\[true, false\\] THEN n.`born` ELSE coalesce\\(toStringOrNull\\(n.`born`\\), n.`born`\\) END";
  assert.match(
    await textOf(condition, { dialect: "arcadedb" }),
    new RegExp(`WHERE \\(${date} > \\$p0 AND n.\`name\` > \\$p1\\) RETURN`),
  );
  assert.match(
    await textOf(condition, { dialect: "grafeo" }),
    /WHERE \(n\.`born` > \$p0 AND n\.`name` > \$p1\) RETURN/,
  );
});
