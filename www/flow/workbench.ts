import type { Diagnostic, Json } from "byname";
import { chosen, nameOf, onChoice } from "../model/choice.js";
import { modelSwitch } from "../model/dialog.js";
import { button, byId, element } from "../page/element.js";
import { enable } from "../page/focus.js";
import { briefly, count, cut, ticks, wasmBytes } from "../page/format.js";
import { written } from "../page/format-json.js";
import { stillness, wait } from "../page/motion.js";
import { panes } from "../page/tabs.js";
import { Stage } from "../surface/surface-view.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import { numberOf, record, recordOf, textOf, type Work, worked } from "../work/saved-work.js";
import { lateBench } from "../work/workbench.js";
import { type Compiled, compiled, type Shape } from "./diagram.js";
import { type Example, examples } from "./examples.js";
import { Why } from "./inspector.js";
import { Picture, type Shown } from "./mapping-view.js";
import { nodesOf, type World } from "./node-callbacks.js";
import { worldOf } from "./node-resources.js";
import { shownOf } from "./node-status.js";
import { codeOf } from "./program.js";
import { registryFor } from "./registry.js";
import { Run } from "./run.js";
import { keepFiles } from "./station-files.js";
import { type TextName, Texts } from "./text-editors.js";
import type { FlowEvent } from "./types.js";
import "../css/parts.css";
import "./flow.css";

const control = (id: string) => byId(`flow-${id}`) as HTMLButtonElement;
const choiceOf = (id: string) => Number((byId(`flow-${id}`) as HTMLSelectElement).value);
const note = byId("flow-note");
const title = byId("flow-title");
const home = byId("flow-pane-text").closest<HTMLElement>(".bench") ?? document.body;

let example: Example = examples[0];
let registry: { [type: string]: Json } = {};
let now: Compiled | null = null;
/** The workflow as it last made sense. */
let sense: Shape | null = null;
/** What that was compiled of: all of it, and the workflow by itself. */
let compiledOf = "";
let compiledText = "";
let run: Run | null = null;
/** What the nodes of the run work on; a resumed run goes on with it. */
let world: World | null = null;
let picked: string | null = null;
let checking: ReturnType<typeof setTimeout> | undefined;
/** Somebody has begun something, so nothing begins by itself. */
let touched = 0;
let planned = false;
/** The call that one has gone back to; nothing where the run is seen as it stands. */
let past: string | null = null;
/** Somebody has written in one of the texts. */
let ownTexts = false;

const stage = new Stage(byId("flow-stage"), () => {});
const picture = new Picture(byId("flow-map"), pick);
const why = new Why(byId("flow-why-tabs"), byId("flow-why"), () => pick(null));
const texts = new Texts({
  typed,
  apply: () => begin(null),
  check: () => {
    compile();
  },
  known: () => {
    // It is asked for at each key, and the workflow is compiled only when the keys rest.
    const fresh = compiled(texts.text, registry);
    fresh.flow?.[Symbol.dispose]();
    sense = fresh.shape ?? sense;
    return { registry, shape: sense };
  },
});
const choosePane = panes(home, "map");

const tabNames = { workflow: "Workflow", registry: "Types", inputs: "Inputs" };

/** Compiles what stands in the editors, and shows what came of it. */
function compile(): Compiled | null {
  clearTimeout(checking);
  const types = texts.read("registry");
  texts.read("inputs");
  if (types) registry = types;
  compiledText = texts.text;
  const key = JSON.stringify([compiledText, types]);
  if (key !== compiledOf) {
    compiledOf = key;
    now?.flow?.[Symbol.dispose]();
    now = types ? compiled(compiledText, types) : null;
    sense = now?.shape ?? sense;
    if (now?.shape && run && !run.running && !sharesNodes(run, now.shape)) run = past = null;
    const used = new Set(now?.shape?.boxes.map(({ type }) => type));
    byId("flow-surface").hidden = ![...used].some((type) => type.startsWith("ham."));
    control("model").hidden = !used.has("llm");
    if (compiledText.trim() === "" || now?.shape?.boxes.length === 0) picture.clear();
    else picture.draw(now?.shape ?? null, !now?.shape);
  }
  told([]);
  refresh();
  return now;
}

