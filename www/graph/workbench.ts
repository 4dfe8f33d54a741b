import { Graph, type Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { TextMark } from "../editor/pane.js";
import type { Problem } from "../editor/problem.js";
import { marksOfProblems, showProblems } from "../editor/problem-list.js";
import { choiceName, currentChoice, onModelChosen } from "../model/choice.js";
import { openModelDialog, wireModelButton } from "../model/dialog.js";
import { acceptDroppedFiles } from "../model/file-drop.js";
import { button, byId } from "../page/element.js";
import { formatCount, withInlineCode } from "../page/format.js";
import { prefersReducedMotion, wait } from "../page/motion.js";
import { wirePanes } from "../page/tabs.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import {
  notifyWorkChanged,
  numberPart,
  recordPart,
  textPart,
  type WorkbenchState,
} from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { coastGraph, coastTitle } from "./coast-data.js";
import { completionDataAt, completionsAt } from "./completion.js";
import { control, showControlBar } from "./control-bar.js";
import { exampleModel } from "./example-model.js";
import { type Example, examples } from "./examples.js";
import { GraphModel } from "./graph-model.js";
import { highlightGasl } from "./highlight.js";
import { showImportErrors, showImportWarnings } from "./import-report.js";
import { Inspector } from "./inspector.js";
import { formatName, type OpenResult, openFiles, type ReadingChoice } from "./open-files.js";
import { parsePlan } from "./plan.js";
import { checkCommands, frameProblems } from "./plan-problems.js";
import { Player } from "./player.js";
import { toProgram } from "./program.js";
import { ResultView } from "./result-view.js";
import { type Frame, newSession, Run } from "./run.js";
import { parseRunHistory, type RunEntry } from "./run-history.js";
import "../css/parts.css";
import "./graph.css";

const noteElement = byId("graph-note");
const titleElement = byId("graph-title");
const problemList = byId("graph-diagnostics");
const questionInput = byId("graph-question") as HTMLInputElement;
const fileInput = byId("graph-file") as HTMLInputElement;
const bench = byId("graph-pane-text").closest<HTMLElement>(".bench") ?? document.body;

let graphModel: GraphModel | null = null;
let example: Example = examples[0];
/** Whether a file of the user replaces the example's graph. */
let ownGraph = false;
/** Whether the editor has text that was not run; steps do not overwrite it. */
let hasUnsavedText = false;
/** Texts that the user has run. */
let runHistory: RunEntry[] = [];
/** Whether the run started from a question of the user. */
let fromOwnQuestion = false;
/** Incremented to stop the simulated typing. */
let typingId = 0;
let checkTimer: ReturnType<typeof setTimeout> | undefined;

const resultView = new ResultView();
const inspector = new Inspector(byId("graph-why-tabs"), byId("graph-why"), {
  frame: (index) => player.goTo(index),
  node: (id) => resultView.select(id),
});
const editor = new Editor(byId("graph-editor"), {
  label: "GASL plan",
  placeholder:
    "Enter one command per line, for example\nFIND nodes LIMIT 20 AS some\nand press Ctrl + Enter. A JSON plan works too.",
  highlight: highlightGasl,
  complete: (text, at) =>
    completionsAt(text, at, () => completionDataAt(player.frames[player.at], graphModel)),
  textEdited: () => handleEdit(),
  apply: () => runText(false),
});
const player = new Player({
  show: showFrame,
  stateChanged: () => showControlBar(player, hasUnsavedText),
});
const choosePane = wirePanes(bench, "graph");

/** Runs the text as a plan, in a new session or on the state of the current step. */
function runText(fromCurrentStep: boolean, how: "play" | "next" | "stay" = "play"): void {
  if (!graphModel) return;
  clearTimeout(checkTimer);
  const text = editor.text;
  const plan = parsePlan(text);
  const problems = checkCommands(plan);
  if (plan.entries.length === 0 && !plan.json) {
    showTextProblems(problems, text);
    setStatus("Nothing to run", "Write a command first, or choose an example.");
    return;
  }
  if (problems.some(({ diagnostic }) => diagnostic.severity === "error")) {
    player.pause();
    hasUnsavedText = true;
    showTextProblems(problems, text, () => runText(fromCurrentStep));
    setStatus("Not run", `Fix ${formatCount(problems.length, "problem")} first.`);
    return;
  }
  const frame = fromCurrentStep ? player.frames[player.at] : undefined;
  const { run: before, at: from } = player;
  const previous =
    frame && before
      ? { ran: runHistory, asked: fromOwnQuestion, from }
      : { ran: [], asked: false, from: -1 };
  const base =
    frame && before
      ? { session: before.session.fork(frame.state.hash), modelSlot: before.modelSlot }
      : newSession(graphModel.graph, "");
  start(new Run(base, exampleModel(example), listener), (run) => void run.plan(text, plan));
  runHistory = [...previous.ran, { text, from: previous.from }];
  fromOwnQuestion = previous.asked;
  notifyWorkChanged("graph", how === "stay" ? "loaded" : "edited");
  if (how !== "stay") void player[how]();
}

