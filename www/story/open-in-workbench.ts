import type { HamNodes, Json } from "byname";
import type { Example as FlowExample } from "../flow/examples.js";
import type { Example as GraphExample } from "../graph/examples.js";
import { formatPlan } from "../graph/plan.js";
import { formatJson } from "../page/format-json.js";
import type { Step, Example as SurfaceExample } from "../surface/examples/example.js";
import { handOver } from "../work/handover.js";
import type { Frame } from "./frame.js";
import { answerPageMessage } from "./handover-examples.js";
import type { QuestionRun } from "./question-run.js";

/** Opens the plan in the graph workbench. */
export function openInGraph({ plan, question }: QuestionRun): void {
  const note = `The plan for “${question}”. Press Play, or edit and run it.`;
  handOver<GraphExample>("graph", { note, plan: plan ? formatPlan(plan) : "" });
}

/** Opens the workflow with this question; the scripted model repeats the recorded replies. */
export function openInFlow(turn: QuestionRun, inputs: { [name: string]: Json }): void {
  const { question, replies } = turn;
  const note = `The workflow of the story for “${question}”.`;
  handOver<FlowExample>("flow", { note, inputs: { question, ...inputs }, replies });
}

/** Opens the page before the question and each update up to the current step. */
export function openInSurface(frames: readonly Frame[], at: number): void {
  const frame = frames[at];
  if (!frame) return;
  const { questionIndex, question, error, document } = frame;
  // A failure restores the page without an update.
  const own = frames
    .slice(0, at + 1)
    .filter((one) => one.questionIndex === questionIndex && error === null);
  const note = `Update of the surface for “${question}”.`;
  const step = (head: string, nodes: HamNodes): Step => ({
    title: head,
    note,
    text: formatJson(nodes),
    stream: true,
  });
  const before = own[0]?.document ?? document;
  const updates = own.filter(({ update }, index) => update && update !== own[index - 1]?.update);
  const steps = [
    { title: "Components", note: "The components; only nodes change.", text: answerPageMessage },
    ...(Object.keys(before).length > 0 ? [step("The previous page", before)] : []),
    ...updates.map(({ title: head, update }) =>
      step(head, JSON.parse(update?.text ?? "{}") as HamNodes),
    ),
  ];
  handOver<SurfaceExample>("surface", { steps });
}