/** A run of which no node stands in the workflow any more was of another one. */
function sharesNodes({ calls }: Run, { boxes }: Shape): boolean {
  const ids = new Set(boxes.map(({ id }) => id));
  return [...calls.values()].some(({ node }) => ids.has(node));
}

function told(running: readonly Diagnostic[]): void {
  texts.told(compiledText, now?.diagnostics ?? [], running);
}

/** Runs the workflow: from the beginning, or on from what an earlier run has done. */
function begin(before: Run | null): void {
  if (control("run").disabled) return;
  touched += 1;
  run?.stop();
  const flow = compile()?.flow;
  const inputs = texts.read("inputs");
  if (!flow || !inputs) {
    // Resume can still go on with what it has; a run that was to begin anew is no longer of this text.
    if (!before) run = past = null;
    refresh();
    const wrong = now === null ? "registry" : inputs ? "workflow" : "inputs";
    texts.open(wrong);
    say("Not run", `Nothing ran: there is something to mend first, in ${tabNames[wrong]}.`);
    return;
  }
  if (!before || !world) world = worldOf(example, stage);
  const next = new Run(
    {
      nodes: nodesOf(world),
      inputs,
      concurrency: choiceOf("at-once"),
      slow: choiceOf("speed"),
      limited: new Set(now?.shape?.boxes.flatMap((box) => (box.limited ? [box.id] : []))),
    },
    (event) => {
      if (next === run) happened(next, event);
    },
  );
  run = next;
  past = null;
  picked = null;
  why.parts.follow("Run");
  void next.start(flow, before);
  refresh();
  if (before) say("Resumed", `${count(next.kept, "call")} not done again.`);
  else say(example.title, example.note);
}

/** Something has happened in the run, or it has ended. */
function happened(mine: Run, event: FlowEvent | null): void {
  refresh();
  if (event?.kind === "retried") say("Tries again", `\`${event.node}\` failed and is tried again.`);
  if (event?.kind === "finished" && event.attempt > 1)
    say("Tried again", `\`${event.node}\` finished at attempt ${event.attempt}.`);
  if (event?.kind === "started" && mine.setup.slow > 0) picture.show(event.node, false);
  if (event === null) ended(mine);
}

function ended(mine: Run): void {
  const { result } = mine;
  if (!result) return;
  told(result.diagnostics);
  if (result.status === "completed") {
    const [first] = Object.entries(result.outputs);
    const words = first ? `\`${first[0]}\`: ${shown(first[1])}` : "Every node has run.";
    say("Completed", words);
    return;
  }
  const fault = result.diagnostics.find(({ severity }) => severity === "error");
  const done = `${count([...mine.calls.values()].filter(({ state }) => state === "finished" || state === "kept").length, "call")} finished.`;
  if (result.status === "cancelled") say("Cancelled", `${done} Resume goes on from there.`);
  else say("Failed", `${fault?.message ?? "It failed"}. ${done} Resume tries again from there.`);
}

/** Draws with the next frame, or before anything is said: a run tells more often than anybody reads. */
function refresh(): void {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    if (planned) draw();
  });
}

function draw(): void {
  planned = false;
  const seen = run && past !== null ? { calls: run.at(past), result: null } : run;
  const { nodes, outputs, working } = shownOf(seen, now?.shape ?? null);
  picture.update(nodes, outputs);
  const places = now?.shape?.boxes.flatMap(({ id }, place) =>
    working.has(id) ? [`/nodes/${place}`] : [],
  );
  texts.at(run?.running ? (places ?? []) : [], (run?.setup.slow ?? 0) > 0);
  why.show({ text: texts.text, registry, compiled: now, run, picked });
  showBar(nodes);
}

