import type { Diagnostic, Json } from "byname";
import { choiceName, currentChoice, onModelChosen } from "../model/choice.js";
import { wireModelButton } from "../model/dialog.js";
import { stepItem, wasmSize } from "../page/control-bar.js";
import { byId, element, span } from "../page/element.js";
import { setEnabled } from "../page/focus.js";
import { formatCoarseTime, formatCount, formatValue, withInlineCode } from "../page/format.js";
import { formatJson } from "../page/format-json.js";
import { asRecord } from "../page/json.js";
import { prefersReducedMotion, wait } from "../page/motion.js";
import { wirePanes } from "../page/tabs.js";
import { SurfaceView } from "../surface/surface-view.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import {
  notifyWorkChanged,
  numberPart,
  recordPart,
  textPart,
  type WorkbenchState,
} from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { type CompiledWorkflow, compileWorkflow, type WorkflowDiagram } from "./diagram.js";
import { type Example, examples } from "./examples.js";
import { Inspector } from "./inspector.js";
import { MappingView, type NodeStatus } from "./mapping-view.js";
import { type NodeResources, nodeCallbacks } from "./node-callbacks.js";
import { createResources } from "./node-resources.js";
import { runStatus } from "./node-status.js";
import { toProgram } from "./program.js";
import { registryFor } from "./registry.js";
import { Run } from "./run.js";
import { prefetchFiles } from "./station-files.js";
import { TextEditors, type TextName } from "./text-editors.js";
import type { FlowEvent } from "./types.js";
import "../css/parts.css";
import "./flow.css";

const control = (id: string) => byId(`flow-${id}`) as HTMLButtonElement;
const selectedNumber = (id: string) => Number((byId(`flow-${id}`) as HTMLSelectElement).value);
const note = byId("flow-note");
const title = byId("flow-title");
const home = byId("flow-pane-text").closest<HTMLElement>(".bench") ?? document.body;

let example: Example = examples[0];
let registry: { [type: string]: Json } = {};
let compiled: CompiledWorkflow | null = null;
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
/** Key of the call that the user went back to; null shows the current state. */
let viewedCall: string | null = null;
/** Whether the user has edited a text. */
let hasOwnTexts = false;

const surfaceView = new SurfaceView(byId("flow-stage"), () => {});
const mappingView = new MappingView(byId("flow-map"), selectNode);
const inspector = new Inspector(byId("flow-why-tabs"), byId("flow-why"), () => selectNode(null));
const editors = new TextEditors({
  typed: handleEdit,
  apply: () => startRun(null),
  check: () => {
    compile();
  },
  getCompletionData: () => {
    // Requested at each key press; compilation itself waits for a pause.
    const fresh = compileWorkflow(editors.text, registry);
    fresh.flow?.[Symbol.dispose]();
    lastDiagram = fresh.diagram ?? lastDiagram;
    return { registry, diagram: lastDiagram };
  },
});
const choosePane = wirePanes(home, "map");

const tabNames = { workflow: "Workflow", registry: "Types", inputs: "Inputs" };

/** Compiles the texts and shows the result. */
function compile(): CompiledWorkflow | null {
  clearTimeout(checkTimer);
  const types = editors.read("registry");
  editors.read("inputs");
  if (types) registry = types;
  compiledText = editors.text;
  const key = JSON.stringify([compiledText, types]);
  if (key !== compiledKey) {
    compiledKey = key;
    compiled?.flow?.[Symbol.dispose]();
    compiled = types ? compileWorkflow(compiledText, types) : null;
    lastDiagram = compiled?.diagram ?? lastDiagram;
    if (compiled?.diagram && run && !run.running && !sharesNodes(run, compiled.diagram))
      run = viewedCall = null;
    const used = new Set(compiled?.diagram?.nodes.map(({ type }) => type));
    byId("flow-surface").hidden = ![...used].some((type) => type.startsWith("ham."));
    control("model").hidden = !used.has("llm");
    if (compiledText.trim() === "" || compiled?.diagram?.nodes.length === 0) mappingView.clear();
    else mappingView.draw(compiled?.diagram ?? null, !compiled?.diagram);
  }
  showDiagnostics([]);
  refresh();
  return compiled;
}

