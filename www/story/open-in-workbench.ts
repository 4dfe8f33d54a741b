import type { HamNodes, Json } from "byname";
import type { Example as FlowExample } from "../flow/examples.js";
import type { Example as GraphExample } from "../graph/examples.js";
import { formatPlan } from "../graph/plan.js";
import { formatJson } from "../page/format-json.js";
import type { Step, Example as SurfaceExample } from "../surface/examples/example.js";
import { handOver } from "../work/handover.js";
import type { Frame } from "./frame.js";
import { pageComponents } from "./handover-examples.js";
import type { QuestionRun } from "./question-run.js";

/** The plan, over the same graph. */
export function openInGraph({ plan, question }: QuestionRun): void {
  const note = `The plan that answered “${question}” Press Play, or change it and run it again.`;
  handOver<GraphExample>("graph", { note, plan: plan ? formatPlan(plan) : "" });
}

/** The workflow with this question; the scripted model says what the model of the story said. */
export function openInFlow(turn: QuestionRun, inputs: { [name: string]: Json }): void {
  const { question, replies } = turn;
  const note = `The workflow of the story, asked “${question}”`;
  handOver<FlowExample>("flow", { note, inputs: { question, ...inputs }, replies });
}

/** The page as the question at hand found it, and each update since, up to the step that is shown. */
export function openInSurface(frames: readonly Frame[], at: number): void {
  const frame = frames[at];
  if (!frame) return;
  const { questionIndex, question, error, document } = frame;
  // What a fault took back came by no update.
  const own = frames
    .slice(0, at + 1)
    .filter((one) => one.questionIndex === questionIndex && error === null);
  const note = `This went to the surface for “${question}”`;
  const step = (head: string, nodes: HamNodes): Step => ({
    title: head,
    note,
    text: formatJson(nodes),
    stream: true,
  });
  const before = own[0]?.document ?? document;
  const updates = own.filter(({ update }, index) => update && update !== own[index - 1]?.update);
  const steps = [
    { title: "Components", note: "Components that stay; only nodes change.", text: pageComponents },
    ...(Object.keys(before).length > 0 ? [step("The page before", before)] : []),
    ...updates.map(({ title: head, update }) =>
      step(head, JSON.parse(update?.text ?? "{}") as HamNodes),
    ),
  ];
  handOver<SurfaceExample>("surface", { steps });
}
