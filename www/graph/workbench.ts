import type { Diagnostic } from "byname";
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
import type { SavedRun } from "../saved/saved-run.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import {
  notifyWorkChanged,
  numberPart,
  recordPart,
  textPart,
  type WorkbenchState,
} from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { completionDataAt, completionsAt } from "./completion.js";
import { control, showControlBar, wirePlayer } from "./control-bar.js";
import { DatabaseButton } from "./database-button.js";
import { draftGraph, draftParts } from "./draft-graph.js";
import { exampleGraph, findExample, graphTitle } from "./example-graph.js";
import { describeChoice, exampleModel } from "./example-model.js";
import { type Example, examples } from "./examples.js";
import { GraphModel } from "./graph-model.js";
import { highlightGasl } from "./highlight.js";
import { importGraph } from "./import-graph.js";
import { showImportWarnings } from "./import-report.js";
import { Inspector } from "./inspector.js";
import { cancelLoading } from "./loading-bar.js";
import { parsePlan } from "./plan.js";
import { checkCommands, frameProblems } from "./plan-problems.js";
import { Player } from "./player.js";
import { runProgram } from "./program.js";
import { notAsked, type ReplayHost, replayRuns } from "./replay.js";
import { ResultView } from "./result-view.js";
import { resumeOffer } from "./resume-offer.js";
import { type Frame, newSession, Run, type RunSession } from "./run.js";
import { parseRunHistory, type RunEntry } from "./run-history.js";
import { type OpenedSession, SavedSessions } from "./saved-sessions.js";
import { typeText } from "./typing.js";
import "../css/parts.css";
import "./graph.css";

const noteElement = byId("graph-note");
const titleElement = byId("graph-title");
const problemList = byId("graph-diagnostics");
const report = byId("graph-import-report");
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
const savedButton = button("Saved", { class: "small", disabled: "" }, () => {});
const listener = {
  framesChanged: () => {
    player.framesChanged();
    sessions.save();
  },
  progress: (words: string) => {
    if (player.playing && player.at >= player.frames.length - 1) setStatus("…", words);
  },
  waitUntilViewed: (signal: AbortSignal) => player.waitUntilViewed(signal),
};

const database = new DatabaseButton(report, {
  show: (graph) => showImported(graph, []),
  disconnect: () => openExample(example.id),
});
const sessions = new SavedSessions(savedButton, report, {
  listener,
  connect: (address) => database.connect(address),
  show: showSession,
});

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
  const begin = (base: RunSession, saved: SavedRun | null): void => {
    const run = new Run(base, exampleModel(example), listener, frame?.state);
    start(run, () => void run.plan(text, plan));
    if (saved) trackRun(saved, run, "");
    runHistory = [...previous.ran, { text, from: previous.from }];
    fromOwnQuestion = previous.asked;
    notifyWorkChanged("graph", how === "stay" ? "loaded" : "edited");
    if (how !== "stay") void player[how]();
  };
  if (frame && before) {
    // A fork of a session is not saved.
    const forked = before.fork(frame);
    if (!forked) {
      setStatus("Not run", "A step of a saved session cannot be continued. Press Run.");
      return;
    }
    if (forked instanceof Promise) void forked.then((base) => begin(base, null));
    else begin(forked, null);
    return;
  }
  const saved = how === "stay" ? null : sessions.create();
  begin(newSession(graphModel.source, "", saved?.backend), saved);
}

function trackRun(saved: SavedRun, run: Run, words: string): void {
  if (!graphModel) return;
  const isOwn = ownGraph || example.id === handedId;
  sessions.track(saved, run, {
    graph: graphModel,
    example: isOwn ? null : example.id,
    question: words,
  });
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
  const saved = sessions.create();
  const base = newSession(graphModel.source, words, saved.backend);
  const run = new Run(base, exampleModel(example), listener);
  start(run, () => void run.solve(words));
  trackRun(saved, run, words);
  fromOwnQuestion = ownGraph || words !== example.question;
  notifyWorkChanged("graph", "edited");
  void player.play();
}

function start(run: Run, go: () => void): void {
  sessions.leave();
  typingId += 1;
  clearTimeout(checkTimer);
  runHistory = [];
  fromOwnQuestion = false;
  // Problems of the previous run, or of a dropped file, no longer apply.
  problemList.hidden = true;
  report.hidden = true;
  editor.mark([]);
  hasUnsavedText = false;
  player.open(run);
  inspector.record(run);
  go();
}

function showFrame(frame: Frame): void {
  typingId += 1;
  setStatus(frame.title, frame.note);
  noteElement.append(...resumeOffer(player, () => exampleModel(example)));
  const pour =
    frame.kind === "plan" && player.playing && !prefersReducedMotion() && !hasUnsavedText;
  if (!hasUnsavedText && !pour) editor.show(frame.text, false);
  if (pour) typeFrame(frame.text);
  else if (!hasUnsavedText) markFrame(frame);
  resultView.show(frame.result, frame.results);
  if (!player.run) return;
  inspector.show(player.run, frame);
  if (player.playing || frame.kind === "end") inspector.follow(frame);
}

