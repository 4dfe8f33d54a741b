import { type Action, compileFlow, GaslSession, Graph, type Json, type Plan } from "byname";
import { kindsOf, nodeName, sourcesOf, stillLooking } from "../flow/findings.js";
import { chosen, chosenModel, type Model, nameOf, onChoice } from "../model/choice.js";
import { chooseModel, modelSwitch } from "../model/dialog.js";
import { button, byId, element } from "../page/element.js";
import { enable } from "../page/focus.js";
import { sayNotLoaded } from "../page/load-error.js";
import { wanted } from "../page/load-script.js";
import { tabs } from "../page/tabs.js";
import { textOf, type Work, worked } from "../work/saved-work.js";
import { lateBench } from "../work/workbench.js";
import { tried } from "./dry-run.js";
import { flights } from "./flights-data.js";
import { FlowView } from "./flow-view.js";
import type { Frame, StageName } from "./frame.js";
import { edgesOf } from "./highlight.js";
import { inPage } from "./local-model.js";
import { openInFlow, openInGraph, openInSurface } from "./open-in-workbench.js";
import { Clock } from "./pace-clock.js";
import { PlanView } from "./plan-view.js";
import { QuestionView } from "./question.js";
import { type Desk, Turn } from "./question-run.js";
import { known, scriptFor, suggested } from "./scripted-model.js";
import { Strip } from "./step-strip.js";
import { Live } from "./story-surface.js";
import { Tail } from "./text-tail.js";
import { Timeline } from "./timeline.js";
import { registry, workflow, workflowText } from "./workflow.js";

const control = (id: string) => byId(`story-${id}`) as HTMLButtonElement;
const home = byId("story-stages");
const stages = [...home.querySelectorAll<HTMLElement>("[data-stage]")];
const examples = suggested.map((title) => {
  const id = title
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-|-$/g, "");
  return { id, title };
});

let shownId = examples[0]?.id ?? "";
/** The example whose question stands here; nothing where none asks it. */
let standing = shownId;
let desk: Desk | null = null;
/** What was asked before the core was there. */
let early: string | null = null;
const turns: Turn[] = [];
/** The question that is under way, until it has ended. */
let under: { turn: Turn; ended: Promise<void> } | null = null;
let asked = 0;

const clock = new Clock();
const timeline = new Timeline(clock, { show, moved });
const strip = new Strip(byId("story-steps"), timeline);
const tail = new Tail(byId("story-ham"));
const plan = new PlanView(byId("story-plan"));
const question = new QuestionView(suggested, (words) => void ask(words));
const graphJson = flights();
const kinds = kindsOf(graphJson);
let live: Live;
let graph: Graph;
let flow: FlowView;
let lightGraph: (lit: Frame["lit"]) => void = () => {};

const choosePane = tabs(
  [...document.querySelectorAll<HTMLElement>("#story-tabs [role=tab]")],
  (name) => {
    home.dataset["show"] = name;
  },
);
choosePane("surface");
modelSwitch(control("model"));

/** Takes a question through the workflow. The one before is stopped; what it found stays. */
async function ask(words: string): Promise<void> {
  if (!desk) {
    early = words;
    question.show(words);
    return;
  }
  // Nothing comes of it, so what is under way goes on to its end.
  if (chosen().kind === "scripted" && !known(words, kinds)) {
    unknown();
    return;
  }
  asked += 1;
  const mine = asked;
  question.say("");
  timeline.settle();
  const stopped = under?.turn;
  stopped?.stop();
  await under?.ended;
  if (mine !== asked) return;
  const before = stopped?.left ?? desk.live.store.export();
  timeline.begin();
  choosePane("surface");
  shownId = idOf(words) || shownId;
  const stage = byId("story-stage");
  const within = stage.contains(document.activeElement);
  const model = modelFor(words);
  const turn = new Turn(desk, model, words, turns.length, before);
  turns.push(turn);
  const ended = turn.run().finally(() => {
    if (under?.turn === turn) under = null;
    if (mine === asked) timeline.end();
  });
  under = { turn, ended };
  await ended;
  // The button that asked may be gone; whoever pressed it goes on from the answer.
  if (within && document.activeElement === document.body) stage.focus({ preventScroll: true });
  if (mine === asked && turn.fault === null) stoodIn(model);
}

