import type { Diagnostic, Json } from "byname";
import { currentChoice, onModelChosen } from "../model/choice.js";
import { wireModelButton } from "../model/dialog.js";
import { acceptDroppedFiles, openLogFile } from "../model/file-drop.js";
import { button, byId } from "../page/element.js";
import { setEnabled } from "../page/focus.js";
import { formatCount, withInlineCode } from "../page/format.js";
import { formatJson } from "../page/format-json.js";
import { asRecord } from "../page/json.js";
import { prefersReducedMotion, wait } from "../page/motion.js";
import { wirePanes } from "../page/tabs.js";
import { recogniseLog } from "../surface/log-format.js";
import { SurfaceView } from "../surface/surface-view.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import { notifyWorkChanged, recordPart, type WorkbenchState } from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { showAnswerForms } from "./answer-forms.js";
import { compileWorkflow, type WorkflowDiagram } from "./diagram.js";
import { type Example, examples } from "./examples.js";
import { failureHandlers } from "./failure-handlers.js";
import { convertForeign, isReplaced, workflowError } from "./foreign-workflow.js";
import { Inspector } from "./inspector.js";
import { MappingView, type NodeStatus } from "./mapping-view.js";
import {
  type CompiledProgram,
  compileProgram,
  diagramAt,
  nestedCallbacks,
  nestedJson,
  shownNode,
} from "./nested.js";
import { type NodeResources, nodeCallbacks } from "./node-callbacks.js";
import { showNodePath } from "./node-path.js";
import { createResources } from "./node-resources.js";
import { runStatus, sharesNodes } from "./node-status.js";
import { toProgram } from "./program.js";
import { registryFor } from "./registry.js";
import { type Checkpoint, type Continuation, Run } from "./run.js";
import { describeChoice, restoreOptions, runOptions, selectedNumber } from "./run-options.js";
import { runOutcome } from "./run-outcome.js";
import { flowTexts, type OpenedFlow, SavedFlows } from "./saved-flows.js";
import { savedTexts, setTexts } from "./saved-texts.js";
import { withoutSecrets } from "./secret-inputs.js";
import { prefetchFiles } from "./station-files.js";
import { showNumbers, showSteps } from "./step-strip.js";
import { TextEditors, type TextName } from "./text-editors.js";
import type { FlowEvent } from "./types.js";
import "../css/parts.css";
import "./flow.css";
import "./flow-runs.css";

const control = (id: string) => byId(`flow-${id}`) as HTMLButtonElement;
const noteElement = byId("flow-note");
const titleElement = byId("flow-title");
const bench = byId("flow-pane-text").closest<HTMLElement>(".bench") ?? document.body;

let example: Example = examples[0];
let registry: { [type: string]: Json } = {};
let compiled: CompiledProgram | null = null;
/** Diagram of the last valid workflow. */
let lastDiagram: WorkflowDiagram | null = null;
/** Text and registry, and the text alone, of the last compilation. */
let compiledKey = "";
let compiledText = "";
let run: Run | null = null;
/** Resources of the run; a resumed run reuses them. */
let resources: NodeResources | null = null;
let selectedNode: string | null = null;
let checkTimer: ReturnType<typeof setTimeout> | undefined;
/** Counts user actions; a changed count cancels the automatic start. */
let actionId = 0;
let drawPlanned = false;
/** Ids of the nodes whose workflow is shown; empty for the workflow itself. */
let openedPath: readonly string[] = [];
/** Key of the call that the user went back to; null shows the current state. */
let viewedCall: string | null = null;
/** Whether the user has edited a text. */
let hasOwnTexts = false;

