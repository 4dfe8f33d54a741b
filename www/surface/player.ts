import type { HamNodes } from "byname";
import { prefersReducedMotion, wait } from "../page/motion.js";
import type { Example, Step } from "./examples/example.js";
import { Session } from "./session.js";

/** A step stays on the screen so long, and a piece of a streamed text so long, in milliseconds. */
const stepDelay = 2600;
/** The first step stays shorter: it brings components, and there is little to see before the data. */
const firstStepDelay = 1300;
const chunkDelay = 30;
/** Characters of one piece, about two tokens of a model. */
const chunkLength = 8;

export interface PlayerView {
  /** A fresh session, shown and watched. */
  newSession(example: Example): Session;
  /** Whether changes are lit. */
  setMuted(quiet: boolean): void;
  /** The text of the step, or as much of it as has come. */
  showText(text: string, whole: boolean): void;
  /** The step begins. */
  stepStarted(step: Step): void;
  /** The step is done; `null` when the example has only been opened. */
  stepDone(step: Step | null): void;
  /** Something about the steps or the buttons is different. */
  stateChanged(): void;
  surface(): HTMLElement;
}

/** Takes an example step by step, forwards and back. */
export class Player {
  steps: Step[] = [];
  /** The last step that has been taken. */
  at = -1;
  /** The step that is under way, else the last one that has been taken. */
  now = -1;
  playing = false;
  session!: Session;
  #example!: Example;
  #runId = 0;
  /** Ends the step that is streaming at once; nothing while none is. */
  #finishStream: ((text: "shown" | "kept") => void) | null = null;
  readonly #view: PlayerView;

  constructor(view: PlayerView) {
    this.#view = view;
  }

  get example(): Example {
    return this.#example;
  }

  open(example: Example): void {
    this.#cancel();
    this.#example = example;
    this.steps = [...example.steps];
    this.at = this.now = -1;
    this.session = this.#view.newSession(example);
    this.#view.stepDone(null);
    this.#view.stateChanged();
  }

