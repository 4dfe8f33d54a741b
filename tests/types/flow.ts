// Type test of workflows: compiled, never run.
import {
  buildContext,
  type Collision,
  compileFlow,
  detectCollisions,
  type Flow,
  type FlowEvent,
  type FlowResult,
  generateMappings,
  type Json,
  type NodeCallback,
  type PlanningContext,
  resolveTemplate,
} from "byname";
import { linkedNodes, linkedRegistry } from "byname/flow";

const workflow: Json = { nodes: [] };
export const collisions: Collision[] = detectCollisions(workflow, linkedRegistry);
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
  const told = (event: FlowEvent): string =>
    event.kind === "finished" ? event.action : event.node;
  const anything = (event: Json): void => console.log(event);
  await flow.run({ nodes, resume: trace, onEvent: anything, inputs: { a: [1] }, maxSteps: 3 });
  await flow.run({ nodes, onEvent: (event) => console.log(told(event)) });
  // @ts-expect-error `nodes` are needed.
  await flow.run({});
  return status;
}

export const value: Json = resolveTemplate("$a", { a: 1 }).value;
// @ts-expect-error Unknown strategy.
export const wrong = () => detectCollisions(workflow, {}, { strategies: { llm: "rename" } });