function showBar(nodes: ReadonlyMap<string, Shown>): void {
  const running = run?.running === true;
  control("run").textContent = run?.result ? "Run again" : "Run";
  control("run").disabled = false;
  enable(control("cancel"), running, control("run"));
  enable(control("resume"), !running && run?.resumable === true, control("run"));
  const strip = byId("flow-steps");
  const calls = [...(run?.calls.values() ?? [])].slice(-80);
  const focused = strip.contains(document.activeElement);
  const before = run && past !== null ? run.at(past) : null;
  strip.replaceChildren(
    ...calls.map(({ key, node, state, pass, item }, index) => {
      const words = { running: "runs", waiting: "waits", kept: "not done again" } as {
        [state: string]: string;
      };
      const label = `${node}${pass > 1 ? `, pass ${pass}` : ""}${item === null ? "" : `, item ${item + 1}`}: ${words[state] ?? state}`;
      const tone = {
        failed: " error",
        waiting: " warning",
        stopped: " warning",
        kept: " plan",
      } as { [state: string]: string };
      const current = past === null ? index === calls.length - 1 : key === past;
      const later = before !== null && !before.has(key);
      const look = later
        ? "later"
        : state === "running" || (current && past !== null)
          ? "now"
          : "done";
      const dot = button(
        "",
        { class: `step ${look}${tone[state] ?? ""}`, "aria-label": label, title: label },
        () => goBack(key, index === calls.length - 1),
      );
      if (current) dot.setAttribute("aria-current", "step");
      return element("li", {}, dot);
    }),
  );
  if (focused) strip.querySelector<HTMLElement>("[aria-current]")?.focus();
  if (past === null) strip.scrollLeft = strip.scrollWidth;
  strip.dataset["nodes"] = String(nodes.size);
  showNumbers();
}

/** Shows the run as it stood when a call had ended; the last call brings back all that came of it. */
function goBack(key: string, last: boolean): void {
  past = last ? null : key;
  const [node = ""] = JSON.parse(key) as [string];
  pick(node);
  if (last) say("The run as it stands", "All calls are shown.");
  else
    say(
      "Back",
      `The run as it stood when \`${node}\` had ended. The last dot brings back the rest.`,
    );
}

/** Every number is of what just happened here. */
function showNumbers(): void {
  const bytes = wasmBytes();
  const slowed = run?.running === true && run.setup.slow > 0;
  // Alone, as the bar of an upright tablet has no room for more.
  const size = `wasm ${Math.round(bytes / 1000).toLocaleString()} kB`;
  const parts = slowed
    ? [element("span", {}, "slowed down to be watched")]
    : [
        ...(now ? [element("span", {}, `compiled in ${briefly(now.time)}`)] : []),
        ...(run ? [element("span", {}, `nodes ${briefly(run.work)}`)] : []),
        ...(bytes > 0 ? [element("span", { class: "size" }, size)] : []),
      ];
  byId("flow-numbers").replaceChildren(...parts);
}

/** Shows what is known of a node: its calls, and where it stands in the text. */
function pick(id: string | null): void {
  picked = id;
  if (id !== null) {
    choosePane("why");
    why.parts.open("Run");
    picture.show(id, true);
    const place = now?.shape?.boxes.findIndex((box) => box.id === id) ?? -1;
    if (place >= 0 && run?.running !== true) texts.reveal(`/nodes/${place}`);
  }
  refresh();
}

/** What the text pane says of what has just happened, which is drawn by then. */
function say(head: string, words: string): void {
  if (planned) draw();
  title.textContent = head;
  note.replaceChildren(...ticks(words));
}

function typed(name: TextName): void {
  touched += 1;
  ownTexts = true;
  worked("flow", "made");
  clearTimeout(checking);
  checking = setTimeout(() => {
    if (control("run").disabled) return;
    compile();
    const { faults } = texts;
    const what = { workflow: "Your workflow", registry: "Your node types", inputs: "Your inputs" }[
      name
    ];
    say(
      what,
      faults === 0
        ? "Run begins anew; Resume keeps what has finished."
        : `${count(faults, "thing")} to mend.`,
    );
  }, 300);
}