const surfaceView = new SurfaceView(byId("flow-stage"), () => {});
const mappingView = new MappingView(byId("flow-map"), {
  pick: (id) => selectNode(pathOf(id)),
  open: (id) => openWorkflow([...openedPath, id]),
});
const inspector = new Inspector(byId("flow-why-tabs"), byId("flow-why"), () => selectNode(null));
const editors = new TextEditors({
  typed: handleEdit,
  apply: () => startRun(null),
  check: () => {
    compileAndShow();
  },
  getCompletionData: () => {
    // Requested at each key press; compilation itself waits for a pause.
    const fresh = compileWorkflow(editors.text, registry);
    fresh.flow?.[Symbol.dispose]();
    lastDiagram = fresh.diagram ?? lastDiagram;
    return { registry, diagram: lastDiagram };
  },
});
const choosePane = wirePanes(bench, "map");
const savedButton = button("Saved", { disabled: "" }, () => {});
const savedFlows = new SavedFlows(savedButton, showSaved);

const tabNames = { workflow: "Workflow", registry: "Types", inputs: "Inputs" };

/** Compiles the texts and shows the result. */
function compileAndShow(): CompiledProgram | null {
  clearTimeout(checkTimer);
  const types = editors.read("registry");
  editors.read("inputs");
  if (types) registry = types;
  compiledText = editors.text;
  const key = JSON.stringify([compiledText, types]);
  if (key !== compiledKey) {
    compiledKey = key;
    compiled?.flow?.[Symbol.dispose]();
    compiled = types ? compileProgram(compiledText, types) : null;
    lastDiagram = compiled?.diagram ?? lastDiagram;
    if (compiled?.diagram && run && !run.running && !sharesNodes(run, compiled.diagram))
      forgetRun();
    const used = new Set(compiled?.diagram?.nodes.map(({ type }) => type));
    byId("flow-surface").hidden = ![...used].some((type) => type.startsWith("ham."));
    control("model").hidden = !used.has("llm");
    openWorkflow([]);
    if (compiledText.trim() === "" || compiled?.diagram?.nodes.length === 0) mappingView.clear();
  }
  showDiagnostics([]);
  scheduleDraw();
  return compiled;
}

/** Shows the diagram of the workflow, or of the one that the node at a path runs. */
function openWorkflow(path: readonly string[]): void {
  openedPath = path;
  const diagram = diagramAt(compiled, path);
  mappingView.draw(diagram, !compiled?.diagram);
  showNodePath(byId("flow-path"), path, openWorkflow);
  scheduleDraw();
}

/** Returns the path of a node of the opened workflow. */
function pathOf(id: string): string {
  return [...openedPath, id].join("/");
}

/** Removes the run and its questions. */
function forgetRun(): void {
  run = viewedCall = null;
  showAnswerForms(byId("flow-answers"), [], answerNode);
}

function showDiagnostics(running: readonly Diagnostic[]): void {
  // Nodes start ahead of others only with parallel calls.
  const isParallel = selectedNumber("at-once") > 1;
  const compiling = compiled?.diagnostics.filter(({ code }) => isParallel || code !== "FLOW033");
  editors.showDiagnostics(compiledText, compiling ?? [], running);
}

/** Continues the run from its end, or from the checkpoint of the viewed call. */
function resumeRun(answers?: { [node: string]: Json }): void {
  if (!run) return;
  const checkpoint = answers ? undefined : viewedCheckpoint();
  startRun({ previous: run, checkpoint, ...(answers && { answers }) });
}

/** Returns the checkpoint of the call that the user went back to. */
function viewedCheckpoint(): Checkpoint | undefined {
  return viewedCall === null ? undefined : run?.checkpointAfter(viewedCall);
}