/** Who answers a question. A model in the page is asked in short, and the script stands in where it fails. */
function modelFor(words: string): Model {
  const script = scriptFor(kinds);
  const model = chosenModel(script);
  if (chosen().kind !== "file") return model;
  const trial = (plan: Plan): Promise<string | null> => tried(graph, plan);
  const standIn = known(words, kinds) ? script : null;
  return inPage(model, { graph: graphJson, trial, script: standIn, next: suggested });
}

/** Says where somebody else had to answer for the model, and why. */
function stoodIn({ name, instead }: Model): void {
  if (!instead?.size) return;
  const who = instead.has("plan") ? "a script’s" : "the page’s own";
  const parts = [...instead].map(
    ([node, fault]) =>
      `The ${node === "plan" ? "plan" : "sentence"} is ${who}, because ${name} failed: ${fault}.`,
  );
  question.say(parts.join(" "), button("Choose a model", { class: "small" }, choose));
}

/** The script does not know a question. */
function unknown(before = ""): void {
  question.say(
    `${before}A script plays the model here, and knows only the questions below and those in the surface. A real model answers others.`,
    button("Choose a model", { class: "small" }, choose),
  );
}

/** A button of the surface: the next question, or where a finding comes from. */
function act({ name, context }: Action): void {
  const said = context as { question?: Json; name?: Json };
  if (name === "ask") {
    const words = String(said.question ?? "");
    question.asked(words);
    void ask(words);
  }
  if (name === "why") why(String(said.name ?? ""));
}

/** Puts the sources of a row below it, or takes them away again. In an earlier step that is no step of its own. */
function why(title: string): void {
  const frame = timeline.frames[timeline.at];
  if (!frame) return;
  const evidence = evidenceAt(frame);
  const node = `why_${nodeName(title)}`;
  const open = live.store.has(node);
  const update = live.apply(
    open
      ? { [`!${node}`]: null }
      : { [node]: evidence ? sourcesOf(evidence, title) : stillLooking },
  );
  const words = open ? `The sources of ${title} are closed` : `The sources of ${title} are opened`;
  if (timeline.atEnd) turns.at(-1)?.edited(words, update);
}

/** What the rows of a step rest on; nothing while a question still has to find it. */
function evidenceAt({ turn, nodes, fault }: Frame): Turn["evidence"] {
  // Where nothing was found, the page is that of the last question that found something.
  const back = fault !== null && nodes.get("show")?.state !== "finished";
  if (!back) return nodes.has("show") ? (turns[turn]?.evidence ?? null) : null;
  const complete = turns.slice(0, turn).filter((one) => one.complete);
  return complete.at(-1)?.evidence ?? null;
}

function show(frame: Frame, isLive: boolean): void {
  if (!isLive) live.goTo(frame.document);
  question.show(frame.question);
  standing = idOf(frame.question);
  worked("story", "brought");
  plan.show(frame.plan);
  flow.show(frame.nodes);
  lightGraph(frame.lit);
  byId("story-plan-by").textContent = frame.plan === null ? "" : writtenBy(frame.plan.model);
  // Until the findings come, the rows are those of the question before.
  home.dataset["waiting"] = String(!frame.nodes.has("show") && frame.fault === null);
  stream(frame.update?.text ?? "");
  byId("story-surface-told").textContent = surfaceWords(frame);
  const turn = turns[frame.turn];
  for (const id of ["open-graph", "open-flow", "open-surface"]) control(id).disabled = !turn;
  if (frame.fault !== null && isLive) fail(frame.fault, frame.question);
}

function writtenBy(model: string): string {
  return model === "scripted" ? "by a script" : `by ${model}`;
}

function surfaceWords({ update }: Frame): string {
  if (!update) return "";
  const { bytes, whole } = update;
  if (bytes >= whole) return `${bytes.toLocaleString()} bytes written`;
  return `${bytes.toLocaleString()} of ${whole.toLocaleString()} bytes rewritten`;
}

/** The end of the update that comes, as it was written. */
function stream(text: string): void {
  tail.show(text);
}

function fail(fault: string, words: string): void {
  question.say(
    `${fault.replace(/\.$/, "")}. What was found so far stays.`,
    button("Ask again", { class: "small" }, () => void ask(words)),
    button("Choose a model", { class: "small" }, choose),
  );
}

