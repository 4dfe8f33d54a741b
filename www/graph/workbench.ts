import { Graph, type Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { Mark } from "../editor/pane.js";
import type { Problem } from "../editor/problem.js";
import { marksOf, showProblems } from "../editor/problem-list.js";
import { chosen, nameOf, onChoice } from "../model/choice.js";
import { chooseModel, modelSwitch } from "../model/dialog.js";
import { takeDrops } from "../model/file-drop.js";
import { button, byId } from "../page/element.js";
import { count, ticks } from "../page/format.js";
import { stillness, wait } from "../page/motion.js";
import { panes } from "../page/tabs.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import { numberOf, recordOf, textOf, type Work, worked } from "../work/saved-work.js";
import { lateBench } from "../work/workbench.js";
import { coast, title as coastTitle } from "./coast-data.js";
import { knownAt, suggest } from "./completion.js";
import { control, showBar } from "./control-bar.js";
import { modelOf } from "./example-model.js";
import { type Example, examples } from "./examples.js";
import { Sight } from "./graph-model.js";
import { colours } from "./highlight.js";
import { showOddities, showRefused } from "./import-report.js";
import { Why } from "./inspector.js";
import { type Opened, openFiles } from "./open-files.js";
import { planOf } from "./plan.js";
import { checked, ofFrame } from "./plan-problems.js";
import { Player } from "./player.js";
import { codeOf } from "./program.js";
import { ResultView } from "./result-view.js";
import { begin, type Frame, Run } from "./run.js";
import { type Ran, ranOf } from "./run-history.js";
import "../css/parts.css";
import "./graph.css";

const note = byId("graph-note");
const title = byId("graph-title");
const faults = byId("graph-diagnostics");
const question = byId("graph-question") as HTMLInputElement;
const fileInput = byId("graph-file") as HTMLInputElement;
const home = byId("graph-pane-text").closest<HTMLElement>(".bench") ?? document.body;

let sight: Sight | null = null;
let example: Example = examples[0];
/** Whether the file of somebody stands in for the bundled graph. */
let ownGraph = false;
/** The editor holds what somebody wrote; steps leave it alone until it is run. */
let written = false;
/** What somebody has run. */
let ran: Ran[] = [];
/** Whether that goes back to a question of somebody's own. */
let asked = false;
/** A reply that is being written out. */
let pouring = 0;
let checking: ReturnType<typeof setTimeout> | undefined;

const seen = new ResultView();
const why = new Why(byId("graph-why-tabs"), byId("graph-why"), {
  frame: (index) => player.goTo(index),
  node: (id) => seen.pick(id),
});
const editor = new Editor(byId("graph-editor"), {
  label: "Plan, in GASL",
  placeholder:
    "Write a command a line, for example\nFIND nodes LIMIT 20 AS some\nand press Ctrl + Enter. A plan in JSON will do as well.",
  colours,
  suggest: (text, at) => suggest(text, at, () => knownAt(player.frames[player.at], sight)),
  typed: () => typed(),
  apply: () => runText(false),
});
const player = new Player({ show: showFrame, moved: () => showBar(player, written) });
const choosePane = panes(home, "graph");

/** Takes the text as a plan: from nothing, or on top of the state of the step in sight. */
function runText(onward: boolean, how: "play" | "next" | "stay" = "play"): void {
  if (!sight) return;
  clearTimeout(checking);
  const text = editor.text;
  const plan = planOf(text);
  const problems = checked(plan);
  if (plan.entries.length === 0 && !plan.json) {
    showFaults(problems, text);
    say("Nothing to run", "Write a command first, or choose an example.");
    return;
  }
  if (problems.some(({ diagnostic }) => diagnostic.severity === "error")) {
    player.pause();
    written = true;
    showFaults(problems, text, () => runText(onward));
    say("Not run", `Nothing ran: ${count(problems.length, "thing")} to mend first.`);
    return;
  }
  const frame = onward ? player.frames[player.at] : undefined;
  const { run: before, at: from } = player;
  const past = frame && before ? { ran, asked, from } : { ran: [], asked: false, from: -1 };
  const at =
    frame && before
      ? { session: before.session.fork(frame.state.hash), desk: before.desk }
      : begin(sight.graph, "");
  start(new Run(at, modelOf(example), listener), (run) => void run.plan(text, plan));
  ran = [...past.ran, { text, from: past.from }];
  asked = past.asked;
  worked("graph", how === "stay" ? "brought" : "made");
  if (how !== "stay") void player[how]();
}

/** Puts a question to the model. */
function ask(): void {
  if (!sight) return;
  const words = question.value.trim();
  if (words === "") {
    say("No question", "Write one above. The model answers it with plans.");
    question.focus();
    return;
  }
  if (chosen().kind === "scripted" && (words !== example.question || ownGraph)) {
    player.pause();
    say("Scripted", "The scripted model knows only the question of its example. ");
    note.append(button("Choose a model", { class: "small" }, chooseModel));
    return;
  }
  start(new Run(begin(sight.graph, words), modelOf(example), listener), (run) => {
    void run.solve(words);
  });
  asked = ownGraph || words !== example.question;
  worked("graph", "made");
  void player.play();
}

const listener = {
  grown: () => player.grown(),
  progress: (words: string) => {
    if (player.playing && player.at >= player.frames.length - 1) say("…", words);
  },
  caughtUp: (signal: AbortSignal) => player.caughtUp(signal),
};

function start(run: Run, go: (run: Run) => void): void {
  pouring += 1;
  clearTimeout(checking);
  ran = [];
  asked = false;
  // What was wrong with the run before, or with a file that was dropped, is not wrong with this one.
  faults.hidden = true;
  byId("graph-fault").hidden = true;
  editor.mark([]);
  written = false;
  player.open(run);
  go(run);
}

function showFrame(frame: Frame): void {
  pouring += 1;
  say(frame.title, frame.note);
  const pour = frame.kind === "plan" && player.playing && !stillness() && !written;
  if (!written && !pour) editor.show(frame.text, false);
  if (pour) void pourText(frame.text);
  else if (!written) markFrame(frame);
  seen.show(frame.result, frame.results);
  if (!player.run) return;
  why.show(player.run, frame);
  if (player.playing || frame.kind === "end") why.follow(frame);
}

/** The text as it comes from a model. */
async function pourText(text: string): Promise<void> {
  const turn = pouring;
  editor.mark([]);
  faults.hidden = true;
  const pieces = Math.max(1, Math.ceil(text.length / 90));
  for (let at = 0; at < text.length && turn === pouring; at += pieces) {
    editor.show(text.slice(0, at), true);
    await wait(24);
  }
  if (turn === pouring) editor.show(text, false);
}

/** Where the step stands in the text, and what is wrong with it. */
function markFrame(frame: Frame): void {
  const plan = planOf(frame.text);
  const { entry } = frame;
  const now = entry ? [{ start: entry.start, end: entry.end, severity: "now" as const }] : [];
  showFaults(ofFrame(frame, plan), frame.text, () => runText(false), now);
  if (editor.text === frame.text) editor.follow();
}

/** What is wrong with a text: at its places, where the editor holds it, and in the list. */
function showFaults(
  problems: readonly Problem[],
  text: string,
  apply = () => runText(false),
  now: readonly Mark[] = [],
): void {
  if (editor.text === text) editor.mark([...marksOf(problems), ...now]);
  showProblems(faults, [{ problems }], { editor, text, apply, check });
}

/** What the text pane says of what has just happened. */
function say(head: string, words: string): void {
  title.textContent = head;
  note.replaceChildren(...ticks(words));
}

function typed(how: "made" | "brought" = "made"): void {
  player.pause();
  pouring += 1;
  written = true;
  worked("graph", how);
  showBar(player, written);
  clearTimeout(checking);
  checking = setTimeout(check, 350);
}

/** Looks over what stands in the editor, and runs nothing. */
function check(): void {
  const { text } = editor;
  const problems = checked(planOf(text));
  showFaults(problems, text);
  if (problems.length === 0)
    say("Your plan", "Run begins anew; Run from here keeps the state of the step in sight.");
  else say("Your plan", `${count(problems.length, "thing")} to mend.`);
}

function showGraph(next: Sight): void {
  sight = next;
  const { nodes, edges, directed } = next.summary;
  byId("graph-counts").textContent =
    `${next.name}: ${count(nodes, "node")}, ${count(edges, "edge")}${directed ? "" : ", undirected"}`;
  byId("graph-counts").title = byId("graph-counts").textContent;
  seen.open(next);
}

/** The graph where it is somebody's own, the plan, and the step in sight. */
function work(): Work {
  const own = ownGraph || written || asked || ran.length > 0;
  const parts: Work["parts"] = { question: question.value, at: player.at };
  if (ownGraph && sight) {
    parts["graph"] = sight.text;
    parts["name"] = sight.name;
  }
  // What was handed over is known to this page only.
  if (example.id === handedId) parts["handed"] = { note: example.note, plan: example.plan ?? "" };
  if (ran.length > 0) parts["ran"] = ran;
  if (asked) parts["asked"] = true;
  if (written) parts["text"] = editor.text;
  return { example: example.id, own, parts };
}

function code(): string | null {
  if (!sight) return null;
  const replies = (written ? [] : (player.run?.exchanges ?? [])).flatMap(
    ({ reply }) => reply ?? [],
  );
  const asked = written || player.run?.question == null ? null : player.run.question;
  const text = written ? editor.text : (player.frames.at(-1)?.text ?? editor.text);
  return codeOf({ graph: sight.graph.toJSON(), text, question: asked, replies });
}

function restore(kept: Work): void {
  const { note: said, plan } = recordOf(kept, "handed");
  restoreHanded<Example>("graph", kept.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    ...(typeof plan === "string" ? { plan } : {}),
  });
  openExample(kept.example, true);
  const graph = textOf(kept, "graph");
  try {
    if (graph !== null)
      showOwn(
        new Sight(Graph.fromJSON(JSON.parse(graph) as Json), textOf(kept, "name") ?? "Your file"),
      );
  } catch {
    say("Not whole", "The graph that was kept cannot be read. This is the example's.");
  }
  question.value = textOf(kept, "question") ?? question.value;
  worked("graph", "brought");
  const runs = ranOf(kept);
  const text = textOf(kept, "text");
  if (runs[0]?.from === -1 || (!ownGraph && kept.parts["asked"] !== true)) {
    void runAgain(runs, text, numberOf(kept, "at", -1));
    return;
  }
  // The run in sight is of the example, which would be taken for the answer about somebody's own graph.
  if (ownGraph) {
    editor.show(sight?.starter ?? "", false);
    runText(false, "stay");
  }
  notAsked("Ask puts the question to it.");
  putBack(text ?? runs.at(-1)?.text ?? null);
}

