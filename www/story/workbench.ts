import {
  type Action,
  compileFlow,
  GaslSession,
  Graph,
  type Json,
  type Plan,
  type Registry,
} from "byname";
import { findingNodeId, nodeKinds, pendingSources, sourceNode } from "../flow/findings.js";
import {
  choiceName,
  chosenModel,
  currentChoice,
  type Model,
  onModelChosen,
} from "../model/choice.js";
import { openModelDialog, wireModelButton } from "../model/dialog.js";
import { showMeasurements } from "../page/control-bar.js";
import { button, byId } from "../page/element.js";
import { setEnabled } from "../page/focus.js";
import { showLoadError } from "../page/load-error.js";
import { loadOrReload } from "../page/load-script.js";
import { wireTabs } from "../page/tabs.js";
import { notifyWorkChanged, textPart, type WorkbenchState } from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { dryRunError } from "./dry-run.js";
import { flightsGraph } from "./flights-data.js";
import { FlowView } from "./flow-view.js";
import type { Frame, StageName } from "./frame.js";
import { graphEdges } from "./highlight.js";
import { withScriptedFallback } from "./local-model.js";
import { openInFlow, openInGraph, openInSurface } from "./open-in-workbench.js";
import { PaceClock } from "./pace-clock.js";
import { PlanView } from "./plan-view.js";
import { QuestionView } from "./question.js";
import { type QuestionContext, QuestionRun } from "./question-run.js";
import { knownQuestion, scriptFor, suggestedQuestions } from "./scripted-model.js";
import { StepStrip } from "./step-strip.js";
import { StorySurface } from "./story-surface.js";
import { TextTail } from "./text-tail.js";
import { Timeline } from "./timeline.js";
import { storyRegistry, storyWorkflow, workflowText } from "./workflow.js";

const control = (id: string) => byId(`story-${id}`) as HTMLButtonElement;
const stagesElement = byId("story-stages");
const stageElements = [...stagesElement.querySelectorAll<HTMLElement>("[data-stage]")];
const storyExamples = suggestedQuestions.map((title) => {
  const id = title
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-|-$/g, "");
  return { id, title };
});

let shownId = storyExamples[0]?.id ?? "";
/** Example id of the current question; empty if it is not an example. */
let currentId = shownId;
let questionContext: QuestionContext | null = null;
/** Question asked before the core had loaded. */
let pendingQuestion: string | null = null;
const questionRuns: QuestionRun[] = [];
/** Running question. */
let activeRun: { run: QuestionRun; ended: Promise<void> } | null = null;
let questionCount = 0;

const clock = new PaceClock();
const timeline = new Timeline(clock, { show: showFrame, stateChanged: updateControls });
const stepStrip = new StepStrip(byId("story-steps"), timeline);
const updateTail = new TextTail(byId("story-ham"));
const planView = new PlanView(byId("story-plan"));
const questionView = new QuestionView(suggestedQuestions, (words) => void runQuestion(words));
const graphJson = flightsGraph();
const graphKinds = nodeKinds(graphJson);
let storySurface: StorySurface;
let flightGraph: Graph;
let flowView: FlowView;
let highlightGraph: (lit: Frame["highlight"]) => void = () => {};

const choosePane = wireTabs(
  [...document.querySelectorAll<HTMLElement>("#story-tabs [role=tab]")],
  (name) => {
    stagesElement.dataset["show"] = name;
  },
);
choosePane("surface");
wireModelButton(control("model"));

/** Runs the workflow for a question, after stopping the previous one. */
async function runQuestion(words: string): Promise<void> {
  if (!questionContext) {
    pendingQuestion = words;
    questionView.show(words);
    return;
  }
  // An unknown question does not stop the running one.
  if (currentChoice().kind === "scripted" && !knownQuestion(words, graphKinds)) {
    reportUnknownQuestion();
    return;
  }
  questionCount += 1;
  const mine = questionCount;
  questionView.showMessage("");
  timeline.goToEnd();
  const stopped = activeRun?.run;
  stopped?.stop();
  await activeRun?.ended;
  if (mine !== questionCount) return;
  const before = stopped?.remainingPage ?? questionContext.surface.store.export();
  timeline.begin();
  choosePane("surface");
  shownId = exampleIdOf(words) || shownId;
  const stage = byId("story-stage");
  const within = stage.contains(document.activeElement);
  const model = modelForQuestion(words);
  const run = new QuestionRun(questionContext, model, words, questionRuns.length, before);
  questionRuns.push(run);
  const ended = run.run().finally(() => {
    if (activeRun?.run === run) activeRun = null;
    if (mine === questionCount) timeline.end();
  });
  activeRun = { run, ended };
  await ended;
  // The button with the focus may have been removed.
  if (within && document.activeElement === document.body) stage.focus({ preventScroll: true });
  if (mine === questionCount && run.error === null) reportFallback(model);
}

