// 64-bit integers that no number represents exactly: rows have their text, and ids are found by it.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, init } from "byname";
import { boltGraph, cypherAdapter } from "byname/databases";

await init();

const LARGE = ["9007199254740992", "9007199254740993", "-9223372036854775808"];

class Integer {
  constructor(value) {
    this.low = Number(BigInt.asIntN(32, value));
    this.high = Number(BigInt.asIntN(32, value >> 32n));
  }
}

/** Connection whose nodes have these ids, with the parameters of all statements. */
function connection(ids, options) {
  const values = [];
  async function* run(text, params) {
    values.push(...Object.values(params).flat());
    if (!/keys\(/.test(text)) for (const id of ids) yield { toObject: () => ({ row: { id } }) };
  }
  return { values, graph: boltGraph({ session: () => ({ run, close: async () => {} }) }, options) };
}

test("an integer that is not a safe number is a text, and others are numbers", async () => {
  const safe = [BigInt(Number.MAX_SAFE_INTEGER), -1n, 2n ** 31n];
  for (const write of [(value) => value, (value) => new Integer(value)]) {
    const { graph } = connection([...LARGE.map(BigInt), ...safe].map(write));
    const session = new GaslSession({ graph });
    await session.execute("FIND nodes AS x");
    const ids = session.variable("x").map(({ id }) => id);
    assert.deepEqual(ids, [...LARGE, ...safe.map(Number)]);
  }
});

test("a driver finds the id of a row again, be it an integer or a text", async () => {
  const large = LARGE[1];
  for (const nodeLabel of [undefined, "Entity"]) {
    const options = nodeLabel === undefined ? {} : { nodeLabel };
    for (const command of [
      `FIND nodes WHERE id = "${large}" AS y`,
      `FIND nodes WHERE id IN ["${large}", "b"] AS y`,
      `FIND edges WHERE source IN ["${large}", "b"] AS y`,
      "WALK FROM x AS y",
    ]) {
      const { graph, values } = connection([BigInt(large)], options);
      const session = new GaslSession({ graph });
      await session.execute("FIND nodes AS x");
      values.length = 0;
      await session.execute(command);
      assert.ok(values.includes(large) && values.includes(BigInt(large)), command);
    }
  }
});

test("pages continue after such an id", async () => {
  const { graph, values } = connection([], { stable: true });
  const { signal } = new AbortController();
  const query = {
    what: "page",
    kind: "nodes",
    where: { all: [] },
    after: LARGE[1],
    limit: 5,
    caps: {},
  };
  for await (const _ of graph.deriveRows(query, signal));
  assert.deepEqual(values, [LARGE[1], BigInt(LARGE[1])]);
});

test("a client of JSON has no `BigInt` in its parameters, and no rounded id", async () => {
  const params = [];
  const run = async (statement) => {
    params.push(JSON.stringify(statement.params));
    return [];
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  await session.execute(`FIND nodes WHERE id = "${LARGE[1]}" AS x`);
  assert.ok(params.includes(JSON.stringify({ p0: LARGE[1] })), params.join(" "));
});

test("texts that only resemble a 64-bit integer stay texts", async () => {
  for (const text of ["9223372036854775808", "09007199254740993", "9007199254740993.0"]) {
    const { graph, values } = connection([]);
    await graph.getNode(text);
    assert.deepEqual(values, [text]);
  }
});