/** Returns whether a run has a node of this workflow. */
function sharesNodes({ calls }: Run, { nodes }: WorkflowDiagram): boolean {
  const ids = new Set(nodes.map(({ id }) => id));
  return [...calls.values()].some(({ node }) => ids.has(node));
}

function showDiagnostics(running: readonly Diagnostic[]): void {
  editors.showDiagnostics(compiledText, compiled?.diagnostics ?? [], running);
}

/** Runs the workflow from the start, or resumes an earlier run. */
function startRun(previous: Run | null): void {
  if (control("run").disabled) return;
  actionId += 1;
  run?.stop();
  const flow = compile()?.flow;
  const inputs = editors.read("inputs");
  if (!flow || !inputs) {
    // Resume stays possible; a run from the start would belong to another text.
    if (!previous) run = viewedCall = null;
    refresh();
    const wrong = compiled === null ? "registry" : inputs ? "workflow" : "inputs";
    editors.open(wrong);
    setStatus("Not run", `Fix the errors in ${tabNames[wrong]} first.`);
    return;
  }
  if (!previous || !resources) resources = createResources(example, surfaceView);
  const next = new Run(
    {
      nodes: nodeCallbacks(resources),
      inputs,
      concurrency: selectedNumber("at-once"),
      delay: selectedNumber("speed"),
      timeLimited: new Set(
        compiled?.diagram?.nodes.flatMap((box) => (box.hasTimeLimit ? [box.id] : [])),
      ),
    },
    (event) => {
      if (next === run) handleRunEvent(next, event);
    },
  );
  run = next;
  viewedCall = null;
  selectedNode = null;
  inspector.parts.openUnlessChosen("Run");
  void next.start(flow, previous);
  refresh();
  if (previous) setStatus("Resumed", `${formatCount(next.reusedCalls, "call")} reused.`);
  else setStatus(example.title, example.note);
}

/** Shows an event of the run; null is its end. */
function handleRunEvent(eventRun: Run, event: FlowEvent | null): void {
  refresh();
  if (event?.kind === "retried") setStatus("Retrying", `\`${event.node}\` failed; retrying.`);
  if (event?.kind === "finished" && event.attempt > 1)
    setStatus("Retried", `\`${event.node}\` finished in attempt ${event.attempt}.`);
  if (event?.kind === "started" && eventRun.setup.delay > 0) mappingView.reveal(event.node, false);
  if (event === null) showRunEnd(eventRun);
}

function showRunEnd(endedRun: Run): void {
  const { result } = endedRun;
  if (!result) return;
  showDiagnostics(result.diagnostics);
  if (result.status === "completed") {
    const [first] = Object.entries(result.outputs);
    const words = first ? `\`${first[0]}\`: ${formatValue(first[1], 160)}` : "All nodes have run.";
    setStatus("Completed", words);
    return;
  }
  const error = result.diagnostics.find(({ severity }) => severity === "error");
  const done = `${formatCount([...endedRun.calls.values()].filter(({ state }) => state === "finished" || state === "kept").length, "call")} finished.`;
  if (result.status === "cancelled") setStatus("Cancelled", `${done} Resume continues from there.`);
  else setStatus("Failed", `${error?.message ?? "Failed"}. ${done} Resume retries from there.`);
}

/** Draws in the next animation frame, because a run emits events faster than that. */
function refresh(): void {
  if (drawPlanned) return;
  drawPlanned = true;
  requestAnimationFrame(() => {
    if (drawPlanned) draw();
  });
}