/** Runs the workflow from the start, or continues an earlier run. An automatic run is not saved. */
function startRun(continuation: Continuation | null, isAutomatic = false): void {
  if (control("run").disabled) return;
  actionId += 1;
  run?.stop();
  const flow = compileAndShow()?.flow;
  const inputs = editors.read("inputs");
  if (!flow || !inputs) {
    // Resume stays possible; a run from the start would belong to another text.
    if (!continuation) forgetRun();
    scheduleDraw();
    const wrong = compiled === null ? "registry" : inputs ? "workflow" : "inputs";
    editors.open(wrong);
    setStatus("Not run", `Fix the errors in ${tabNames[wrong]} first.`);
    return;
  }
  if (!continuation || !resources) resources = createResources(example, surfaceView);
  const { nested = new Map() } = compiled ?? {};
  showAnswerForms(byId("flow-answers"), [], answerNode);
  const saved = isAutomatic ? undefined : savedFlows.forRun(continuation);
  const next = new Run(
    {
      saved,
      nodes: { ...nodeCallbacks(resources), ...nestedCallbacks(nested) },
      inputs,
      concurrency: selectedNumber("at-once"),
      delay: selectedNumber("speed"),
      timeLimited: new Set(
        compiled?.diagram?.nodes.flatMap((box) => (box.hasTimeLimit ? [box.id] : [])),
      ),
      handlers: failureHandlers(JSON.parse(editors.text) as Json, nestedJson(nested)),
    },
    (event) => {
      if (next === run) handleRunEvent(next, event);
    },
  );
  run = next;
  if (saved) savedFlows.track(saved, next, flowTexts(example, editors.all, hasOwnTexts));
  viewedCall = selectedNode = null;
  inspector.parts.openUnlessChosen("Run");
  inspector.events.record({ flows: { workflow: flow } }, continuation !== null);
  void next.start(flow, continuation);
  scheduleDraw();
  if (continuation) setStatus("Resumed", `${formatCount(next.reusedCalls, "call")} reused.`);
  else setStatus(example.title, example.note);
}

/** Shows an event of the run; null is its end. */
function handleRunEvent(eventRun: Run, event: FlowEvent | null): void {
  scheduleDraw();
  if (eventRun.setup.saved) savedFlows.save();
  if (event?.kind === "retried") setStatus("Retrying", `\`${event.node}\` failed; retrying.`);
  if (event?.kind === "finished" && event.attempt > 1)
    setStatus("Retried", `\`${event.node}\` finished in attempt ${event.attempt}.`);
  if (event?.kind === "started" && eventRun.setup.delay > 0)
    mappingView.reveal(shownNode(compiled, openedPath, event.node), false);
  if (event === null) showRunEnd(eventRun);
}

function showRunEnd(endedRun: Run): void {
  const { result } = endedRun;
  if (!result) return;
  showDiagnostics(result.diagnostics);
  showAnswerForms(byId("flow-answers"), result.waiting, answerNode);
  if (result.status === "paused") choosePane("map");
  setStatus(...runOutcome(endedRun, result));
}

/** Continues the paused run with the answer to a node. */
function answerNode(node: string, value: Json): void {
  resumeRun({ [node]: value });
}

/** Draws in the next animation frame, because a run emits events faster than that. */
function scheduleDraw(): void {
  if (drawPlanned) return;
  drawPlanned = true;
  requestAnimationFrame(() => {
    if (drawPlanned) drawRun();
  });
}

function drawRun(): void {
  drawPlanned = false;
  const seen =
    run && viewedCall !== null ? { calls: run.callsWhenEnded(viewedCall), result: null } : run;
  const { nodes, outputs, working } = runStatus(seen, diagramAt(compiled, openedPath), openedPath);
  mappingView.update(nodes, outputs);
  const places = compiled?.diagram?.nodes.flatMap(({ id }, place) =>
    working.has(id) ? [`/nodes/${place}`] : [],
  );
  editors.markRunning(run?.running ? (places ?? []) : [], (run?.setup.delay ?? 0) > 0);
  inspector.show({ text: editors.text, registry, compiled, run, picked: selectedNode });
  showBar(nodes);
}