/** Runs again what somebody has run, and comes to the text and the step that they left, or as near as no model is asked. */
async function runAgain(runs: readonly Ran[], text: string | null, at: number): Promise<void> {
  for (const one of runs) {
    const { run } = player;
    if (one.from >= 0) await player.reach(one.from);
    // Somebody has begun something else meanwhile.
    if (run !== player.run || written) return;
    if (player.at < one.from) {
      notAsked("Ask puts the question to it.");
      putBack(text ?? runs.at(-1)?.text ?? null);
      return;
    }
    editor.show(one.text, false);
    runText(one.from >= 0, "stay");
  }
  putBack(text);
  if (at < 0) return;
  const { run } = player;
  await player.reach(at);
  if (run === player.run && !run?.done && player.at < at && !written) notAsked("Play asks it.");
}

/** A model that may cost something is asked when somebody presses, not before. */
function notAsked(how: string): void {
  say("Not asked again", `What a model answered is kept nowhere. ${how}`);
}

/** What somebody was writing is what stands in the editor, whatever step is in sight. */
function putBack(text: string | null): void {
  if (text === null) return;
  editor.show(text, false);
  typed("brought");
}

function openExample(id: string, still = false): void {
  const found = withHanded("graph", examples).find((one) => one.id === id);
  example = found ?? examples[0];
  byId("graph-fault").hidden = true;
  const { json, title: name } = example.graph ?? { json: coast, title: coastTitle };
  if (ownGraph || sight?.name !== name) showGraph(new Sight(Graph.fromNodeLink(json()), name));
  ownGraph = false;
  question.value = example.question ?? "";
  player.open(null);
  faults.hidden = true;
  written = false;
  editor.show(example.plan ?? "", false);
  seen.show(null, new Map());
  why.show(null, null);
  why.parts.open(example.question ? "Model" : "History");
  prepare();
  say(example.title, example.note);
  worked("graph", "brought");
  if (still) return;
  if (found || id === "") begun();
  else
    say("", `There is no example \`${id}\`. This is the first one: press Play, or choose another.`);
}

