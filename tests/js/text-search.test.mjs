// Vectorised search of CONTAINS in WebAssembly, compared with the results of JavaScript.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GaslSession, Graph, init } from "byname";
import { Random } from "../random/random.mjs";

await init();

const LETTERS = "aAbBvV {[@`-é";

test("CONTAINS finds what JavaScript finds, with case and without", async () => {
  const random = new Random(23);
  const below = (most) => random.below(most);
  const text = (most) =>
    Array.from({ length: below(most + 1) }, () => LETTERS[below(LETTERS.length)]).join("");
  const nodes = Array.from({ length: 500 }, (_, at) => ({ id: String(at), t: text(70) }));
  const graph = Graph.fromNodeLink({ directed: true, nodes, links: [] });
  // Part of a text, of any length: one of more than a few characters occurs only once.
  const part = () => {
    const { t } = nodes[below(nodes.length)];
    const start = below(t.length + 1);
    return t.slice(start, start + below(30));
  };
  let matches = 0;
  for (const sensitive of [false, true]) {
    const session = new GaslSession({ graph, caps: { case_sensitive: sensitive } });
    const folded = (value) => (sensitive ? value : value.toLowerCase());
    for (let round = 0; round < 120; round++) {
      const pattern = round % 2 ? part() : text(4);
      const record = await session.execute(`FIND nodes WHERE t CONTAINS "${pattern}" AS rows`);
      const rows = session.variable("rows");
      const expected = nodes.filter(({ t }) => folded(t).includes(folded(pattern)));
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected.map(({ id }) => id),
        `${JSON.stringify(pattern)}: ${JSON.stringify(record.errors)}`,
      );
      matches += rows.length;
    }
  }
  assert.ok(matches > 1_000, `${matches} rows`);
});