function moved(): void {
  const { at, frames, playing, busy, atEnd } = timeline;
  home.dataset["busy"] = String(busy && atEnd);
  const frame = frames[at];
  for (const stage of stages) {
    const name = stage.dataset["stage"] as StageName;
    // Once an answer stands, no stage is at work.
    const now = frame?.stage === name && (busy || !atEnd);
    stage.dataset["state"] = now ? "now" : frame?.done.has(name) ? "done" : "later";
  }
  control("play").textContent = playing ? "Pause" : atEnd && !busy ? "Play again" : "Play";
  control("play").disabled = frames.length === 0;
  enable(control("back"), at > 0, control("play"));
  enable(control("next"), !atEnd || busy, control("play"));
  const parts = frame?.numbers ?? [];
  byId("story-numbers").replaceChildren(...parts.map((part) => element("span", {}, part)));
  // After the numbers, which take of its width.
  strip.show();
}

function choose(): void {
  timeline.pause();
  chooseModel();
}

const drawing = () => import("./graph-drawing.js");

/** The graph comes after everything else: it is looked at, and nothing waits for it. */
async function drawGraph(graph: Graph): Promise<void> {
  const place = byId("story-picture");
  const loaded = await wanted(drawing).catch((error: unknown) => {
    sayNotLoaded(place, "The drawing", error, () => void drawGraph(graph));
    return null;
  });
  if (!loaded) return;
  const { Picture, Sight } = loaded;
  const picture = new Picture(place);
  const sight = new Sight(graph, "");
  picture.draw(await sight.view(null));
  lightGraph = ({ nodes, edges }) => picture.light(nodes, edges);
  const frame = timeline.frames[timeline.at];
  if (frame) lightGraph(frame.lit);
}

function wire(): void {
  graph = Graph.fromNodeLink(graphJson);
  live = new Live(byId("story-stage"), act);
  flow = new FlowView(byId("story-flow"), workflow, registry);
  const compiled = compileFlow(workflowText, registry);
  if (!compiled.ok) throw new Error("the workflow of this page has a fault");
  const inputs = {
    language: GaslSession.prompt(),
    shape: GaslSession.planSchema(),
    graph: JSON.stringify(graph.summary()),
  };
  desk = {
    session: new GaslSession({ graph }),
    kinds,
    edges: edgesOf(graphJson),
    live,
    clock,
    flow: compiled.flow,
    inputs,
    push: (frame) => timeline.push(frame),
    streaming: stream,
  };
  const now = (): Turn | undefined => turns[timeline.frames[timeline.at]?.turn ?? -1];
  const open = (id: string, go: (turn: Turn) => void): void =>
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
  onChoice((next) => {
    const words = `${nameOf(next)} answers what is asked from now on.`;
    question.say(next.kind === "scripted" ? "" : words);
  });
  requestAnimationFrame(() => void drawGraph(graph));
}

/** The example that asks a question; nothing where none does. */
function idOf(words: string): string {
  return examples.find(({ title }) => title === words)?.id ?? "";
}

function open(id: string): void {
  const found = examples.find((one) => one.id === id) ?? examples[0];
  if (!found) return;
  shownId = standing = found.id;
  const words = early ?? found.title;
  early = null;
  if (chosen().kind !== "scripted") question.show(words);
  else if (known(words, kinds)) void ask(words);
  else {
    // The story begins all the same, and what was asked stays where it was written.
    void ask(found.title);
    unknown();
  }
}

/** A link holds the question, and whoever opens it asks it again. */
function work(): Work {
  const words = timeline.frames[timeline.at]?.question ?? "";
  return { example: shownId, own: false, parts: { question: words } };
}

function restore(work: Work): void {
  const words = textOf(work, "question") ?? "";
  standing = idOf(words);
  if (words === "") open(work.example);
  else if (chosen().kind !== "scripted") question.show(words);
  else if (known(words, kinds)) void ask(words);
  else {
    open("");
    unknown(`The link asks “${words}”. `);
  }
}

export const storyBench = lateBench({
  examples,
  // A phone shows the surface first.
  note: byId("story-stage"),
  wire,
  open,
  now: () => standing,
  other: () => "Another question",
  pause: () => timeline.pause(),
  work,
  restore,
});
