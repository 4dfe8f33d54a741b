// Statements of other languages: the help has the commands that they mean, and these parse.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import foreign from "../cases/gasl/statements/foreign.json" with { type: "json" };

await init();

const helpOf = (text) => GaslSession.check(text).diagnostics[0]?.help;

test("statements of other languages get commands that parse", () => {
  assert.ok(foreign.statements.length >= 60, `${foreign.statements.length} statements`);
  for (const [statement, expected] of foreign.statements) {
    // Commands, or commands and how their result differs.
    const [command, difference] = [expected].flat();
    const help = `write \`${command}\`${difference ? `, ${difference}` : ""}`;
    assert.equal(helpOf(statement), help, statement);
    assert.deepEqual(GaslSession.check(command).diagnostics, [], command);
  }
});

test("a plan of the suggested commands runs", async () => {
  const graph = Graph.fromNodeLink({
    directed: true,
    nodes: [
      { id: "ada", type: "Person", age: 36, city: "London" },
      { id: "bob", type: "Person", age: 20, city: "Oslo" },
      { id: "cid", type: "Person", age: 40, city: "Oslo" },
    ],
    links: [{ source: "ada", target: "bob", type: "KNOWS" }],
  });
  const results = {
    "SELECT city, COUNT(*) AS n FROM nodes WHERE age > 10 GROUP BY city HAVING COUNT(*) > 1 AS x": [
      { city: "Oslo", n: 2 },
    ],
    "MATCH (p:Person {id: 'ada'})-[:KNOWS]->(f) RETURN f.city AS x": [{ x: "Oslo" }],
    "g.V().hasLabel('Person').has('age', gt(30)).values('id') AS x": [{ id: "ada" }, { id: "cid" }],
    "FIND nodes WHERE age > 3 ORDER BY age DESC LIMIT 1 AS x": [
      { id: "cid", type: "Person", age: 40, city: "Oslo" },
    ],
  };
  for (const [statement, expected] of Object.entries(results)) {
    const command = /^write `(.*)`(?:, [^`]*)?$/s.exec(helpOf(statement))?.[1];
    assert.ok(command, statement);
    const session = new GaslSession({ graph });
    const result = await session.run({ plan_id: "p", why: "test", commands: [command] });
    assert.equal(result.status, "completed", `${command} ${JSON.stringify(result.records.at(-1))}`);
    const name = / AS (\w+)$/.exec(command)[1];
    assert.deepEqual(session.variable(name), expected, command);
  }
});
