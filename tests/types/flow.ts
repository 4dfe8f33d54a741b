// Type test of workflows: compiled, never run.
import {
  assignIds,
  buildContext,
  type Collision,
  compileFlow,
  detectCollisions,
  type Flow,
  type FlowCall,
  type FlowEvent,
  type FlowResult,
  generateMappings,
  type Json,
  type NodeCallback,
  type PlanningContext,
  type Registry,
  resolveTemplate,
  type Workflow,
} from "byname";
import { linkedNodes, linkedRegistry } from "byname/flow";
import { memoryStorage } from "byname/storage";

const workflow: Workflow = { nodes: [{ id: "a", type: "llm", params: { prompt: "$topic" } }] };
const registry: Registry = {
  ...linkedRegistry,
  fetch: { inputs: ["url"], outputs: [{ key: "text" }] },
};
export const collisions: Collision[] = detectCollisions(workflow, registry);
export const targets: (string | undefined)[] = Object.values(
  generateMappings(workflow, {}, { strategies: { llm: "preserve" } }),
).map((node) => node.output_mappings?.["response"]);

const context: PlanningContext = buildContext(workflow, {}, { budget: { tokens: 500 } });
const compiled = compileFlow(workflow, {}, { context, strict: true, prefix: "{node}.{key}" });
// @ts-expect-error The flow may be missing.
export const unsure = compiled.flow;

// Only the members of the first definition of the interface.
const plain = async (call: {
  id: string;
  type: string;
  params: { [name: string]: Json };
  inputs: { [key: string]: Json };
  attempt: number;
  signal: AbortSignal;
}): Promise<{ outputs: { [key: string]: Json }; action?: string }> => ({
  outputs: { id: call.id },
});

export async function run(flow: Flow): Promise<string> {
  const nodes: { [type: string]: NodeCallback } = { ...linkedNodes({}), plain };
  const { status, trace }: FlowResult = await flow.run({ nodes, concurrency: 8 });
  const describe = (event: FlowEvent): string =>
    event.kind === "finished" ? event.action : event.node;
  const anything = (event: Json): void => console.log(event);
  await flow.run({ nodes, resume: trace, onEvent: anything, inputs: { a: [1] }, maxSteps: 3 });
  await flow.run({ nodes, onEvent: (event) => console.log(describe(event)) });
  // @ts-expect-error `nodes` are needed.
  await flow.run({});
  return status;
}

export function drive(flow: Flow, work: (call: FlowCall) => Json): Json {
  const steps = flow.begin({ inputs: { a: 1 }, concurrency: 8, order: "arrival" });
  for (const call of steps.calls) {
    const { ok } = steps.answer(call.key, { outputs: { a: work(steps.reveal(call)) } });
    if (!ok) steps.answer(call.key, { failed: "late", timeout: true });
  }
  // @ts-expect-error An outcome has one of three forms.
  steps.answer("a", { output: {} });
  // @ts-expect-error No such order.
  flow.begin({ order: "random" });
  void flow.run({ nodes: {}, storage: memoryStorage(), run: "r1" });
  return steps.result?.outputs ?? steps.trace;
}

export const value: Json = resolveTemplate("$a", { a: 1 }).value;
// @ts-expect-error Unknown strategy.
export const wrong = () => detectCollisions(workflow, {}, { strategies: { llm: "rename" } });

export const named: Workflow = assignIds('{"nodes":[]}', registry);
// @ts-expect-error A node needs a type.
export const untyped: Workflow = { nodes: [{ id: "a" }] };
// @ts-expect-error An edge has `from` and `to`.
export const open: Workflow = { nodes: [], edges: [{ from: "a" }] };
// @ts-expect-error No such part.
export const misspelt: Workflow = { nodes: [], output: {} };
// @ts-expect-error Outputs are a list of ports.
export const ports: Registry = { fetch: { outputs: "text" } };
// @ts-expect-error A number is not a workflow.
export const number = () => compileFlow(5, registry);