/** Makes the run of the example, so that it can be played or stepped through. */
function prepare(): void {
  if (!sight) return;
  const model = modelOf(example);
  if (example.question !== undefined) {
    const { question: words } = example;
    start(new Run(begin(sight.graph, words), model, listener), (run) => void run.solve(words));
  } else {
    const text = example.plan ?? "";
    start(new Run(begin(sight.graph, ""), model, listener), (run) => {
      void run.plan(text, planOf(text));
    });
  }
}

/** Plays after a moment: the graph comes first, then what is asked of it. */
function begun(): void {
  const { run } = player;
  if (chosen().kind !== "scripted") {
    // A model that may cost something is asked when somebody presses, not before.
    say(example.title, `${example.note} Press Play: ${nameOf()} answers.`);
    return;
  }
  void wait(stillness() ? 0 : 1200).then(() => {
    if (graphBench.inSight && !written && run === player.run && player.at < 0) void player.play();
  });
}

async function take(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  player.pause();
  showOpened(await openFiles(files));
}

function showOpened(opened: Opened): void {
  const fault = byId("graph-fault");
  choosePane("graph");
  if (opened.graph === null) {
    showRefused(fault, opened);
    return;
  }
  const { graph, name } = opened;
  const next = new Sight(graph, name);
  showOwn(next);
  editor.show(next.starter, false);
  why.parts.open("History");
  runText(false);
  showOddities(fault, graph.diagnostics);
  // It took so long that somebody has gone elsewhere.
  if (!graphBench.inSight) player.pause();
}

