import { type Diagnostic, init, type Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { Problem } from "../editor/problem.js";
import { marksOf, showProblems } from "../editor/problem-list.js";
import { button, byId, element } from "../page/element.js";
import { enable, keepFocus } from "../page/focus.js";
import { count, milliseconds, ticks, wasmBytes } from "../page/format.js";
import { written as write } from "../page/format-json.js";
import { sayNotLoaded } from "../page/load-error.js";
import { panes } from "../page/tabs.js";
import { handedId, restoreHanded, withHanded } from "../work/handover.js";
import { numberOf, recordOf, textOf, type Work, worked } from "../work/saved-work.js";
import type { Bench } from "../work/workbench.js";
import { type Known, suggest } from "./completion.js";
import type { Example, Step } from "./examples/example.js";
import { examples } from "./examples/index.js";
import { colours } from "./highlight.js";
import { Inspector } from "./inspector.js";
import { Player } from "./player.js";
import { codeOf } from "./program.js";
import { repairOf } from "./quick-fix.js";
import { firstMessage, Session } from "./session.js";
import { Stage } from "./surface-view.js";

const note = byId("note");
const title = byId("step-title");
const stepList = byId("steps");
const numbers = byId("numbers");
const controls = Object.fromEntries(
  ["play", "next", "undo", "redo", "apply"].map((id) => [id, byId(id) as HTMLButtonElement]),
);
const { play, next, undo, redo, apply } = controls as Record<
  "play" | "next" | "undo" | "redo" | "apply",
  HTMLButtonElement
>;

const inspector = new Inspector(byId("why-tabs"), byId("why"));
const stage = new Stage(byId("stage"), (key, control) => inspector.select(key, !control));
const editor = new Editor(byId("editor"), {
  label: "Update, in HAM",
  placeholder:
    'Write nodes by name, for example\n{ "u1": { "name": "Alice" } }\nand press Ctrl + Enter.',
  colours,
  suggest: (text, at) => (ready ? suggest(text, at, known) : null),
  typed: () => {
    player.typed();
    written = true;
    worked("surface", "made");
  },
  apply: () => applyText(),
});
const player = new Player({
  fresh: (example) => {
    const session = new Session(
      {
        before: () => stage.before(),
        changed: (changes) => stage.changed(changes),
        after: (report) => {
          stage.after();
          inspector.refresh();
          showNumbers(report);
          if (session.changed) worked("surface", "made");
        },
        action: (action) => inspector.acted(action),
      },
      example.listEdits === true,
      example.components,
    );
    stage.show(session, example.look);
    inspector.show(session);
    return session;
  },
  text: (text, whole) => {
    written = false;
    editor.show(text, !whole);
  },
  quiet: (quiet) => {
    stage.quiet = quiet;
  },
  begun: (step) => {
    say(step.title, step.note);
    // What was wrong with the step before is not wrong with this one.
    byId("diagnostics").hidden = true;
  },
  shown: (step) => {
    if (!step) say("", "Press Play, take one step, or write an update of your own.");
    if (!step) {
      written = false;
      editor.show(player.steps[0]?.text ?? "", false);
    }
    showResult();
  },
  moved: showBar,
  surface: () => stage.surface,
});

/** What may be named in an update. */
function known(): Known {
  const { store, definitions } = player.session;
  return { nodes: store.export(), components: definitions };
}

function applyText(): void {
  if (apply.disabled) return;
  // What streams into the box comes whole first: half a text is nobody's update.
  player.pause();
  if (editor.text.trim() === "") {
    // What was wrong with a text that is gone is not wrong with this one.
    byId("diagnostics").hidden = true;
    say("Nothing to apply", "Write an update first, or take a step of the example.");
    return;
  }
  player.apply(editor.text);
  if (player.session.report.ok) written = false;
  worked("surface", "made");
  const { ok, diagnostics } = player.session.report;
  const doubts = diagnostics.length > 0 ? " What may be wrong with it stands below." : "";
  say(
    "Your update",
    ok
      ? `What you wrote. It is a step of its own now.${doubts}`
      : "It changed nothing: what is wrong with it stands below.",
  );
  showResult();
}

/** The first nodes by name, and how many more there are. */
function named(ids: readonly string[]): string {
  const some = ids.slice(0, 3).map((id) => `\`${id}\``);
  const more = ids.length - some.length;
  return some.join(", ") + (more > 0 ? ` and ${more.toLocaleString()} more` : "");
}

/** What the text pane says of what has just happened. */
function say(head: string, words: string): void {
  title.textContent = head;
  note.replaceChildren(...ticks(words));
}

function showResult(): void {
  const { report, surface } = player.session;
  const found = report.diagnostics;
  editor.mark(marksOf(found.map((one) => problem(one, editor.text))));
  const known = new Set(found.map(({ code, message }) => code + message));
  // What stands in the surface may be older than the text above, so it has no place in it.
  const standing = surface
    .diagnostics()
    .filter(({ code, message }) => !known.has(code + message))
    .map(({ location: _, ...one }) => one);
  const { text } = editor;
  const groups = [
    { problems: found.map((one) => problem(one, text)) },
    { title: "In the surface as it stands", problems: standing.map((one) => problem(one, text)) },
  ];
  // Only taking an update tells what is wrong with it.
  const source = { editor, text, apply: applyText, check: applyText };
  showProblems(byId("diagnostics"), groups, source);
  showNumbers();
}

function problem(diagnostic: Diagnostic, text: string): Problem {
  const { location } = diagnostic;
  const repair = repairOf(diagnostic, text);
  return {
    diagnostic,
    place: location?.kind === "text" ? location : null,
    repairs: repair ? [repair] : [],
  };
}

/** Every number is of what just happened here. */
function showNumbers(report = player.session.report): void {
  const { undoable, redoable } = player.session;
  enable(undo, undoable, play);
  enable(redo, redoable, play);
  const bytes = wasmBytes();
  const parts = [
    milliseconds(report.time),
    count(report.changes.length, "change"),
    count(report.calls, "callback"),
  ];
  if (bytes > 0) parts.push(`wasm ${Math.round(bytes / 1000).toLocaleString()} kB`);
  numbers.replaceChildren(...parts.map((part) => element("span", {}, part)));
}

function showBar(): void {
  const { at, now, steps, playing } = player;
  play.textContent = playing ? "Pause" : at >= steps.length - 1 ? "Play again" : "Play";
  enable(next, at < steps.length - 1, play);
  const dots = steps.map((step, index) => {
    const state = index === now ? "now" : index <= at ? "done" : "later";
    const dot = button(
      "",
      { class: `step ${state}`, "aria-label": `${index + 1}. ${step.title}`, title: step.title },
      () => player.goTo(index),
    );
    if (index === now) dot.setAttribute("aria-current", "step");
    return element("li", {}, dot);
  });
  keepFocus(stepList, () => stepList.replaceChildren(...dots));
  showNumbers();
}

function open(id: string): void {
  const found = withHanded("surface", examples).find((one) => one.id === id);
  const example = found ?? examples[0];
  player.open(example);
  worked("surface", "brought");
  if (found?.atEnd) player.goTo(found.steps.length - 1);
  else if (found || id === "") void player.play();
  else
    say("", `There is no example \`${id}\`. This is the first one: press Play, or choose another.`);
}

function wire(): void {
  play.addEventListener("click", () => (player.playing ? player.pause() : void player.play()));
  next.addEventListener("click", () => void player.next());
  apply.addEventListener("click", applyText);
  for (const [control, head, done, back] of [
    [undo, "Undo", "Taken back: the last update of the data", () => player.session.undo()],
    [redo, "Redo", "Done again: the next update of the data", () => player.session.redo()],
  ] as const) {
    control.addEventListener("click", () => {
      player.pause();
      const ids = back();
      say(
        head,
        ids
          ? `${done}, which wrote ${named(ids)}. Components stay as they are.`
          : "There is no more update of the data in that direction. Components stay as they are.",
      );
      showResult();
    });
  }
  for (const control of [play, next, apply]) control.disabled = false;
}

async function start(): Promise<void> {
  try {
    await init();
  } catch (error) {
    // Whoever chooses an example now means to try again as well.
    started = false;
    sayNotLoaded(byId("stage"), "The core", error, begin);
    return;
  }
  ready = true;
  wire();
  editor.unlock();
  if (wantedWork) restore(wantedWork);
  else open(wanted);
  if (!inSight) player.pause();
}

function begin(): void {
  if (!started) void start();
  started = true;
}

/** The steps, with those of the example by their number, and what stands in the editor. */
function work(): Work | null {
  if (!ready) return null;
  const { example, steps, at } = player;
  const made = steps.map((step) => {
    const index = example.steps.indexOf(step);
    return index < 0 ? { title: step.title, text: step.text } : index;
  });
  const { input } = player;
  const own = written || input !== null || made.some((one) => typeof one !== "number");
  const parts: Work["parts"] = { steps: made, at };
  // What was handed over is known to this page only.
  if (example.id === handedId)
    parts["handed"] = { steps: example.steps.map(({ title, text }) => ({ title, text })) };
  if (written) parts["text"] = editor.text;
  if (input !== null) parts["input"] = input as Json;
  return { example: example.id, own, parts };
}

function restore(work: Work): void {
  if (!ready) {
    wanted = work.example;
    wantedWork = work;
    return;
  }
  const { steps: handed } = recordOf(work, "handed");
  restoreHanded<Example>("surface", work.example, {
    steps: list(handed).flatMap((one) => stepOf(one) ?? []),
  });
  const all = withHanded("surface", examples);
  const example = all.find(({ id }) => id === work.example) ?? examples[0];
  const steps = list(work.parts["steps"]).flatMap((one) => {
    const known = typeof one === "number" ? example.steps[one] : undefined;
    return known ?? stepOf(one) ?? [];
  });
  player.restore(example, steps.length > 0 ? steps : [...example.steps], numberOf(work, "at", -1));
  const input = work.parts["input"];
  if (typeof input === "object" && input !== null && !Array.isArray(input)) player.type(input);
  const text = textOf(work, "text");
  if (text !== null) {
    editor.show(text, false);
    written = true;
    say("Your text", "It stands as it was written. Apply takes it.");
  }
  worked("surface", "brought");
}

function stepOf(value: Json): Step | null {
  const { title, text } = (value ?? {}) as { title?: Json; text?: Json };
  if (typeof text !== "string") return null;
  return { title: String(title ?? "Your update"), note: "What was written here.", text };
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The editor holds what somebody wrote, and nothing has been shown over it. */
let written = false;
let started = false;
let ready = false;
let inSight = false;
let wanted = "";
let wantedWork: Work | undefined;

/** The example that is open, or will be once the core is here. */
function now(): Example {
  if (ready) return player.example;
  return withHanded("surface", examples).find((one) => one.id === wanted) ?? examples[0];
}

export const surfaceBench: Bench = {
  get examples() {
    return withHanded("surface", examples);
  },
  now: () => now().id,
  work,
  restore,
  code() {
    if (!ready) return null;
    const { steps, at, example, input } = player;
    const texts = steps.slice(0, at + 1).map(({ text }) => text);
    if (input) texts.push(write(input as Json));
    return codeOf(
      written ? [...texts, editor.text] : texts,
      firstMessage,
      example.listEdits === true,
    );
  },
  enter(id, given) {
    inSight = true;
    if (ready) {
      if (given) restore(given);
      else if (id !== "") open(id);
      return;
    }
    if (given || id !== "") {
      wanted = id;
      wantedWork = given;
    }
    // The first text can be read before the core has arrived.
    editor.show(now().steps[0]?.text ?? "", false);
    begin();
  },
  leave() {
    inSight = false;
    if (ready) player.pause();
  },
};

panes(byId("tab-text").closest<HTMLElement>(".bench") ?? document.body, "surface");