function draw(): void {
  drawPlanned = false;
  const seen =
    run && viewedCall !== null ? { calls: run.callsWhenEnded(viewedCall), result: null } : run;
  const { nodes, outputs, working } = runStatus(seen, compiled?.diagram ?? null);
  mappingView.update(nodes, outputs);
  const places = compiled?.diagram?.nodes.flatMap(({ id }, place) =>
    working.has(id) ? [`/nodes/${place}`] : [],
  );
  editors.markRunning(run?.running ? (places ?? []) : [], (run?.setup.delay ?? 0) > 0);
  inspector.show({ text: editors.text, registry, compiled, run, picked: selectedNode });
  showBar(nodes);
}

const stepTones: { readonly [state: string]: string } = {
  failed: " error",
  waiting: " warning",
  stopped: " warning",
  kept: " plan",
};

function showBar(nodes: ReadonlyMap<string, NodeStatus>): void {
  const running = run?.running === true;
  control("run").textContent = run?.result ? "Run again" : "Run";
  control("run").disabled = false;
  setEnabled(control("cancel"), running, control("run"));
  setEnabled(control("resume"), !running && run?.resumable === true, control("run"));
  const strip = byId("flow-steps");
  const calls = [...(run?.calls.values() ?? [])].slice(-80);
  const focused = strip.contains(document.activeElement);
  const before = run && viewedCall !== null ? run.callsWhenEnded(viewedCall) : null;
  strip.replaceChildren(
    ...calls.map(({ key, node, state, iteration, item }, index) => {
      const label = `${node}${iteration > 1 ? `, pass ${iteration}` : ""}${item === null ? "" : `, item ${item + 1}`}: ${state === "kept" ? "reused" : state}`;
      const current = viewedCall === null ? index === calls.length - 1 : key === viewedCall;
      const later = before !== null && !before.has(key);
      const now = state === "running" || (current && viewedCall !== null);
      const look = later ? "later" : now ? "now" : "done";
      return stepItem(`${look}${stepTones[state] ?? ""}`, label, current, () =>
        viewCall(key, index === calls.length - 1),
      );
    }),
  );
  if (focused) strip.querySelector<HTMLElement>("[aria-current]")?.focus();
  if (viewedCall === null) strip.scrollLeft = strip.scrollWidth;
  strip.dataset["nodes"] = String(nodes.size);
  showNumbers();
}

/** Shows the run as it was when a call ended; the last call shows the current state. */
function viewCall(key: string, last: boolean): void {
  viewedCall = last ? null : key;
  const [node = ""] = JSON.parse(key) as [string];
  selectNode(node);
  if (last) setStatus("Current state", "All calls are shown.");
  else setStatus("Back", `The run after \`${node}\` ended. The last step shows the current state.`);
}

function showNumbers(): void {
  const slowed = run?.running === true && run.setup.delay > 0;
  const parts = slowed
    ? [element("span", "slowed down")]
    : [
        ...(compiled ? [element("span", `compiled in ${formatCoarseTime(compiled.time)}`)] : []),
        ...(run ? [element("span", `nodes ${formatCoarseTime(run.nodeTime)}`)] : []),
        // A separate element, which narrow screens hide.
        ...wasmSize().map((size) => span("size", size)),
      ];
  byId("flow-numbers").replaceChildren(...parts);
}

/** Shows the calls of a node, and its position in the text. */
function selectNode(id: string | null): void {
  selectedNode = id;
  if (id !== null) {
    choosePane("why");
    inspector.parts.open("Run");
    mappingView.reveal(id, true);
    const place = compiled?.diagram?.nodes.findIndex((box) => box.id === id) ?? -1;
    if (place >= 0 && run?.running !== true) editors.reveal(`/nodes/${place}`);
  }
  refresh();
}

/** Shows a title and a note above the text, after a planned drawing. */
function setStatus(head: string, words: string): void {
  if (drawPlanned) draw();
  title.textContent = head;
  note.replaceChildren(...withInlineCode(words));
}