/** Asks the model the question. */
function askModel(): void {
  if (!graphModel) return;
  const words = questionInput.value.trim();
  if (words === "") {
    setStatus("No question", "Enter a question above. The model answers it with plans.");
    questionInput.focus();
    return;
  }
  if (currentChoice().kind === "scripted" && (words !== example.question || ownGraph)) {
    player.pause();
    setStatus("Scripted", "The scripted model only knows the example's question. ");
    noteElement.append(button("Choose a model", { class: "small" }, openModelDialog));
    return;
  }
  start(new Run(newSession(graphModel.graph, words), exampleModel(example), listener), (run) => {
    void run.solve(words);
  });
  fromOwnQuestion = ownGraph || words !== example.question;
  notifyWorkChanged("graph", "edited");
  void player.play();
}

const listener = {
  framesChanged: () => player.framesChanged(),
  progress: (words: string) => {
    if (player.playing && player.at >= player.frames.length - 1) setStatus("…", words);
  },
  waitUntilViewed: (signal: AbortSignal) => player.waitUntilViewed(signal),
};

function start(run: Run, go: (run: Run) => void): void {
  typingId += 1;
  clearTimeout(checkTimer);
  runHistory = [];
  fromOwnQuestion = false;
  // Problems of the previous run, or of a dropped file, no longer apply.
  problemList.hidden = true;
  byId("graph-import-report").hidden = true;
  editor.mark([]);
  hasUnsavedText = false;
  player.open(run);
  go(run);
}

function showFrame(frame: Frame): void {
  typingId += 1;
  setStatus(frame.title, frame.note);
  const pour =
    frame.kind === "plan" && player.playing && !prefersReducedMotion() && !hasUnsavedText;
  if (!hasUnsavedText && !pour) editor.show(frame.text, false);
  if (pour) void typeText(frame.text);
  else if (!hasUnsavedText) markFrame(frame);
  resultView.show(frame.result, frame.results);
  if (!player.run) return;
  inspector.show(player.run, frame);
  if (player.playing || frame.kind === "end") inspector.follow(frame);
}

/** Simulates the typing of a model. */
async function typeText(text: string): Promise<void> {
  const turn = typingId;
  editor.mark([]);
  problemList.hidden = true;
  const pieces = Math.max(1, Math.ceil(text.length / 90));
  for (let at = 0; at < text.length && turn === typingId; at += pieces) {
    editor.show(text.slice(0, at), true);
    await wait(24);
  }
  if (turn === typingId) editor.show(text, false);
}

/** Marks the running command and the problems of a step. */
function markFrame(frame: Frame): void {
  const plan = parsePlan(frame.text);
  const { entry } = frame;
  const now = entry ? [{ start: entry.start, end: entry.end, severity: "now" as const }] : [];
  showTextProblems(frameProblems(frame, plan), frame.text, () => runText(false), now);
  if (editor.text === frame.text) editor.scrollToFirstMark();
}

/** Shows problems in the list, and in the editor if it contains this text. */
function showTextProblems(
  problems: readonly Problem[],
  text: string,
  apply = () => runText(false),
  now: readonly TextMark[] = [],
): void {
  if (editor.text === text) editor.mark([...marksOfProblems(problems), ...now]);
  showProblems(problemList, [{ problems }], { editor, text, apply, check });
}

/** Shows a title and a note above the text. */
function setStatus(head: string, words: string): void {
  titleElement.textContent = head;
  noteElement.replaceChildren(...withInlineCode(words));
}

function handleEdit(how: "edited" | "loaded" = "edited"): void {
  player.pause();
  typingId += 1;
  hasUnsavedText = true;
  notifyWorkChanged("graph", how);
  showControlBar(player, hasUnsavedText);
  clearTimeout(checkTimer);
  checkTimer = setTimeout(check, 350);
}

/** Checks the text without running it. */
function check(): void {
  const { text } = editor;
  const problems = checkCommands(parsePlan(text));
  showTextProblems(problems, text);
  if (problems.length === 0)
    setStatus("Your plan", "Run starts over; Run from here keeps the state of the current step.");
  else setStatus("Your plan", `${formatCount(problems.length, "problem")} to fix.`);
}

