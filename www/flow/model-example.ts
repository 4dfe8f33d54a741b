import type { Json } from "byname";
import { components } from "../surface/examples/example.js";

/** A model writes a plan, the plan runs on a graph, and the surface shows its rows. */
export const modelWorkflow: Json = {
  inputs: { question: { required: true } },
  nodes: [
    {
      id: "plan",
      type: "llm",
      params: { prompt: "Write a GASL plan that answers: $question", schema: { type: "object" } },
    },
    { id: "look", type: "gasl.plan", params: { plan: "$plan_response", variable: "top" } },
    {
      id: "tell",
      type: "llm",
      params: { prompt: "In one sentence, what do these rows say? $look_value" },
    },
    {
      id: "show",
      type: "ham.apply",
      params: {
        update: {
          page: { question: "$question", answer: "$tell_response", papers: "$look_value" },
        },
      },
    },
    { id: "check", type: "ham.read", params: { binding: { node: "page", key: "answer" } } },
  ],
  outputs: { shown: { source: "$check_value" } },
};

export const modelReplies: { [node: string]: Json } = {
  plan: {
    plan_id: "cited",
    why: "Papers about floods, the most cited first.",
    commands: [
      "SET adapter.caps.direction = any",
      'FIND nodes WHERE id = "Floods" AS topic',
      "WALK FROM topic FOLLOW ABOUT DEPTH 1 AS near",
      'SELECT near FIELDS id, citations WHERE entity_type = "PAPER" AS papers',
      "RANK papers BY citations LIMIT 3 AS top",
    ],
  },
  tell: "“Storms that come twice” is cited most, 73 times.",
};

const textInput = (key: string): Json => ({ binding: { key } });

export const modelSurface = components(
  { id: "root", component: "Column", children: ["question", "answer", "papers"] },
  {
    id: "question",
    component: "Text",
    variant: "h3",
    text: { binding: { node: "page", key: "question" } },
  },
  { id: "answer", component: "Text", text: { binding: { node: "page", key: "answer" } } },
  {
    id: "papers",
    component: "List",
    children: { binding: { node: "page", key: "papers" }, template: "paper" },
  },
  { id: "paper", component: "Row", children: ["name", "cited"] },
  { id: "name", component: "Text", text: textInput("id") },
  { id: "cited", component: "Text", variant: "caption", text: textInput("citations") },
);
