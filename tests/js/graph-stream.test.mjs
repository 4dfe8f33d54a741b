// Graphs whose text is longer than a string or buffer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BynameError, Graph, init } from "byname";

await init();

test("a table of more than 256 MB is read in chunks", async () => {
  const note = "x".repeat(200);
  const EDGES = 1_300_000;
  async function* rows() {
    yield "source,target,note,weight\n";
    for (let n = 0; n < EDGES; n += 1000) {
      let text = "";
      for (let k = n; k < n + 1000; k += 1) text += `n${k % 1000},n${k % 77},${note},${k % 10}.5\n`;
      yield text;
    }
  }
  let bytes = 0;
  const onProgress = (progress) => {
    ({ bytes } = progress);
  };
  const graph = await Graph.fromCsv({ edges: rows() }, { onProgress });
  assert.ok(bytes > 256 * 2 ** 20, `${bytes}`);
  assert.deepEqual([graph.nodeCount, graph.edgeCount], [1000, EDGES]);
  const weight = graph.summary().edge_fields.find(({ name }) => name === "weight");
  assert.equal(weight.kind, "number");
});

test("the JSON of a graph that is longer than a string is an error", () => {
  // The name of a field is repeated in each row.
  const name = "f".repeat(60_000);
  const rows = Array.from({ length: 10_000 }, (_, n) => `${n},1`).join("\n");
  const graph = Graph.fromCsv({ nodes: `id,${name}\n${rows}`, edges: "source,target" });
  assert.throws(
    () => graph.toJSON(),
    (error) => error instanceof BynameError && error.code === "too-large",
  );
  assert.equal(graph.nodeCount, 10_000);
});