function showGraph(next: GraphModel): void {
  graphModel = next;
  const { nodes, edges, directed } = next.summary;
  byId("graph-counts").textContent =
    `${next.name}: ${formatCount(nodes, "node")}, ${formatCount(edges, "edge")}${directed ? "" : ", undirected"}`;
  byId("graph-counts").title = byId("graph-counts").textContent;
  resultView.open(next);
}

/** Returns the own graph, the plans that were run, and the current step. */
function getState(): WorkbenchState {
  const own = ownGraph || hasUnsavedText || fromOwnQuestion || runHistory.length > 0;
  const parts: WorkbenchState["parts"] = { question: questionInput.value, at: player.at };
  if (ownGraph && graphModel) {
    parts["graph"] = graphModel.text;
    parts["name"] = graphModel.name;
    parts["format"] = graphModel.format;
  }
  // Handed-over examples exist in this page only.
  if (example.id === handedId) parts["handed"] = { note: example.note, plan: example.plan ?? "" };
  if (runHistory.length > 0) parts["ran"] = runHistory;
  if (fromOwnQuestion) parts["asked"] = true;
  if (hasUnsavedText) parts["text"] = editor.text;
  return { example: example.id, own, parts };
}

function currentProgram(): string | null {
  if (!graphModel) return null;
  const replies = (hasUnsavedText ? [] : (player.run?.exchanges ?? [])).flatMap(
    ({ reply }) => reply ?? [],
  );
  const asked = hasUnsavedText || player.run?.question == null ? null : player.run.question;
  const text = hasUnsavedText ? editor.text : (player.frames.at(-1)?.text ?? editor.text);
  return toProgram({ graph: graphModel.graph.toJSON(), text, question: asked, replies });
}

function restoreState(saved: WorkbenchState): void {
  const { note: said, plan } = recordPart(saved, "handed");
  restoreHanded<Example>("graph", saved.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    ...(typeof plan === "string" ? { plan } : {}),
  });
  openExample(saved.example, true);
  const graph = textPart(saved, "graph");
  try {
    if (graph !== null)
      showOwnGraph(
        new GraphModel(
          Graph.fromJSON(JSON.parse(graph) as Json),
          textPart(saved, "name") ?? "Your file",
          textPart(saved, "format") ?? "",
        ),
      );
  } catch {
    setStatus("Damaged", "The saved graph cannot be read. Showing the example's graph.");
  }
  questionInput.value = textPart(saved, "question") ?? questionInput.value;
  notifyWorkChanged("graph", "loaded");
  const runs = parseRunHistory(saved);
  const text = textPart(saved, "text");
  if (runs[0]?.from === -1 || (!ownGraph && saved.parts["asked"] !== true)) {
    void replayRuns(runs, text, numberPart(saved, "at", -1));
    return;
  }
  // The current run is of the example, which would look like the answer about the own graph.
  if (ownGraph) {
    editor.show(graphModel?.starterPlan ?? "", false);
    runText(false, "stay");
  }
  showModelNotAsked("Press Ask to ask it.");
  restoreText(text ?? runs.at(-1)?.text ?? null);
}

/** Replays the saved runs up to the saved step, or until a real model would be asked. */
async function replayRuns(
  runs: readonly RunEntry[],
  text: string | null,
  at: number,
): Promise<void> {
  for (const one of runs) {
    const { run } = player;
    if (one.from >= 0) await player.goToWhenReached(one.from);
    // The user has started something else.
    if (run !== player.run || hasUnsavedText) return;
    if (player.at < one.from) {
      showModelNotAsked("Press Ask to ask it.");
      restoreText(text ?? runs.at(-1)?.text ?? null);
      return;
    }
    editor.show(one.text, false);
    runText(one.from >= 0, "stay");
  }
  restoreText(text);
  if (at < 0) return;
  const { run } = player;
  await player.goToWhenReached(at);
  if (run === player.run && !run?.done && player.at < at && !hasUnsavedText)
    showModelNotAsked("Press Play to ask it.");
}

/** A real model may cost money, so it is not asked without a click. */
function showModelNotAsked(how: string): void {
  setStatus("Not asked again", `Replies of a model are not saved. ${how}`);
}

/** Puts the saved text into the editor, whatever step is shown. */
function restoreText(text: string | null): void {
  if (text === null) return;
  editor.show(text, false);
  handleEdit("loaded");
}

