// Process that runs a workflow, stores its trace, and kills itself before a call.
// Arguments: folder, number of calls until then, concurrency.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { init } from "byname";
import { subflow } from "byname/flow";
import { flowOf } from "./make.mjs";

await init();

const [folder, left, concurrency] = process.argv.slice(2);
const at = (name) => join(folder, name);
let calls = Number(left);

const own = (nodes) =>
  nodes.map(([id, inputs, outputs, more]) => [id, inputs, outputs, { type: id, ...more }]);
const child = flowOf(
  own([
    ["first", "i", "v"],
    ["last", "v", "o"],
  ]),
  { inputs: { i: {} }, outputs: { o: {} } },
);
const batch = { items: "$list", as: "i" };
const flow = flowOf(
  own([
    ["start", "", "list"],
    ["double", "i", "y", { batch }],
    ["sub", "i", "o", { params: { i: "${start.list}" } }],
    ["loop", "", "k", { actions: ["default", "again"] }],
    ["broken", "", "w", { actions: ["default", "error"] }],
    ["fix", "m", "w", { params: { m: "${broken.error.message}" } }],
    ["end", "y o k w", "r"],
  ]),
  {
    edges: [
      "start double",
      "start sub",
      "start loop",
      "loop loop again",
      "double broken",
      "broken fix error",
      "broken end",
      "fix end",
      "sub end",
      "loop end",
    ],
    outputs: { r: {} },
  },
);

const responses = {
  start: () => ({ list: [1, 2, 2, 3] }),
  double: ({ item }) => ({ y: item * 2 }),
  first: ({ inputs }) => ({ v: inputs.i }),
  last: ({ inputs }) => ({ o: inputs.v.length }),
  loop: ({ pass }) => ({ k: pass }),
  broken: () => {
    throw new Error("broken");
  },
  fix: ({ inputs }) => ({ w: inputs.m }),
  end: ({ inputs }) => ({ r: inputs }),
};

async function work(call) {
  if (calls === 0) process.kill(process.pid, "SIGKILL");
  calls -= 1;
  appendFileSync(at("calls"), `${call.id}#${call.pass}#${call.index}\n`);
  await new Promise(setImmediate);
  const action = call.id === "loop" && call.pass < 3 ? "again" : "default";
  return { outputs: responses[call.id](call), action };
}

const trace = at("trace.json");
const resume = existsSync(trace) ? JSON.parse(readFileSync(trace, "utf8")) : undefined;
const nodes = Object.fromEntries(Object.keys(responses).map((type) => [type, work]));
const result = await flow.run({
  nodes: { ...nodes, sub: subflow(child) },
  concurrency: Number(concurrency),
  ...(resume && { resume }),
  onCheckpoint: async (stored) => {
    writeFileSync(at("new.json"), JSON.stringify(stored));
    renameSync(at("new.json"), trace);
  },
});
const { status, outputs, diagnostics } = result;
const warnings = diagnostics.filter(({ severity }) => severity !== "info");
writeFileSync(at("result.json"), JSON.stringify({ status, outputs, warnings }));