/** The three texts, and how they are run. */
function work(): Work {
  const { workflow, registry: types, inputs } = texts.all;
  // What was handed over is known to this page only.
  const { id, note: said, inputs: asked, replies = {} } = example;
  const handed = id === handedId ? { note: said, inputs: asked, replies } : null;
  const parts = {
    ...(ownTexts || handed ? { workflow, types, inputs } : {}),
    ...(handed ? { handed } : {}),
    atOnce: choiceOf("at-once"),
    speed: choiceOf("speed"),
  };
  return { example: id, own: ownTexts, parts };
}

function code(): string | null {
  const { workflow, inputs } = texts.all;
  let given: Json;
  try {
    given = JSON.parse(inputs.trim() === "" ? "{}" : inputs) as Json;
  } catch {
    given = {};
  }
  const types = now?.shape?.boxes.map(({ type }) => type) ?? [];
  const calls = [...(run?.calls.values() ?? [])];
  return codeOf({
    workflow,
    registry,
    inputs: given,
    concurrency: choiceOf("at-once"),
    types,
    calls,
  });
}

function restore(kept: Work): void {
  const { note: said, inputs: asked, replies } = recordOf(kept, "handed");
  restoreHanded<Example>("flow", kept.example, {
    ...(typeof said === "string" ? { note: said } : {}),
    inputs: record(asked),
    replies: record(replies),
  });
  openExample(kept.example, true);
  const [workflow, types, inputs] = ["workflow", "types", "inputs"].map((part) =>
    textOf(kept, part),
  );
  if (workflow != null) texts.put("workflow", workflow);
  if (types != null) texts.put("registry", types);
  if (inputs != null) texts.put("inputs", inputs);
  ownTexts = kept.own && [workflow, types, inputs].some((text) => text != null);
  for (const [id, part] of [
    ["at-once", "atOnce"],
    ["speed", "speed"],
  ] as const) {
    const select = byId(`flow-${id}`) as HTMLSelectElement;
    const value = String(numberOf(kept, part, Number(select.value)));
    if ([...select.options].some((option) => option.value === value)) select.value = value;
  }
  compile();
  worked("flow", "brought");
  if (ownTexts) say("Your workflow", "It stands as it was written. Press Run.");
}

function openExample(id: string, still = false): void {
  const found = withHanded("flow", examples).find((one) => one.id === id);
  example = found ?? examples[0];
  run?.stop();
  past = null;
  run = null;
  world = null;
  picked = null;
  touched += 1;
  ownTexts = false;
  texts.put("workflow", example.text);
  texts.put("registry", written(registryFor(example.text)));
  texts.put("inputs", written(example.inputs));
  texts.open("workflow");
  compile();
  if (byId("flow-surface").hidden === false) world = worldOf(example, stage);
  why.parts.open("Planner");
  say(example.title, example.note);
  worked("flow", "brought");
  if (still) return;
  if (!found && id !== "") {
    say("", `There is no example \`${id}\`. This is the first one: press Run, or choose another.`);
  } else if (!stillness() && now?.flow && chosen().kind === "scripted") startSoon();
}

/** Runs after a moment: first one sees what is written, then what becomes of it. */
function startSoon(): void {
  const mine = touched;
  void wait(1800).then(() => {
    if (flowBench.inSight && mine === touched) begin(null);
  });
}

function shown(value: Json): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value), 160);
}

function wire(): void {
  texts.unlock();
  control("run").addEventListener("click", () => begin(null));
  control("cancel").addEventListener("click", () => run?.stop());
  control("resume").addEventListener("click", () => begin(run));
  onChoice(({ kind }) => {
    if (!flowBench.inSight) return;
    say(
      "Model",
      kind === "scripted" ? "The example's script answers." : `${nameOf()} answers the next run.`,
    );
  });
  void keepFiles();
  const speed = byId("flow-speed") as HTMLSelectElement;
  if (stillness()) speed.value = "0";
  for (const one of home.querySelectorAll<HTMLButtonElement>(":is(button, select)[disabled]"))
    one.disabled = false;
}

modelSwitch(control("model"));

export const flowBench = lateBench({
  get examples() {
    return withHanded("flow", examples);
  },
  note,
  wire,
  open: openExample,
  now: () => example.id,
  pause: () => run?.stop(),
  work,
  restore,
  code,
});
