// The workflow: rates reviews, waits for a person, and publishes the result.
import { setTimeout as pause } from "node:timers/promises";
import { compileFlow, init } from "byname";
import { suspend } from "byname/flow";

const registry = {
  read: { outputs: ["reviews"] },
  rate: { inputs: ["review"], outputs: ["score"] },
  sum: { inputs: ["scores"], outputs: ["text"] },
  approve: { inputs: ["text"], outputs: ["isApproved"] },
  publish: { inputs: ["text", "isApproved"], outputs: ["message"], effects: true },
};

const workflow = {
  nodes: [
    { id: "read", type: "read" },
    {
      id: "rate",
      type: "rate",
      batch: { items: "${read.reviews}", as: "review" },
      retry: { max_attempts: 3, backoff_ms: 50 },
    },
    { id: "sum", type: "sum", params: { scores: "${rate.score}" } },
    { id: "approve", type: "approve", params: { text: "${sum.text}" } },
    {
      id: "publish",
      type: "publish",
      params: { text: "${sum.text}", isApproved: "${approve.isApproved}" },
    },
  ],
  outputs: { message: "${publish.message}" },
};

/** Ids of the nodes, in order. */
export const nodeIds = workflow.nodes.map(({ id }) => id);

/** Returns the compiled workflow. */
export async function createFlow() {
  await init();
  const compiled = compileFlow(workflow, registry);
  if (compiled.ok) return compiled.flow;
  throw new Error(
    compiled.diagnostics.map(({ message, help }) => `${message}: ${help}`).join("\n"),
  );
}

/** Returns the functions of the node types. Each call takes `workMs` milliseconds; a real one asks a service. */
export function createNodes(workMs) {
  const work = (signal) => pause(workMs, undefined, { signal });
  return {
    read: async ({ signal }) => {
      await work(signal);
      const reviews = ["good", "very good", "bad", "good", "very good", "bad"];
      return { outputs: { reviews } };
    },
    rate: async ({ inputs: { review }, index, attempt, signal }) => {
      await work(signal);
      if (index === 2 && attempt === 1) throw new Error("the service is busy");
      return { outputs: { score: { bad: 1, good: 4, "very good": 5 }[review] } };
    },
    sum: ({ inputs: { scores } }) => {
      const sum = scores.reduce((total, score) => total + score, 0);
      const average = (sum / scores.length).toFixed(1);
      return { outputs: { text: `${scores.length} reviews, on average ${average} of 5` } };
    },
    approve: ({ inputs: { text }, resumed }) =>
      resumed === undefined ? suspend({ text }) : { outputs: { isApproved: resumed } },
    publish: async ({ inputs: { text, isApproved }, signal }) => {
      await work(signal);
      return { outputs: { message: isApproved ? `Published: ${text}` : "Discarded" } };
    },
  };
}