function showBar(nodes: ReadonlyMap<string, NodeStatus>): void {
  const running = run?.running === true;
  control("run").textContent = run?.result ? "Run again" : "Run";
  control("run").disabled = false;
  setEnabled(control("cancel"), running, control("run"));
  const canResume = !running && (viewedCheckpoint() !== undefined || run?.resumable === true);
  setEnabled(control("resume"), canResume, control("run"));
  control("resume").textContent = viewedCheckpoint() ? "Resume from here" : "Resume";
  const strip = byId("flow-steps");
  showSteps(strip, run, viewedCall, viewCall);
  strip.dataset["nodes"] = String(nodes.size);
  showNumbers(byId("flow-numbers"), compiled?.time ?? null, run);
}

/** Shows the run as it was when a call ended; the last call shows the current state. */
function viewCall(key: string, last: boolean): void {
  viewedCall = last ? null : key;
  const [node = ""] = JSON.parse(key) as [string];
  selectNode(node);
  if (last) setStatus("Current state", "All calls are shown.");
  else setStatus("Back", `The run after \`${node}\` ended. The last step shows the current state.`);
}

/** Shows the calls of a node, and its position in the text. */
function selectNode(id: string | null): void {
  selectedNode = id;
  if (id !== null) {
    choosePane("why");
    inspector.parts.open("Run");
    mappingView.reveal(shownNode(compiled, openedPath, id), true);
    const [top] = id.split("/");
    const place =
      compiled?.diagram?.nodes.findIndex((box) => box.id === id || box.id === top) ?? -1;
    if (place >= 0 && run?.running !== true) editors.reveal(`/nodes/${place}`);
  }
  scheduleDraw();
}

/** Shows a title and a note above the text, after a planned drawing. */
function setStatus(head: string, words: string): void {
  if (drawPlanned) drawRun();
  titleElement.textContent = head;
  noteElement.replaceChildren(...withInlineCode(words));
}

/** Imports a pasted workflow of another program; returns whether the text was one. */
function importForeign(text: string): boolean {
  const foreign = convertForeign(text);
  if (!foreign) return false;
  editors.import(foreign.text, foreign.diagnostics);
  compileAndShow();
  const parts = formatCount(foreign.diagnostics.length, "part needs", "parts need");
  const rest = foreign.diagnostics.length === 0 ? "" : ` ${parts} attention, see below.`;
  setStatus("Imported", `Converted from ${foreign.program}.${rest} Undo restores its text.`);
  return true;
}

/** Opens a dropped workflow of this or another program. */
async function openFile([file]: readonly File[]): Promise<void> {
  if (!file) return;
  const text = await file.text();
  if (recogniseLog(text)) return openLogFile(file);
  const error = workflowError(text);
  if (error !== null) return setStatus("Not opened", error);
  hasOwnTexts = true;
  editors.open("workflow");
  if (importForeign(text)) return;
  editors.import(text, []);
  compileAndShow();
  setStatus("Opened", `The workflow of ${file.name}.`);
}

function handleEdit(name: TextName): void {
  actionId += 1;
  hasOwnTexts = true;
  notifyWorkChanged("flow", "edited");
  clearTimeout(checkTimer);
  checkTimer = setTimeout(() => {
    if (control("run").disabled) return;
    const { text } = editors;
    if (name === "workflow" && isReplaced(compiledText, text) && importForeign(text)) return;
    compileAndShow();
    const { errorCount: faults } = editors;
    const what = { workflow: "Your workflow", registry: "Your node types", inputs: "Your inputs" }[
      name
    ];
    setStatus(
      what,
      faults === 0
        ? "Run starts over; Resume keeps finished calls."
        : `${formatCount(faults, "error")} to fix.`,
    );
  }, 300);
}

/** Returns the texts, without values of secret inputs, and the run options. */
function getState(): WorkbenchState {
  const { registry: types } = editors.all;
  const { workflow, inputs } = withoutSecrets(editors.all);
  // Handed-over examples exist in this page only.
  const { id, note, inputs: asked, replies = {} } = example;
  const handed = id === handedId ? { note, inputs: asked, replies } : null;
  const parts = {
    ...(hasOwnTexts || handed ? { workflow, types, inputs } : {}),
    ...(handed ? { handed } : {}),
    ...runOptions(),
  };
  return { example: id, own: hasOwnTexts, parts };
}