/** Shows somebody's own graph. */
function showOwn(next: Sight): void {
  ownGraph = true;
  question.value = "";
  showGraph(next);
  worked("graph", "brought");
}

function wire(): void {
  editor.unlock();
  // Whoever goes on with the run has read what was wrong with a file.
  for (const id of ["play", "next", "end"])
    control(id).addEventListener("click", () => {
      byId("graph-fault").hidden = true;
    });
  control("play").addEventListener("click", () => {
    if (player.playing) player.pause();
    // What was written is what one wants to see.
    else if (written) runText(false);
    else void player.play();
  });
  control("back").addEventListener("click", () => player.goTo(Math.max(0, player.at - 1)));
  control("next").addEventListener("click", () => {
    if (written) runText(false, "next");
    else void player.next();
  });
  control("end").addEventListener("click", () => void player.end());
  control("run").addEventListener("click", () => runText(false));
  control("on").addEventListener("click", () => runText(true));
  control("model").addEventListener("click", () => player.pause());
  onChoice(({ kind }) => {
    if (!graphBench.inSight) return;
    const words =
      kind === "scripted"
        ? "The example's script answers."
        : `${nameOf()} answers what is asked from now on.`;
    say("Model", words);
  });
  control("open").addEventListener("click", () => fileInput.click());
  fileInput.addEventListener("change", () => {
    void take([...(fileInput.files ?? [])]);
    fileInput.value = "";
  });
  byId("graph-ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  takeDrops(home, (files) => void take(files));
  for (const one of home.querySelectorAll<HTMLButtonElement>("button[disabled]"))
    one.disabled = false;
}

modelSwitch(control("model"));

export const graphBench = lateBench({
  get examples() {
    return withHanded("graph", examples);
  },
  note,
  wire,
  open: openExample,
  now: () => (ownGraph ? "" : example.id),
  other: () => `Your file: ${sight?.name ?? ""}`,
  pause: () => player.pause(),
  work,
  restore,
  code,
});
