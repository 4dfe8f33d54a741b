// The planner's context names the output of one node if several nodes keep the same name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, compileFlow, init } from "byname";

await init();

const registry = {
  read: { inputs: ["path"], outputs: ["text"] },
  translate: { inputs: ["text"], params: ["language"], outputs: ["text"] },
};
const nodes = [
  { id: "source", type: "read", params: { path: "a" } },
  { id: "de", type: "translate", params: { text: "${source_text}", language: "German" } },
  { id: "fr", type: "translate", params: { text: "${source_text}", language: "French" } },
];

test("the reference of the context reads the output of that node", async () => {
  const context = buildContext({ nodes }, registry);
  const [, reference] = /`(\$\{[^`]+\})` for that of one node/.exec(context.markdown);
  assert.equal(reference, "${fr.text}");
  const outputs = { german: "${de.text}", french: reference, last: "${text}" };
  const compiled = compileFlow({ nodes, outputs }, registry, { context });
  assert.ok(compiled.ok, JSON.stringify(compiled.diagnostics));
  const { outputs: found } = await compiled.flow.run({
    nodes: {
      read: () => ({ outputs: { text: "hi" } }),
      translate: ({ inputs, params }) => ({
        outputs: { text: `${inputs.text} in ${params.language}` },
      }),
    },
  });
  assert.deepEqual(found, {
    german: "hi in German",
    french: "hi in French",
    last: "hi in French",
  });
});

test("a context without shared names does not mention them", () => {
  const { markdown } = buildContext({ nodes: nodes.slice(0, 2) }, registry);
  assert.doesNotMatch(markdown, /of one node/);
});
