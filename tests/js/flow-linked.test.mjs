// The built-in node types of `byname/flow`.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";
import { linkedNodes, linkedRegistry } from "byname/flow";

await init();

test("an answer that stopped for length fails its node, with a schema and without", async () => {
  for (const schema of [undefined, { type: "number" }]) {
    const params = { prompt: "How many?", ...(schema && { schema }) };
    const { flow } = compileFlow({ nodes: [{ id: "ask", type: "llm", params }] }, linkedRegistry);
    const llm = () => ({ text: "12", json: 12, finishReason: "length" });
    const { status, diagnostics } = await flow.run({ nodes: linkedNodes({ llm }) });
    assert.equal(status, "failed");
    assert.match(diagnostics[0].message, /^`ask` failed: the answer stopped for length/);
  }
});