/** Returns the model of a question. A local model gets short prompts and a scripted fallback. */
function modelForQuestion(words: string): Model {
  const script = scriptFor(graphKinds);
  const model = chosenModel(script);
  if (currentChoice().kind !== "file") return model;
  const trial = (plan: Plan): Promise<string | null> => dryRunError(flightGraph, plan);
  const standIn = knownQuestion(words, graphKinds) ? script : null;
  return withScriptedFallback(model, {
    graph: graphJson,
    dryRunError: trial,
    fallback: standIn,
    nextQuestions: suggestedQuestions,
  });
}

/** Reports which parts a fallback answered, and why. */
function reportFallback({ name, fallbackReasons }: Model): void {
  if (!fallbackReasons?.size) return;
  const who = fallbackReasons.has("plan") ? "a script’s" : "the page’s own";
  const parts = [...fallbackReasons].map(
    ([node, reason]) =>
      `The ${node === "plan" ? "plan" : "sentence"} is ${who}, because ${name} failed: ${reason}.`,
  );
  questionView.showMessage(
    parts.join(" "),
    button("Choose a model", { class: "small" }, chooseModel),
  );
}

/** Reports that the script does not know a question. */
function reportUnknownQuestion(before = ""): void {
  questionView.showMessage(
    `${before}The scripted model only knows the questions below and those in the surface. Choose a real model for others.`,
    button("Choose a model", { class: "small" }, chooseModel),
  );
}

/** Handles a button of the surface: asks the next question, or shows sources. */
function handleAction({ name, context }: Action): void {
  const said = context as { question?: Json; name?: Json };
  if (name === "ask") {
    const words = String(said.question ?? "");
    questionView.setAsked(words);
    void runQuestion(words);
  }
  if (name === "why") toggleSources(String(said.name ?? ""));
}

/** Adds or removes the sources of a row. While looking back, no step is recorded. */
function toggleSources(title: string): void {
  const frame = timeline.frames[timeline.at];
  if (!frame) return;
  const evidence = evidenceAt(frame);
  const node = `why_${findingNodeId(title)}`;
  const open = storySurface.store.has(node);
  const update = storySurface.apply(
    open
      ? { [`!${node}`]: null }
      : { [node]: evidence ? sourceNode(evidence, title) : pendingSources },
  );
  const words = open ? `Sources of ${title} closed` : `Sources of ${title} opened`;
  if (timeline.atEnd) questionRuns.at(-1)?.addUserUpdate(words, update);
}

/** Returns the sources of the rows of a step, or null while they are being searched. */
function evidenceAt({ questionIndex, nodes, error }: Frame): QuestionRun["evidence"] {
  // A failed question shows the page of the last complete one.
  const back = error !== null && nodes.get("show")?.state !== "finished";
  if (!back) return nodes.has("show") ? (questionRuns[questionIndex]?.evidence ?? null) : null;
  const complete = questionRuns.slice(0, questionIndex).filter((one) => one.isComplete);
  return complete.at(-1)?.evidence ?? null;
}

function showFrame(frame: Frame, isLive: boolean): void {
  if (!isLive) storySurface.goTo(frame.document);
  questionView.show(frame.question);
  currentId = exampleIdOf(frame.question);
  notifyWorkChanged("story", "loaded");
  planView.show(frame.plan);
  flowView.show(frame.nodes);
  highlightGraph(frame.highlight);
  byId("story-plan-by").textContent = frame.plan === null ? "" : authorText(frame.plan.model);
  // Before the findings arrive, the rows belong to the previous question.
  stagesElement.dataset["waiting"] = String(!frame.nodes.has("show") && frame.error === null);
  showUpdateText(frame.update?.text ?? "");
  byId("story-update-size").textContent = updateSizeText(frame);
  const index = questionRuns[frame.questionIndex];
  for (const id of ["open-graph", "open-flow", "open-surface"]) control(id).disabled = !index;
  if (frame.error !== null && isLive) reportFailure(frame.error, frame.question);
}

function authorText(model: string): string {
  return model === "scripted" ? "by a script" : `by ${model}`;
}

function updateSizeText({ update }: Frame): string {
  if (!update) return "";
  const { bytes, totalBytes } = update;
  if (bytes >= totalBytes) return `${bytes.toLocaleString()} bytes written`;
  return `${bytes.toLocaleString()} of ${totalBytes.toLocaleString()} bytes rewritten`;
}

/** Shows the end of the streamed update. */
function showUpdateText(text: string): void {
  updateTail.show(text);
}

function reportFailure(error: string, words: string): void {
  questionView.showMessage(
    `${error.replace(/\.$/, "")}. Results so far are kept.`,
    button("Ask again", { class: "small" }, () => void runQuestion(words)),
    button("Choose a model", { class: "small" }, chooseModel),
  );
}