function currentProgram(): string | null {
  const texts = withoutSecrets(editors.all);
  const concurrency = selectedNumber("at-once");
  return toProgram({ ...texts, registry, concurrency, compiled, run });
}

function restoreState(saved: WorkbenchState): void {
  const { note: said, inputs: asked, replies } = recordPart(saved, "handed");
  restoreHanded<Example>("flow", saved.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    inputs: asRecord(asked),
    replies: asRecord(replies),
  });
  openExample(saved.example, true);
  const texts = savedTexts(saved);
  setTexts(editors, texts);
  hasOwnTexts = saved.own && Object.keys(texts).length > 0;
  restoreOptions(saved);
  compileAndShow();
  notifyWorkChanged("flow", "loaded");
  if (hasOwnTexts) setStatus("Your workflow", "Restored. Press Run.");
}

function openExample(id: string, paused = false): void {
  const found = withHanded("flow", examples).find((one) => one.id === id);
  example = found ?? examples[0];
  run?.stop();
  forgetRun();
  resources = null;
  selectedNode = null;
  actionId += 1;
  hasOwnTexts = false;
  editors.setText("workflow", example.text);
  editors.setText("registry", formatJson(registryFor(example.text)));
  editors.setText("inputs", formatJson(example.inputs));
  editors.open("workflow");
  compileAndShow();
  if (byId("flow-surface").hidden === false) resources = createResources(example, surfaceView);
  inspector.parts.open("Planner");
  setStatus(example.title, example.note);
  notifyWorkChanged("flow", "loaded");
  if (paused) return;
  if (!found && id !== "") {
    setStatus(
      "",
      `Unknown example \`${id}\`. Showing the first one: press Run, or choose another.`,
    );
  } else if (!prefersReducedMotion() && compiled?.flow && currentChoice().kind === "scripted")
    startSoon();
}

/** Runs after a delay, so that the user sees the workflow first. */
function startSoon(): void {
  const mine = actionId;
  void wait(1800).then(() => {
    if (flowWorkbench.visible && mine === actionId) startRun(null, true);
  });
}

/** Shows a saved run; Resume continues it. */
function showSaved({ texts, calls, result, saved }: OpenedFlow): void {
  openExample(texts.example, true);
  setTexts(editors, texts);
  hasOwnTexts = true;
  compileAndShow();
  resources = createResources(example, surfaceView);
  run = Run.restored(calls, result, saved);
  savedFlows.track(saved, run, texts);
  notifyWorkChanged("flow", "edited");
  if (result.status === "completed") showRunEnd(run);
  else setStatus("Saved run", "Resume continues it; finished calls are reused.");
  scheduleDraw();
}

function addListeners(): void {
  editors.unlock();
  control("at-once").closest("label")?.before(savedButton);
  void savedFlows.list.update();
  control("run").addEventListener("click", () => startRun(null));
  control("cancel").addEventListener("click", () => run?.stop());
  control("resume").addEventListener("click", () => resumeRun());
  onModelChosen((choice) => {
    if (flowWorkbench.visible) setStatus("Model", describeChoice(choice));
  });
  void prefetchFiles();
  acceptDroppedFiles(
    bench,
    (files) => void openFile(files),
    ({ name }) => /\.json$/i.test(name),
  );
  const speed = byId("flow-speed") as HTMLSelectElement;
  if (prefersReducedMotion()) speed.value = "0";
  for (const one of bench.querySelectorAll<HTMLButtonElement>(":is(button, select)[disabled]"))
    one.disabled = false;
}

wireModelButton(control("model"));

export const flowWorkbench = deferWorkbench({
  get examples() {
    return withHanded("flow", examples);
  },
  errorHost: noteElement,
  wire: addListeners,
  open: openExample,
  currentId: () => example.id,
  pause: () => run?.stop(),
  state: getState,
  restore: restoreState,
  program: currentProgram,
});