/** Shows a session that was opened again, at its last step. */
function showSession({ run, graph, example: id, question: words }: OpenedSession): void {
  if (id !== null) example = findExample(id) ?? examples[0];
  ownGraph = id === null;
  showGraph(graph);
  questionInput.value = words;
  start(run, () => {});
  const text = run.frames.at(-1)?.text ?? "";
  if (words === "") runHistory = [{ text, from: -1 }];
  fromOwnQuestion = words !== "";
  editor.show(text, false);
  player.goTo(run.frames.length - 1);
  inspector.parts.open("History");
  choosePane("text");
  notifyWorkChanged("graph", "loaded");
}

/** Simulates the typing of a model. */
function typeFrame(text: string): void {
  const turn = typingId;
  editor.mark([]);
  problemList.hidden = true;
  void typeText(editor, text, () => turn === typingId);
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
  cancelLoading();
  if (graphModel !== next) graphModel?.source.close();
  graphModel = next;
  void database.showState(next);
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
  if (ownGraph && graphModel) Object.assign(parts, draftParts(graphModel));
  // Handed-over examples exist in this page only.
  if (example.id === handedId) parts["handed"] = { note: example.note, plan: example.plan ?? "" };
  if (runHistory.length > 0) parts["ran"] = runHistory;
  if (fromOwnQuestion) parts["asked"] = true;
  if (hasUnsavedText) parts["text"] = editor.text;
  return { example: example.id, own, parts };
}

function currentProgram(): string | null {
  return graphModel && runProgram(graphModel, player, editor.text, hasUnsavedText);
}

function restoreState(saved: WorkbenchState): void {
  const { note: said, plan } = recordPart(saved, "handed");
  restoreHanded<Example>("graph", saved.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    ...(typeof plan === "string" ? { plan } : {}),
  });
  openExample(saved.example, true);
  const graph = draftGraph(saved);
  if (graph instanceof GraphModel) showOwnGraph(graph);
  else if (graph) setStatus(...graph.status);
  if (graph && "status" in graph && graph.isMissing) return;
  questionInput.value = textPart(saved, "question") ?? questionInput.value;
  notifyWorkChanged("graph", "loaded");
  const runs = parseRunHistory(saved);
  const text = textPart(saved, "text");
  if (runs[0]?.from === -1 || (!ownGraph && saved.parts["asked"] !== true)) {
    void replayRuns(replayHost, runs, text, numberPart(saved, "at", -1));
    return;
  }
  // The current run is of the example, which would look like the answer about the own graph.
  if (ownGraph) {
    editor.show(graphModel?.starterPlan ?? "", false);
    runText(false, "stay");
  }
  setStatus(...notAsked("Press Ask to ask it."));
  restoreText(text ?? runs.at(-1)?.text ?? null);
}

const replayHost: ReplayHost = {
  player,
  isEdited: () => hasUnsavedText,
  run(text, fromCurrentStep) {
    editor.show(text, false);
    runText(fromCurrentStep, "stay");
  },
  restoreText,
  setStatus,
};

/** Puts the saved text into the editor, whatever step is shown. */
function restoreText(text: string | null): void {
  if (text === null) return;
  editor.show(text, false);
  handleEdit("loaded");
}

function openExample(id: string, paused = false): void {
  const found = findExample(id);
  example = found ?? examples[0];
  report.hidden = true;
  if (ownGraph || graphModel?.name !== graphTitle(example)) showGraph(exampleGraph(example));
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
  const { question: words, plan = "" } = example;
  const base = newSession(graphModel.source, words ?? "");
  const run = new Run(base, exampleModel(example), listener);
  start(run, () => void (words === undefined ? run.plan(plan, parsePlan(plan)) : run.solve(words)));
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

function importFiles(files: readonly File[]): void {
  if (files.length === 0) return;
  player.pause();
  choosePane("graph");
  void importGraph(report, files, showImported);
}

/** Shows a graph of the user and runs its first plan. */
function showImported(next: GraphModel, diagnostics: readonly Diagnostic[]): void {
  showOwnGraph(next);
  editor.show(next.starterPlan, false);
  inspector.parts.open("History");
  runText(false);
  showImportWarnings(report, diagnostics);
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
  wirePlayer(player, {
    run: (fromCurrentStep, how) => runText(fromCurrentStep, how),
    isEdited: () => hasUnsavedText,
    continued: () => {
      report.hidden = true;
    },
  });
  control("model").addEventListener("click", () => player.pause());
  onModelChosen(({ kind }) => {
    if (!graphWorkbench.visible) return;
    setStatus("Model", describeChoice(kind));
    noteElement.append(...resumeOffer(player, () => exampleModel(example)));
  });
  control("on").before(savedButton);
  control("open").before(database.element);
  void sessions.list.update();
  control("open").addEventListener("click", () => fileInput.click());
  fileInput.addEventListener("change", () => {
    importFiles([...(fileInput.files ?? [])]);
    fileInput.value = "";
  });
  byId("graph-ask").addEventListener("submit", (event) => {
    event.preventDefault();
    askModel();
  });
  acceptDroppedFiles(bench, (files) => importFiles(files));
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