function updateControls(): void {
  const { at, frames, playing, busy, atEnd } = timeline;
  stagesElement.dataset["busy"] = String(busy && atEnd);
  const frame = frames[at];
  for (const stage of stageElements) {
    const name = stage.dataset["stage"] as StageName;
    // Once the answer is complete, no stage is active.
    const now = frame?.stage === name && (busy || !atEnd);
    stage.dataset["state"] = now ? "now" : frame?.done.has(name) ? "done" : "later";
  }
  control("play").textContent = playing ? "Pause" : atEnd && !busy ? "Play again" : "Play";
  control("play").disabled = frames.length === 0;
  setEnabled(control("back"), at > 0, control("play"));
  setEnabled(control("next"), !atEnd || busy, control("play"));
  showMeasurements(byId("story-numbers"), frame?.numbers ?? []);
  // After the numbers, because they change the width of the strip.
  stepStrip.show();
}

function chooseModel(): void {
  timeline.pause();
  openModelDialog();
}

const loadDrawing = () => import("./graph-drawing.js");

/** Draws the graph last, because nothing else depends on it. */
async function drawGraph(graph: Graph): Promise<void> {
  const place = byId("story-picture");
  const loaded = await loadOrReload(loadDrawing).catch((error: unknown) => {
    showLoadError(place, "the drawing", error, () => void drawGraph(graph));
    return null;
  });
  if (!loaded) return;
  const { Frame, Picture, pageSource, Sight } = loaded;
  const picture = new Picture(new Frame(place));
  const graphModel = new Sight(pageSource(graph), "");
  picture.draw(await graphModel.view(null));
  highlightGraph = ({ nodes, edges }) => picture.highlight(nodes, edges);
  const frame = timeline.frames[timeline.at];
  if (frame) highlightGraph(frame.highlight);
}

function addListeners(): void {
  flightGraph = Graph.fromNodeLink(graphJson);
  storySurface = new StorySurface(byId("story-stage"), handleAction);
  flowView = new FlowView(byId("story-flow"), storyWorkflow, storyRegistry);
  const compiled = compileFlow(workflowText, storyRegistry as Registry);
  if (!compiled.ok) throw new Error("the workflow of this page is invalid");
  const inputs = {
    language: GaslSession.prompt(),
    shape: GaslSession.planSchema(),
    graph: JSON.stringify(flightGraph.summary()),
  };
  questionContext = {
    session: new GaslSession({ graph: flightGraph }),
    kinds: graphKinds,
    edges: graphEdges(graphJson),
    surface: storySurface,
    clock,
    flow: compiled.flow,
    inputs,
    push: (frame) => timeline.push(frame),
    showStreamedText: showUpdateText,
  };
  const now = (): QuestionRun | undefined =>
    questionRuns[timeline.frames[timeline.at]?.questionIndex ?? -1];
  const open = (id: string, go: (question: QuestionRun) => void): void =>
    control(id).addEventListener("click", () => {
      const turn = now();
      if (turn) go(turn);
    });
  open("open-graph", openInGraph);
  open("open-flow", (turn) => openInFlow(turn, inputs));
  open("open-surface", () => openInSurface(timeline.frames, timeline.at));
  control("play").addEventListener("click", () => {
    if (timeline.playing) timeline.pause();
    else void timeline.play();
  });
  control("back").addEventListener("click", () => timeline.goTo(timeline.at - 1));
  control("next").addEventListener("click", () => timeline.step());
  control("model").disabled = false;
  onModelChosen((next) => {
    const words = `${choiceName(next)} answers the next questions.`;
    questionView.showMessage(next.kind === "scripted" ? "" : words);
  });
  requestAnimationFrame(() => void drawGraph(flightGraph));
}

/** Returns the id of the example with this question, or an empty string. */
function exampleIdOf(words: string): string {
  return storyExamples.find(({ title }) => title === words)?.id ?? "";
}

function open(id: string): void {
  const found = storyExamples.find((one) => one.id === id) ?? storyExamples[0];
  if (!found) return;
  shownId = currentId = found.id;
  const words = pendingQuestion ?? found.title;
  pendingQuestion = null;
  if (currentChoice().kind !== "scripted") questionView.show(words);
  else if (knownQuestion(words, graphKinds)) void runQuestion(words);
  else {
    // The story starts with the example; the typed question stays in the input.
    void runQuestion(found.title);
    reportUnknownQuestion();
  }
}

/** Returns the current question; a link asks it again. */
function getState(): WorkbenchState {
  const words = timeline.frames[timeline.at]?.question ?? "";
  return { example: shownId, own: false, parts: { question: words } };
}

function restoreState(work: WorkbenchState): void {
  const words = textPart(work, "question") ?? "";
  currentId = exampleIdOf(words);
  if (words === "") open(work.example);
  else if (currentChoice().kind !== "scripted") questionView.show(words);
  else if (knownQuestion(words, graphKinds)) void runQuestion(words);
  else {
    open("");
    reportUnknownQuestion(`The link asks “${words}”. `);
  }
}

export const storyWorkbench = deferWorkbench({
  examples: storyExamples,
  // Narrow screens show the surface first.
  errorHost: byId("story-stage"),
  wire: addListeners,
  open,
  currentId: () => currentId,
  otherTitle: () => "Another question",
  pause: () => timeline.pause(),
  state: getState,
  restore: restoreState,
});
