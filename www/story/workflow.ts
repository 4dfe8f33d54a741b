import type { Json } from "byname";
import { linkedRegistry } from "byname/flow";
import { findingsType } from "../flow/findings.js";
import { formatJson } from "../page/format-json.js";

type Row = { [name: string]: Json };

/**
 * Schema of the answer: two HAM nodes for existing components. A node that is a string is shown
 * literally.
 */
const answerSchema: Json = {
  type: "object",
  properties: {
    answer: { type: "string" },
    next: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
  },
  required: ["answer", "next"],
  additionalProperties: false,
};

/**
 * Workflow from a question to a page. Several nodes write `response`, `changed` and `deleted`; the
 * mappings are generated.
 */
export const storyWorkflow: Row = {
  inputs: {
    question: { required: true },
    language: { description: "GASL instructions for a model" },
    shape: { description: "the JSON schema of a plan" },
    graph: { description: "types of nodes and edges of the graph" },
  },
  nodes: [
    {
      id: "ask",
      type: "ham.apply",
      params: { update: { question: "$question", answer: "Searching the graph…" } },
    },
    {
      id: "plan",
      type: "llm",
      retry: { max_attempts: 2, backoff_ms: 10 },
      params: {
        system: "$language",
        prompt:
          "Write one plan that answers the question. Its rows, best first, go into a variable called answer. Each row has the field id, the name of a node, and if possible one number. Declare findings AS LIST, and end with: UPDATE findings WITH answer REPLACE\n\nThe graph: $graph\n\nThe question: $question",
        schema: "$shape",
      },
    },
    { id: "look", type: "gasl.plan", params: { plan: "$plan_response", variable: "answer" } },
    { id: "rows", type: "findings", params: { rows: "$value" } },
    { id: "show", type: "ham.apply", params: { update: "$update" } },
    {
      id: "tell",
      type: "llm",
      params: {
        prompt:
          "Answer the question in one or two sentences, from these rows alone, and suggest up to three questions to ask next about the same graph. Write two HAM nodes as JSON: answer, a text, and next, a list of questions.\n\nThe question: $question\n\nThe rows: $value",
        schema: answerSchema,
      },
    },
    { id: "say", type: "ham.apply", params: { update: "$tell_response" } },
  ],
  outputs: { answer: { source: "$tell_response" } },
};

export const storyRegistry: Row = { ...linkedRegistry, ...findingsType };

export const workflowText = formatJson(storyWorkflow);