  /** Goes on to the end; begins anew where the end has been reached. */
  async play(): Promise<void> {
    const streaming = this.#finishStream !== null;
    this.pause();
    if (this.at >= this.steps.length - 1) {
      if (streaming) return;
      // What somebody applied is a step like the others.
      const { steps } = this;
      this.open(this.#example);
      this.steps = steps;
    }
    this.playing = true;
    this.#view.stateChanged();
    const run = ++this.#runId;
    while (this.at < this.steps.length - 1 && run === this.#runId) {
      await this.#runStep(this.at + 1, run);
      if (run === this.#runId && this.at < this.steps.length - 1)
        await wait(this.at === 0 ? firstStepDelay : stepDelay);
    }
    if (run === this.#runId) this.pause();
  }

  /** Stops. What has not come of a streaming step comes at once, so that no step is ever half. */
  pause(): void {
    this.#stop("shown");
  }

  /** Stops for whoever writes: what they wrote stays in the box. */
  stopForInput(): void {
    if (this.playing || this.#finishStream) this.#stop("kept");
  }

  #stop(text: "shown" | "kept"): void {
    this.#runId += 1;
    this.playing = false;
    this.#finishStream?.(text);
    this.#view.stateChanged();
  }

  /** Drops whatever is under way: its session is about to go. */
  #cancel(): void {
    this.#runId += 1;
    this.playing = false;
    this.#finishStream = null;
  }

  /** Ends the step that is streaming, else takes the next one. */
  async next(): Promise<void> {
    const streaming = this.#finishStream !== null;
    this.pause();
    if (streaming) return;
    if (this.at < this.steps.length - 1) await this.#runStep(this.at + 1, this.#runId);
  }

  /** Goes to any step: from the beginning, without the waiting. */
  goTo(index: number): void {
    const { steps } = this;
    this.#cancel();
    this.session = this.#view.newSession(this.#example);
    const step = steps[index];
    steps.slice(0, index + 1).forEach((one) => {
      this.#view.setMuted(one !== step);
      this.session.begin(one.title);
      this.session.send(one.text);
    });
    this.at = this.now = index;
    if (step) this.#view.stepStarted(step);
    if (step) this.#view.showText(step.text, true);
    this.#view.stepDone(step ?? null);
    this.#view.stateChanged();
  }

  /** Goes to a step of other steps: what somebody has made of an example. */
  restore(example: Example, steps: Step[], at: number): void {
    this.open(example);
    this.steps = steps;
    if (at >= 0) this.goTo(Math.min(at, steps.length - 1));
    else this.#view.stateChanged();
  }

  /**
   * What somebody typed into the surface or took back, as an update of what the steps alone would leave; nothing where
   * nobody did.
   * What a field hides is left out.
   */
  get userEdits(): HamNodes | null {
    if (!this.session.changedByUser) return null;
    const silent = { beforeUpdate() {}, showChanges() {}, afterUpdate() {}, actionTriggered() {} };
    const { listEdits, components } = this.#example;
    const replay = new Session(silent, listEdits === true, components);
    for (const { text } of this.steps.slice(0, this.at + 1)) replay.send(text);
    const edit = replay.store.diff(this.session.store);
    replay.surface[Symbol.dispose]();
    replay.store[Symbol.dispose]();
    return Object.keys(edit).length > 0 ? this.session.secretFields.redact(edit) : null;
  }

  /** Puts back what somebody had changed in the surface. */
  applyUserEdits(edit: HamNodes): void {
    this.session.begin("Typed in the surface");
    this.session.send(JSON.stringify(edit));
    this.session.changedByUser = true;
  }

  /** Takes a text that was typed; it becomes a step of its own. */
  apply(text: string): void {
    this.pause();
    this.session.begin("Your update");
    this.session.send(text);
    if (this.session.report.ok) {
      this.at += 1;
      this.now = this.at;
      this.steps.splice(this.at, 0, { title: "Your update", note: "What you wrote.", text });
    }
    this.#view.stateChanged();
  }

  async #runStep(index: number, run: number): Promise<void> {
    const step = this.steps[index];
    if (!step) return;
    this.session.begin(step.title);
    this.now = index;
    this.#view.stepStarted(step);
    this.#view.stateChanged();
    if (step.stream && !prefersReducedMotion()) return this.#streamStep(step, index, run);
    this.session.send(step.text);
    this.#completeStep(step, index, "shown");
  }

  #completeStep(step: Step, index: number, text: "shown" | "kept"): void {
    this.at = index;
    if (text === "shown") this.#view.showText(step.text, true);
    this.#view.stepDone(step);
    const { changedByUser } = this.session;
    step.touch?.(this.#view.surface());
    // The example did that, and does it again by itself.
    this.session.changedByUser = changedByUser;
    this.#view.stateChanged();
  }

  /** The text as it would come from a model. Whoever interrupts has settled the step, or dropped it. */
  async #streamStep(step: Step, index: number, run: number): Promise<void> {
    const data = step.text.includes('"updateDataModel"');
    const stream = data ? this.session.stream() : null;
    let at = 0;
    let ok = true;
    const push = (to: number) => {
      ok &&= stream?.push(step.text.slice(at, to)) ?? true;
      at = to;
    };
    this.#finishStream = (text) => {
      this.#finishStream = null;
      if (at < step.text.length) push(step.text.length);
      if (stream && ok) stream.end();
      if (!stream) this.session.send(step.text);
      this.#completeStep(step, index, text);
    };
    while (at < step.text.length && ok) {
      push(Math.min(step.text.length, at + chunkLength));
      this.#view.showText(step.text.slice(0, at), false);
      await wait(chunkDelay);
      if (run !== this.#runId) return;
    }
    this.#finishStream("shown");
  }
}