function handleEdit(name: TextName): void {
  actionId += 1;
  hasOwnTexts = true;
  notifyWorkChanged("flow", "edited");
  clearTimeout(checkTimer);
  checkTimer = setTimeout(() => {
    if (control("run").disabled) return;
    compile();
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

/** Returns the texts and run options. */
function getState(): WorkbenchState {
  const { workflow, registry: types, inputs } = editors.all;
  // Handed-over examples exist in this page only.
  const { id, note, inputs: asked, replies = {} } = example;
  const handed = id === handedId ? { note, inputs: asked, replies } : null;
  const parts = {
    ...(hasOwnTexts || handed ? { workflow, types, inputs } : {}),
    ...(handed ? { handed } : {}),
    atOnce: selectedNumber("at-once"),
    speed: selectedNumber("speed"),
  };
  return { example: id, own: hasOwnTexts, parts };
}

function program(): string | null {
  const { workflow, inputs } = editors.all;
  let inputValues: Json;
  try {
    inputValues = JSON.parse(inputs.trim() === "" ? "{}" : inputs) as Json;
  } catch {
    inputValues = {};
  }
  const types = compiled?.diagram?.nodes.map(({ type }) => type) ?? [];
  const calls = [...(run?.calls.values() ?? [])];
  return toProgram({
    workflow,
    registry,
    inputs: inputValues,
    concurrency: selectedNumber("at-once"),
    types,
    calls,
  });
}

function restore(saved: WorkbenchState): void {
  const { note: said, inputs: asked, replies } = recordPart(saved, "handed");
  restoreHanded<Example>("flow", saved.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    inputs: asRecord(asked),
    replies: asRecord(replies),
  });
  openExample(saved.example, true);
  const [workflow, types, inputs] = ["workflow", "types", "inputs"].map((part) =>
    textPart(saved, part),
  );
  if (workflow != null) editors.setText("workflow", workflow);
  if (types != null) editors.setText("registry", types);
  if (inputs != null) editors.setText("inputs", inputs);
  hasOwnTexts = saved.own && [workflow, types, inputs].some((text) => text != null);
  for (const [id, part] of [
    ["at-once", "atOnce"],
    ["speed", "speed"],
  ] as const) {
    const select = byId(`flow-${id}`) as HTMLSelectElement;
    const value = String(numberPart(saved, part, Number(select.value)));
    if ([...select.options].some((option) => option.value === value)) select.value = value;
  }
  compile();
  notifyWorkChanged("flow", "loaded");
  if (hasOwnTexts) setStatus("Your workflow", "Restored. Press Run.");
}

function openExample(id: string, paused = false): void {
  const found = withHanded("flow", examples).find((one) => one.id === id);
  example = found ?? examples[0];
  run?.stop();
  viewedCall = null;
  run = null;
  resources = null;
  selectedNode = null;
  actionId += 1;
  hasOwnTexts = false;
  editors.setText("workflow", example.text);
  editors.setText("registry", formatJson(registryFor(example.text)));
  editors.setText("inputs", formatJson(example.inputs));
  editors.open("workflow");
  compile();
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
    if (flowWorkbench.visible && mine === actionId) startRun(null);
  });
}

function wire(): void {
  editors.unlock();
  control("run").addEventListener("click", () => startRun(null));
  control("cancel").addEventListener("click", () => run?.stop());
  control("resume").addEventListener("click", () => startRun(run));
  onModelChosen(({ kind }) => {
    if (!flowWorkbench.visible) return;
    setStatus(
      "Model",
      kind === "scripted"
        ? "The example's script is used."
        : `${choiceName()} is used in the next run.`,
    );
  });
  void prefetchFiles();
  const speed = byId("flow-speed") as HTMLSelectElement;
  if (prefersReducedMotion()) speed.value = "0";
  for (const one of home.querySelectorAll<HTMLButtonElement>(":is(button, select)[disabled]"))
    one.disabled = false;
}

wireModelButton(control("model"));

export const flowWorkbench = deferWorkbench({
  get examples() {
    return withHanded("flow", examples);
  },
  errorHost: note,
  wire,
  open: openExample,
  currentId: () => example.id,
  pause: () => run?.stop(),
  state: getState,
  restore,
  program,
});
