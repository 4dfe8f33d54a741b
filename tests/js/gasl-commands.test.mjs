// Results of commands with ambiguous values or partial inputs.

import assert from "node:assert/strict";
import test from "node:test";
import { listOf, plan, session } from "../gasl/twins.mjs";

test("both zeros are equal, and null is only in a list that contains it", async () => {
  const items = [
    { z: 0, t: "-0", tags: [["x"]] },
    { z: 5, t: "5", tags: ["x"] },
  ];
  const one = session({ state: { variables: { rows: listOf(items) } } });
  await one.execute("JOIN rows WITH rows ON z=t AS j");
  assert.deepEqual(
    one.variable("j").map(({ z }) => z),
    [0, 5],
  );
  await one.execute("SELECT rows WHERE tags CONTAINS null AS none");
  assert.deepEqual(one.variable("none"), []);
});

test("groups and joins texts by the comparison of =", async () => {
  const rows = listOf([{ v: "1.1" }, { v: "1.10" }, { v: 1.1 }]);
  const one = session({ state: { variables: { rows } } });
  await one.execute("COUNT rows BY v AS n");
  assert.deepEqual(
    one.variable("n").map(({ count }) => count),
    [1, 1, 1],
  );
  await one.execute("JOIN rows WITH rows ON v AS j");
  // Each text joins itself and the number, the number all three.
  assert.equal(one.variable("j").length, 2 + 2 + 3);
});

test("reuses finished batches for the same rows only", async () => {
  let fail = true;
  const prompts = [];
  const llm = ({ prompt }) => {
    const ids = [...prompt.matchAll(/^\[(\w+)\] /gm)].map(([, id]) => id);
    prompts.push(...ids);
    if (prompts.length > 2 && fail) throw new Error("busy");
    const provenance = ids.map((input_id, item) => ({ item, input_id }));
    return { json: { items: ids, provenance } };
  };
  const rows = (...ids) => listOf(ids.map((id) => ({ id })));
  const state = {
    variables: { first: rows("a", "b", "c", "d"), second: rows("a", "x", "c", "y") },
  };
  const one = session({ llm, state, caps: { max_excerpt_items: 2 } });
  assert.equal((await one.execute('PROCESS first USING "go" AS out')).status, "error");
  fail = false;
  await one.execute('PROCESS second USING "go" AS out');
  assert.deepEqual(one.variable("out"), ["a", "x", "c", "y"]);
});

test("does not silently drop different results of batches", async () => {
  let total = 0;
  const llm = () => {
    total += 10;
    return { json: { total } };
  };
  const one = session({ llm, caps: { max_excerpt_items: 2 } });
  await one.execute("FIND nodes AS x");
  const schema = '{"type": "object", "properties": {"total": {"type": "number"}}}';
  const record = await one.execute(`PROCESS x USING "sum" RETURNING ${schema} AS y`);
  assert.equal(record.status, "partial");
  assert.equal(record.errors[0].code, "GASL040");
});

test("a SET that truncates makes a search for paths partial", async () => {
  const one = session({ ceilings: { max_path_length: 1 } });
  await one.execute("SET adapter.caps.max_path_length = 3");
  const { status, metrics } = await one.execute("FIND paths AS p");
  assert.equal(status, "partial");
  assert.equal(metrics.completeness.bound_kind, "max_path_length");
});

test("rejects a citation of a missing item", async () => {
  for (const item of [-1, 0.7, 1, "z"]) {
    const provenance = [{ item, input_id: "a" }];
    const one = session({ llm: () => ({ json: { items: ["x"], provenance } }) });
    await one.execute("FIND nodes AS n");
    const { status } = await one.execute('PROCESS n USING "go" AS y');
    assert.equal(status, "schema_mismatch", String(item));
  }
});

test("evaluates a guard before a condition", async () => {
  const one = session();
  const { records } = await one.run(
    plan("FIND nodes AS n", "BRANCH IF EXISTS zzz AND LEN zzz > 0 THEN SHOW zzz ELSE SHOW n"),
  );
  assert.deepEqual([records[1].status, records[1].metrics.taken], ["success", true]);
});
