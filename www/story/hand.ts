import type { HamNodes, Json } from "byname";
import { linesOf } from "../graph/plan.js";
import { handedId, handOver } from "../handover.js";
import { written } from "../written.js";
import { bar } from "./bar.js";
import { components } from "./components.js";
import { flights, title } from "./data.js";
import type { Frame } from "./frame.js";
import type { Turn } from "./turn.js";
import { workflowText } from "./workflow.js";

const id = handedId;
const graph = { json: flights, title };
const own = { Bar: bar };
const page = written({ updateComponents: { surfaceId: "main", components: [...components] } });

/** The plan, over the same graph. */
export function openInGraph({ plan, question }: Turn): void {
  const note = `The plan that answered “${question}” Press Play, or change it and run it again.`;
  const head = { id, title: "From the story", note };
  handOver("graph", { ...head, plan: plan ? linesOf(plan) : "", graph });
}

/** The workflow with this question; the scripted model says what the model of the story said. */
export function openInFlow(turn: Turn, inputs: { [name: string]: Json }): void {
  const { question, replies } = turn;
  const note = `The workflow of the story, asked “${question}”`;
  const given = { question, ...inputs };
  const head = { id, title: "From the story", note, text: workflowText, inputs: given };
  handOver("flow", { ...head, surface: page, components: own, replies, graph });
}

/** The page, and every update up to this step. */
export function openInSurface(frames: readonly Frame[], at: number): void {
  const updates = frames
    .slice(0, at + 1)
    .filter(({ update }, index) => update !== null && update !== frames[index - 1]?.update);
  const steps = updates.map(({ title: head, question, update }) => ({
    title: head,
    note: `This went to the surface for “${question}”`,
    text: written(JSON.parse(update?.text ?? "{}") as HamNodes),
    stream: true,
  }));
  const note = "The page of the story: components that stay, and nodes that change.";
  const first = { title: "Components", note, text: page };
  handOver("surface", { id, title: "From the story", components: own, steps: [first, ...steps] });
}
