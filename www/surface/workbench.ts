import type { Diagnostic, Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { Problem } from "../editor/problem.js";
import { marksOfProblems, showProblems } from "../editor/problem-list.js";
import { showMeasurements, stepItem, wasmSize } from "../page/control-bar.js";
import { byId, element } from "../page/element.js";
import { preserveFocus, setEnabled } from "../page/focus.js";
import { errorText, formatCount, formatMilliseconds, withInlineCode } from "../page/format.js";
import { formatJson } from "../page/format-json.js";
import { asList, isRecord } from "../page/json.js";
import { wirePanes } from "../page/tabs.js";
import { handedId, logId, restoreHanded, withHanded } from "../work/handover.js";
import {
  notifyWorkChanged,
  numberPart,
  recordPart,
  textPart,
  type WorkbenchState,
} from "../work/saved-work.js";
import { deferWorkbench } from "../work/workbench.js";
import { type CompletionData, completionsAt } from "./completion.js";
import { type Example, type Step, surfaceId } from "./examples/example.js";
import { examples } from "./examples/index.js";
import { highlightJson } from "./highlight.js";
import { Inspector } from "./inspector.js";
import { assertReadable, logHelp, openedLog, readLogFile, setOpenedLog } from "./log-example.js";
import { recogniseLog } from "./log-format.js";
import { wireLogInput } from "./log-input.js";
import { Player } from "./player.js";
import { toLogProgram, toProgram } from "./program.js";
import { quickFixFor } from "./quick-fix.js";
import { createSurfaceMessage, Session } from "./session.js";
import { SurfaceView } from "./surface-view.js";

const noteElement = byId("note");
const titleElement = byId("step-title");
const stepList = byId("steps");
const numbersElement = byId("numbers");
const controlButtons = Object.fromEntries(
  ["play", "next", "undo", "redo", "apply"].map((id) => [id, byId(id) as HTMLButtonElement]),
);
const surfaceChoice = byId("log-surface") as HTMLSelectElement;
const { play, next, undo, redo, apply } = controlButtons as Record<
  "play" | "next" | "undo" | "redo" | "apply",
  HTMLButtonElement
>;

const inspector = new Inspector(byId("why"), (detail) => {
  surfaceView.select(detail.key);
  showInText(detail.node ?? detail.component ?? "");
});
const surfaceView = new SurfaceView(byId("stage"), (key, control) =>
  inspector.select(key, !control),
);
const editor = new Editor(byId("editor"), {
  label: "HAM update",
  placeholder:
    'Enter nodes by id, for example\n{ "u1": { "name": "Alice" } }\nand press Ctrl + Enter.\nOr paste the log of an agent.',
  highlight: highlightJson,
  complete: (text, at) => (isReady ? completionsAt(text, at, completionData) : null),
  textEdited: () => {
    player.stopForInput();
    hasUnsavedText = true;
    notifyWorkChanged("surface", "edited");
  },
  apply: () => applyText(),
});
const player = new Player({
  newSession: (example) => {
    const session = new Session(
      {
        beforeUpdate: () => surfaceView.beforeUpdate(),
        surfaceChanged: (changes) => surfaceView.animateChanges(changes),
        afterUpdate: (report) => {
          surfaceView.afterUpdate();
          showNumbers(report);
          if (session.changedByUser) notifyWorkChanged("surface", "edited");
        },
        actionTriggered: (action) => inspector.showActions(session.isLog ? action : null),
        recordingTime: () => inspector.recordingTime,
      },
      example,
    );
    surfaceView.show(session, example.className);
    inspector.show(session);
    showSurfaceChoice(example);
    return session;
  },
  showText: (text, whole) => {
    hasUnsavedText = false;
    editor.show(text, !whole);
  },
  setMuted: (quiet) => {
    surfaceView.muted = quiet;
  },
  stepStarted: (step) => {
    setStatus(step.title, step.note);
    // Problems of the previous step no longer apply.
    byId("diagnostics").hidden = true;
  },
  stepDone: (step) => {
    if (!step) setStatus("", "Press Play or Step, or write your own update.");
    if (!step) {
      hasUnsavedText = false;
      editor.show(player.steps[0]?.text ?? "", false);
    }
    const problemCount = showResult();
    if (step && isLogStep(step) && problemCount > 0)
      setStatus(step.title, `${step.note} ${formatCount(problemCount, "problem")} in the list.`);
  },
  stateChanged: showBar,
  surface: () => surfaceView.surface,
});

/** Returns the names that an update can use. */
function completionData(): CompletionData {
  const { store, definitions } = player.session;
  return { nodes: store.export(), components: definitions };
}

function applyText(): void {
  if (apply.disabled) return;
  // The streaming step is completed first, so that no partial text is applied.
  player.pause();
  if (isLog(editor.text)) {
    openLogText(editor.text, player.example.log ? (player.steps[0]?.title ?? "") : "Your log");
    return;
  }
  if (editor.text.trim() === "") {
    // Problems of the deleted text no longer apply.
    byId("diagnostics").hidden = true;
    setStatus("Nothing to apply", "Write an update first, or run a step of the example.");
    return;
  }
  player.apply(editor.text);
  if (player.session.report.ok) hasUnsavedText = false;
  notifyWorkChanged("surface", "edited");
  const { ok, diagnostics } = player.session.report;
  const warningNote = diagnostics.length > 0 ? " See the warnings below." : "";
  setStatus(
    "Your update",
    ok ? `Applied as a new step.${warningNote}` : "Not applied: see the errors below.",
  );
  showResult();
}

/** Returns all examples, with those of the story and of the user. */
function allExamples(): readonly [Example, ...Example[]] {
  const log = openedLog();
  const [first, ...others] = withHanded("surface", examples);
  return [first, ...others, ...(log ? [log] : [])];
}

/** Returns whether a text replaces the example: a log, and not messages for the open surface. */
function isLog(text: string): boolean {
  const format = recogniseLog(text);
  if (!format) return false;
  const { createsSurface, messageCount, carriers, surfaces } = format;
  if (createsSurface) return true;
  const isOpen = surfaces.includes(player.example.log?.surfaceId ?? surfaceId);
  return !isOpen && (messageCount > 1 || carriers.length > 0);
}

/** Returns whether a step is the log itself, and not a later update. */
function isLogStep({ text }: Step): boolean {
  return text === player.example.log?.text;
}

/**
 * Opens a log in this workbench. Returns false for a text without messages; throws for a log of
 * `byname/devtools` of another version.
 */
function openLog(text: string, name: string, surface?: string): boolean {
  assertReadable(text);
  if (!setOpenedLog(text, name, surface)) return false;
  if (surfaceWorkbench.visible) {
    surfaceWorkbench.enter(logId);
    // The address names another example.
    history.replaceState(history.state, "", "#surface");
  } else location.hash = `#surface/${logId}`;
  return true;
}

/** Opens a log; a text without messages is reported below the text. */
function openLogText(text: string, name: string): void {
  try {
    if (!openLog(text, name, player.example.log?.surfaceId))
      showLogError(name, "expected messages of a surface, found none", logHelp);
  } catch (error) {
    const [message = "", help = ""] = errorText(error).split(": ");
    showLogError(name, message, help);
  }
}

/** Opens the log in a file that was dropped anywhere on the page. Returns false if it has none. */
export async function openDroppedLog(file: File): Promise<boolean> {
  return openLog(await readLogFile(file), file.name);
}

/** Opens the log in a file; errors are reported below the text. */
async function openLogFile(file: File): Promise<void> {
  try {
    openLogText(await readLogFile(file), file.name);
  } catch (error) {
    showLogError(file.name, errorText(error), "open a smaller file");
  }
}

function showLogError(name: string, message: string, help: string): void {
  player.pause();
  setStatus(name, "Not opened: see the error below.");
  const diagnostic = { code: "file", severity: "error", message, help } as const;
  const source = { editor, text: editor.text, apply: applyText, check: applyText };
  showProblems(byId("diagnostics"), [{ problems: [toProblem(diagnostic, "")] }], source);
}

/** Lists the surfaces of a log with several. */
function showSurfaceChoice({ log }: Example): void {
  const ids = log?.surfaces ?? [];
  surfaceChoice.hidden = ids.length < 2;
  surfaceChoice.replaceChildren(...ids.map((id) => element("option", id)));
  surfaceChoice.value = log?.surfaceId ?? "";
}

/** Highlights the first line of the text with an id of a node or component. */
function showInText(id: string): void {
  const quoted = JSON.stringify(id);
  const start = editor.text.indexOf(quoted);
  if (id === "" || start < 0) return;
  const problems = player.session.report.diagnostics.map((one) => toProblem(one, editor.text));
  editor.mark([
    ...marksOfProblems(problems),
    { start, end: start + quoted.length, severity: "now" },
  ]);
  editor.scrollToFirstMark();
}

/** Lists the first ids and the number of others. */
function listIds(ids: readonly string[]): string {
  const some = ids.slice(0, 3).map((id) => `\`${id}\``);
  const more = ids.length - some.length;
  return some.join(", ") + (more > 0 ? ` and ${more.toLocaleString()} more` : "");
}

/** Shows a title and a note above the text. */
function setStatus(head: string, words: string): void {
  titleElement.textContent = head;
  noteElement.replaceChildren(...withInlineCode(words));
}

/** Lists the problems of the last text; returns their number. */
function showResult(): number {
  const { diagnostics } = player.session.report;
  editor.mark(marksOfProblems(diagnostics.map((one) => toProblem(one, editor.text))));
  const known = new Set(diagnostics.map(({ code, message }) => code + message));
  // The surface may be older than the text, so its problems have no range.
  const surfaceProblems = player.session
    .stateDiagnostics()
    .filter(({ code, message }) => !known.has(code + message))
    .map(({ location: _, ...one }) => one);
  const { text } = editor;
  const groups = [
    { problems: diagnostics.map((one) => toProblem(one, text)) },
    {
      title: "In the current surface",
      problems: surfaceProblems.map((one) => toProblem(one, text)),
    },
  ];
  // A check needs to apply the text.
  const source = { editor, text, apply: applyText, check: applyText };
  showProblems(byId("diagnostics"), groups, source);
  showNumbers();
  return diagnostics.length + surfaceProblems.length;
}

function toProblem(diagnostic: Diagnostic, text: string): Problem {
  const { location } = diagnostic;
  const repair = quickFixFor(diagnostic, text);
  return {
    diagnostic,
    range: location?.kind === "text" ? location : null,
    fixes: repair ? [repair] : [],
  };
}

function showNumbers(report = player.session.report): void {
  const { canUndo, canRedo } = player.session;
  setEnabled(undo, canUndo, play);
  setEnabled(redo, canRedo, play);
  showMeasurements(numbersElement, [
    formatMilliseconds(report.time),
    formatCount(report.changes.length, "change"),
    formatCount(report.calls, "callback"),
    ...wasmSize(),
  ]);
}

function showBar(): void {
  const { at, now, steps, playing } = player;
  play.textContent = playing ? "Pause" : at >= steps.length - 1 ? "Play again" : "Play";
  setEnabled(next, at < steps.length - 1, play);
  const dots = steps.map((step, index) => {
    const state = index === now ? "now" : index <= at ? "done" : "later";
    return stepItem(state, `${index + 1}. ${step.title}`, index === now, () => player.goTo(index));
  });
  preserveFocus(stepList, () => stepList.replaceChildren(...dots));
  showNumbers();
}

function openExample(id: string): void {
  const found = allExamples().find((one) => one.id === id);
  const example = found ?? examples[0];
  player.open(example);
  // A log of the user exists only in this page, so it is saved.
  notifyWorkChanged("surface", example.id === logId ? "edited" : "loaded");
  if (found?.atEnd) player.goTo(found.steps.length - 1);
  else if (found || id === "") {
    void player.play();
    // The user opened another workbench while the core was loading.
    if (!surfaceWorkbench.visible) player.pause();
  } else
    setStatus(
      "",
      `Unknown example \`${id}\`. Showing the first one: press Play, or choose another.`,
    );
}

function addListeners(): void {
  play.addEventListener("click", () => (player.playing ? player.pause() : void player.play()));
  next.addEventListener("click", () => void player.next());
  apply.addEventListener("click", applyText);
  surfaceChoice.addEventListener("change", () => {
    const { log, steps } = player.example;
    openLog(log?.text ?? "", steps[0]?.title ?? "", surfaceChoice.value);
  });
  wireLogInput({
    openFile: (file) => void openLogFile(file),
    openText: (text) => openLogText(text, "Your log"),
    isVisible: () => surfaceWorkbench.visible,
    isEditorReplaceable: () => !hasUnsavedText || editor.text.trim() === "",
  });
  for (const [control, head, done, back] of [
    [undo, "Undo", "Undid the last data update", () => player.session.undo()],
    [redo, "Redo", "Redid the next data update", () => player.session.redo()],
  ] as const) {
    control.addEventListener("click", () => {
      player.pause();
      const ids = back();
      setStatus(
        head,
        ids
          ? `${done}, which changed ${listIds(ids)}. Components are unchanged.`
          : "No further data update in this direction. Components are unchanged.",
      );
      showResult();
    });
  }
  for (const control of [play, next, apply]) control.disabled = false;
  isReady = true;
  editor.unlock();
}

/** Returns the steps (those of the example by index) and the text in the editor. */
function getState(): WorkbenchState {
  const { example, steps, at } = player;
  const savedSteps = steps.map((step) => {
    const index = example.steps.indexOf(step);
    return index < 0 ? { title: step.title, text: step.text } : index;
  });
  const { userEdits } = player;
  const { log } = example;
  const own =
    example.id === logId ||
    hasUnsavedText ||
    userEdits !== null ||
    savedSteps.some((one) => typeof one !== "number");
  const parts: WorkbenchState["parts"] = { steps: savedSteps, at };
  // Handed-over examples exist in this page only.
  if (example.id === handedId)
    parts["handed"] = { steps: example.steps.map(({ title, text }) => ({ title, text })) };
  if (log && example.id === logId)
    parts["log"] = {
      text: log.text,
      title: example.steps[0]?.title ?? "",
      surface: log.surfaceId ?? "",
    };
  if (hasUnsavedText) parts["text"] = editor.text;
  if (userEdits !== null) parts["input"] = userEdits as Json;
  return { example: example.id, own, parts };
}

function restoreState(work: WorkbenchState): void {
  const { steps: handed } = recordPart(work, "handed");
  restoreHanded<Example>("surface", work.example, {
    steps: asList(handed).flatMap((one) => parseStep(one) ?? []),
  });
  if (work.example === logId) {
    const { text, title, surface } = recordPart(work, "log");
    setOpenedLog(String(text ?? ""), String(title ?? ""), String(surface ?? ""));
  }
  const all = allExamples();
  const example = all.find(({ id }) => id === work.example) ?? examples[0];
  const steps = asList(work.parts["steps"]).flatMap((one) => {
    const known = typeof one === "number" ? example.steps[one] : undefined;
    return known ?? parseStep(one) ?? [];
  });
  player.restore(
    example,
    steps.length > 0 ? steps : [...example.steps],
    numberPart(work, "at", -1),
  );
  const { input } = work.parts;
  if (isRecord(input)) player.applyUserEdits(input);
  const text = textPart(work, "text");
  if (text !== null) {
    editor.show(text, false);
    hasUnsavedText = true;
    setStatus("Your text", "Restored. Press Apply to apply it.");
  }
  notifyWorkChanged("surface", "loaded");
}

function parseStep(value: Json): Step | null {
  const { title, text } = (value ?? {}) as { title?: Json; text?: Json };
  if (typeof text !== "string") return null;
  return { title: String(title ?? "Your update"), note: "Written by you.", text };
}

/** Whether the editor has text of the user. */
let hasUnsavedText = false;
let isReady = false;

function currentProgram(): string {
  const { steps, at, example, userEdits } = player;
  const texts = steps.slice(0, at + 1).map(({ text }) => text);
  const edits = userEdits ? [formatJson(userEdits as Json)] : [];
  if (example.log) return toLogProgram(texts, edits, example.log.language);
  texts.push(...edits);
  if (hasUnsavedText) texts.push(editor.text);
  return toProgram(texts, createSurfaceMessage, example.listEdits === true);
}

export const surfaceWorkbench = deferWorkbench({
  get examples() {
    return allExamples();
  },
  errorHost: byId("stage"),
  preview(id) {
    const example = allExamples().find((one) => one.id === id) ?? examples[0];
    editor.show(example.steps[0]?.text ?? "", false);
  },
  wire: addListeners,
  open: openExample,
  currentId: () => player.example.id,
  pause: () => player.pause(),
  state: getState,
  restore: restoreState,
  program: currentProgram,
});

wirePanes(byId("tab-text").closest<HTMLElement>(".bench") ?? document.body, "surface");
