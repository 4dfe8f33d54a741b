// Process that continues a run in a file until it is killed. Arguments: folder. Each call appends to
// `calls` before and after its work, each reported event to `events`.

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { init } from "byname";
import { fileStorage } from "byname/storage";
import { flowOf } from "./make.mjs";

await init();
const at = (name) => join(process.argv[2], name);

const layers = 6;
const own = (id, inputs, outputs, more) => [id, inputs, outputs, { type: "work", ...more }];
const nodes = [own("start", "", "list")];
const edges = [];
for (let layer = 0; layer < layers; layer += 1) {
  for (const branch of ["a", "b", "c"]) {
    const id = `${branch}${layer}`;
    const before = layer === 0 ? "start" : `${branch}${layer - 1}`;
    nodes.push(own(id, layer === 0 ? "list" : before, id));
    edges.push(`${before} ${id}`);
  }
}
nodes.push(
  own("each", "item", "y", { batch: { items: "$list" } }),
  own("loop", "y", "k", { actions: ["default", "again"] }),
  own("end", "k a5 b5 c5", "r"),
);
edges.push("start each", "each loop", "loop loop again", "loop end", "a5 end", "b5 end", "c5 end");
const flow = flowOf(nodes, { edges, outputs: { r: {} } });

const outputs = {
  start: () => ({ list: [3, 1, 2, 3, 5, 8] }),
  each: ({ item }) => ({ y: item * 2 }),
  loop: ({ pass, inputs }) => ({ k: pass * inputs.y.length }),
  end: ({ inputs }) => ({ r: inputs }),
};

const work = async (call) => {
  const name = `${call.id}#${call.pass}#${call.index}`;
  appendFileSync(at("calls"), `${name}\n`);
  await new Promise((resolve) => setTimeout(resolve, 15));
  const result = outputs[call.id]?.(call) ?? {
    [call.id]: `${call.id} ${Object.values(call.inputs)}`,
  };
  return { outputs: result, action: call.id === "loop" && call.pass < 5 ? "again" : "default" };
};

const result = await flow.run({
  nodes: { work },
  concurrency: 3,
  storage: fileStorage(at("state")),
  run: "run-1",
  onEvent: ({ kind, node, pass, index }) => {
    if (kind === "finished") appendFileSync(at("events"), `${node}#${pass}#${index}\n`);
  },
});
writeFileSync(at("result.json"), JSON.stringify(result));
