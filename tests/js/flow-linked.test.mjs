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

test("JSON is read out of its fence, and whole where its texts hold fences", async () => {
  const value = { md: "```js\nx\n```" };
  const text = JSON.stringify(value);
  const params = { prompt: "Write.", schema: { type: "object" } };
  const workflow = { nodes: [{ id: "ask", type: "llm", params }], outputs: { response: {} } };
  const { flow } = compileFlow(workflow, linkedRegistry);
  const several = `\`\`\`json\n${text}\n\`\`\``;
  const first = `\`\`\`json\n{"md":1}\n\`\`\`\nor\n\`\`\`\nnothing\n\`\`\``;
  for (const [said, expected] of [
    [text, value],
    [several, value],
    [`Here:\n${several}\nDone.`, value],
    [first, { md: 1 }],
  ]) {
    const result = await flow.run({ nodes: linkedNodes({ llm: () => said }) });
    assert.equal(result.status, "completed", JSON.stringify(result.diagnostics));
    assert.deepEqual(result.outputs.response, expected);
  }
});
