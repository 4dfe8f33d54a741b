// Values that are referenced repeatedly: small in memory, but huge as JSON.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";

await init();

const graph = Graph.fromCsv({ nodes: "id,v\na,1\nb,2\n", edges: "source,target\n" });
const session = (options = {}) => new GaslSession({ graph, ...options });

test("rejects a state that contains itself repeatedly before it is too large to store", async () => {
  const one = session();
  const commands = ["FIND nodes AS n", "DECLARE d0 AS DICT", "UPDATE d0 WITH n"];
  for (const command of commands) await one.execute(command);
  let rejected;
  for (let at = 1; at < 80 && !rejected; at += 1) {
    for (const half of ["p", "q"]) {
      await one.execute(`DECLARE d${at}.${half} AS DICT`);
      const { status, errors } = await one.execute(`UPDATE d${at}.${half} WITH d${at - 1}`);
      if (status !== "success")
        rejected = { status, code: errors[0].code, says: errors[0].message };
    }
  }
  assert.deepEqual([rejected.status, rejected.code], ["schema_mismatch", "GASL035"]);
  assert.match(rejected.says, /the state would have more than 67108864 bytes/);
  assert.equal((await one.execute("COUNT d0 AS c")).status, "success");
  // A value that replaces itself uses no more of the budget.
  const other = session();
  for (const command of [...commands, "DECLARE l AS LIST"]) await other.execute(command);
  for (let times = 0; times < 300; times += 1) {
    assert.equal((await other.execute("UPDATE l WITH n REPLACE")).status, "success");
  }
});

test("rejects a DICT that is nested in itself before the state is too deep to load", async () => {
  const one = session();
  for (const command of ["DECLARE a.b AS DICT", "FIND nodes AS n", "UPDATE a WITH n"])
    await one.execute(command);
  let last;
  for (let times = 0; times < 600 && last?.status !== "schema_mismatch"; times += 1) {
    last = await one.execute("UPDATE a.b WITH a");
  }
  assert.match(last.errors[0].message, /nested deeper than 512 levels/);
  const { state } = one;
  assert.deepEqual(session({ state }).state.variables, state.variables);
});
