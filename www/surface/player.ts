import type { HamNodes } from "byname";
import { prefersReducedMotion, wait } from "../page/motion.js";
import type { Example, Step } from "./examples/example.js";
import { Session } from "./session.js";

/** Milliseconds that a step is shown. */
const stepDelay = 2600;
/** Milliseconds that the first step is shown; it has components, but no data. */
const firstStepDelay = 1300;
const chunkDelay = 30;
/** Characters per streamed chunk, about two tokens. */
const chunkLength = 8;
/** Maximum number of chunks of a log, so that a long one takes four seconds. */
const maxLogChunks = 130;

export interface PlayerView {
  /** Creates and shows a session. */
  newSession(example: Example): Session;
  /** Turns the highlighting of changes off or on. */
  setMuted(quiet: boolean): void;
  /** Shows the text of the step, or its streamed part. */
  showText(text: string, whole: boolean): void;
  stepStarted(step: Step): void;
  /** Called after a step; null if the example has only been opened. */
  stepDone(step: Step | null): void;
  stateChanged(): void;
  surface(): HTMLElement;
}

/** Runs the steps of an example, forwards and back. */
export class Player {
  steps: Step[] = [];
  /** Index of the last completed step. */
  at = -1;
  /** Index of the running step, else of the last completed one. */
  now = -1;
  playing = false;
  session!: Session;
  #example!: Example;
  #runId = 0;
  /** Completes the streaming step at once; null if none is streaming. */
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

  /** Plays to the end; restarts if already there. */
  async play(): Promise<void> {
    const streaming = this.#finishStream !== null;
    this.pause();
    if (this.at >= this.steps.length - 1) {
      if (streaming) return;
      // Steps that the user added are kept.
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

  /** Pauses; a streaming step is completed at once, so that none is partial. */
  pause(): void {
    this.#stop("shown");
  }

  /** Pauses because the user types; their text stays in the editor. */
  stopForInput(): void {
    if (this.playing || this.#finishStream) this.#stop("kept");
  }

  #stop(text: "shown" | "kept"): void {
    this.#runId += 1;
    this.playing = false;
    this.#finishStream?.(text);
    this.#view.stateChanged();
  }

  /** Cancels the running step without completing it. */
  #cancel(): void {
    this.#runId += 1;
    this.playing = false;
    this.#finishStream = null;
  }

  /** Completes the streaming step, or else runs the next one. */
  async next(): Promise<void> {
    const streaming = this.#finishStream !== null;
    this.pause();
    if (streaming) return;
    if (this.at < this.steps.length - 1) await this.#runStep(this.at + 1, this.#runId);
  }

  /** Goes to a step by applying all steps up to it at once. */
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

  /** Restores the steps of a saved state. */
  restore(example: Example, steps: Step[], at: number): void {
    this.open(example);
    this.steps = steps;
    if (at >= 0) this.goTo(Math.min(at, steps.length - 1));
    else this.#view.stateChanged();
  }

  /**
   * Changes that the user made in the surface, relative to the steps alone, or null. Secret fields
   * are redacted.
   */
  get userEdits(): HamNodes | null {
    if (!this.session.changedByUser) return null;
    const silent = {
      beforeUpdate() {},
      surfaceChanged() {},
      afterUpdate() {},
      actionTriggered() {},
    };
    const replay = new Session(silent, this.#example);
    for (const { text } of this.steps.slice(0, this.at + 1)) replay.send(text);
    const edit = replay.store.diff(this.session.store);
    replay.surface[Symbol.dispose]();
    replay.store[Symbol.dispose]();
    return Object.keys(edit).length > 0 ? this.session.secretFields.redact(edit) : null;
  }

  /** Applies saved changes of the user. */
  applyUserEdits(edit: HamNodes): void {
    this.session.begin("Surface input");
    this.session.applyNodes(JSON.stringify(edit));
    this.session.changedByUser = true;
  }

  /** Applies a text of the user, which becomes a step. */
  apply(text: string): void {
    this.pause();
    this.session.begin("Your update");
    this.session.send(text);
    if (this.session.report.ok) {
      this.at += 1;
      this.now = this.at;
      this.steps.splice(this.at, 0, { title: "Your update", note: "Written by you.", text });
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
    step.simulateUser?.(this.#view.surface());
    // A simulated action is not an edit by the user.
    this.session.changedByUser = changedByUser;
    this.#view.stateChanged();
  }

  /** Streams a step in chunks. An interruption completes or cancels it. */
  async #streamStep(step: Step, index: number, run: number): Promise<void> {
    const { isLog } = this.session;
    const isData = step.text.includes('"updateDataModel"');
    const stream = isLog || isData ? this.session.stream() : null;
    const size = isLog ? Math.max(chunkLength, step.text.length / maxLogChunks) : chunkLength;
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
      push(Math.min(step.text.length, Math.ceil(at + size)));
      this.#view.showText(step.text.slice(0, at), false);
      await wait(chunkDelay);
      if (run !== this.#runId) return;
    }
    this.#finishStream("shown");
  }
}