function openExample(id: string, paused = false): void {
  const found = withHanded("graph", examples).find((one) => one.id === id);
  example = found ?? examples[0];
  byId("graph-import-report").hidden = true;
  const { json, title: name } = example.graph ?? { json: coastGraph, title: coastTitle };
  if (ownGraph || graphModel?.name !== name)
    showGraph(new GraphModel(Graph.fromNodeLink(json()), name));
  ownGraph = false;
  questionInput.value = example.question ?? "";
  player.open(null);
  problemList.hidden = true;
  hasUnsavedText = false;
  editor.show(example.plan ?? "", false);
  resultView.show(null, new Map());
  inspector.show(null, null);
  inspector.parts.open(example.question ? "Model" : "History");
  startExampleRun();
  setStatus(example.title, example.note);
  notifyWorkChanged("graph", "loaded");
  if (paused) return;
  if (found || id === "") playSoon();
  else
    setStatus(
      "",
      `Unknown example \`${id}\`. Showing the first one: press Play, or choose another.`,
    );
}

/** Creates the run of the example, without playing it. */
function startExampleRun(): void {
  if (!graphModel) return;
  const model = exampleModel(example);
  if (example.question !== undefined) {
    const { question: words } = example;
    start(
      new Run(newSession(graphModel.graph, words), model, listener),
      (run) => void run.solve(words),
    );
  } else {
    const text = example.plan ?? "";
    start(new Run(newSession(graphModel.graph, ""), model, listener), (run) => {
      void run.plan(text, parsePlan(text));
    });
  }
}

/** Plays after a delay, so that the user sees the graph first. */
function playSoon(): void {
  const { run } = player;
  if (currentChoice().kind !== "scripted") {
    // A real model may cost money, so it is not asked without a click.
    setStatus(example.title, `${example.note} Press Play to ask ${choiceName()}.`);
    return;
  }
  void wait(prefersReducedMotion() ? 0 : 1200).then(() => {
    if (graphWorkbench.visible && !hasUnsavedText && run === player.run && player.at < 0)
      void player.play();
  });
}

async function importFiles(files: readonly File[], choice?: ReadingChoice): Promise<void> {
  if (files.length === 0) return;
  player.pause();
  showImported(await openFiles(files, choice?.options), files);
}

function showImported(opened: OpenResult, files: readonly File[]): void {
  const report = byId("graph-import-report");
  choosePane("graph");
  if (opened.graph === null) {
    showImportErrors(report, opened, (choice) => void importFiles(files, choice));
    return;
  }
  const { graph, name } = opened;
  const next = new GraphModel(graph, name, formatName(graph));
  showOwnGraph(next);
  editor.show(next.starterPlan, false);
  inspector.parts.open("History");
  runText(false);
  showImportWarnings(report, graph.diagnostics);
  // The user opened another workbench during the import.
  if (!graphWorkbench.visible) player.pause();
}

function showOwnGraph(next: GraphModel): void {
  ownGraph = true;
  questionInput.value = "";
  showGraph(next);
  notifyWorkChanged("graph", "loaded");
}

function addListeners(): void {
  editor.unlock();
  // The messages about a file are closed when the user goes on with the run.
  for (const id of ["play", "next", "end"])
    control(id).addEventListener("click", () => {
      byId("graph-import-report").hidden = true;
    });
  control("play").addEventListener("click", () => {
    if (player.playing) player.pause();
    else if (hasUnsavedText) runText(false);
    else void player.play();
  });
  control("back").addEventListener("click", () => player.goTo(Math.max(0, player.at - 1)));
  control("next").addEventListener("click", () => {
    if (hasUnsavedText) runText(false, "next");
    else void player.next();
  });
  control("end").addEventListener("click", () => void player.end());
  control("run").addEventListener("click", () => runText(false));
  control("on").addEventListener("click", () => runText(true));
  control("model").addEventListener("click", () => player.pause());
  onModelChosen(({ kind }) => {
    if (!graphWorkbench.visible) return;
    const words =
      kind === "scripted"
        ? "The example's script is used."
        : `${choiceName()} answers the next questions.`;
    setStatus("Model", words);
  });
  control("open").addEventListener("click", () => fileInput.click());
  fileInput.addEventListener("change", () => {
    void importFiles([...(fileInput.files ?? [])]);
    fileInput.value = "";
  });
  byId("graph-ask").addEventListener("submit", (event) => {
    event.preventDefault();
    askModel();
  });
  acceptDroppedFiles(bench, (files) => void importFiles(files));
  for (const one of bench.querySelectorAll<HTMLButtonElement>("button[disabled]"))
    one.disabled = false;
}

wireModelButton(control("model"));

export const graphWorkbench = deferWorkbench({
  get examples() {
    return withHanded("graph", examples);
  },
  errorHost: noteElement,
  wire: addListeners,
  open: openExample,
  currentId: () => (ownGraph ? "" : example.id),
  otherTitle: () => `Your file: ${graphModel?.name ?? ""}`,
  pause: () => player.pause(),
  state: getState,
  restore: restoreState,
  program: currentProgram,
});
