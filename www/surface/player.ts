import type { HamNodes } from "byname";
import { stillness, wait } from "../page/motion.js";
import type { Example, Step } from "./examples/example.js";
import { Session } from "./session.js";

/** A step stays on the screen so long, and a piece of a streamed text so long, in milliseconds. */
const rest = 2600;
/** The first step stays shorter: it brings components, and there is little to see before the data. */
const start = 1300;
const tick = 30;
/** Characters of one piece, about two tokens of a model. */
const piece = 8;

export interface Stage {
  /** A fresh session, shown and watched. */
  fresh(example: Example): Session;
  /** Whether changes are lit. */
  quiet(quiet: boolean): void;
  /** The text of the step, or as much of it as has come. */
  text(text: string, whole: boolean): void;
  /** The step begins. */
  begun(step: Step): void;
  /** The step is done; `null` when the example has only been opened. */
  shown(step: Step | null): void;
  /** Something about the steps or the buttons is different. */
  moved(): void;
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
  #run = 0;
  /** Ends the step that is streaming at once; nothing while none is. */
  #settle: ((text: "shown" | "kept") => void) | null = null;
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get example(): Example {
    return this.#example;
  }

  open(example: Example): void {
    this.#abandon();
    this.#example = example;
    this.steps = [...example.steps];
    this.at = this.now = -1;
    this.session = this.#stage.fresh(example);
    this.#stage.shown(null);
    this.#stage.moved();
  }

  /** Goes on to the end; begins anew where the end has been reached. */
  async play(): Promise<void> {
    const streaming = this.#settle !== null;
    this.pause();
    if (this.at >= this.steps.length - 1) {
      if (streaming) return;
      // What somebody applied is a step like the others.
      const { steps } = this;
      this.open(this.#example);
      this.steps = steps;
    }
    this.playing = true;
    this.#stage.moved();
    const run = ++this.#run;
    while (this.at < this.steps.length - 1 && run === this.#run) {
      await this.#take(this.at + 1, run);
      if (run === this.#run && this.at < this.steps.length - 1)
        await wait(this.at === 0 ? start : rest);
    }
    if (run === this.#run) this.pause();
  }

  /** Stops. What has not come of a streaming step comes at once, so that no step is ever half. */
  pause(): void {
    this.#stop("shown");
  }

  /** Stops for whoever writes: what they wrote stays in the box. */
  typed(): void {
    if (this.playing || this.#settle) this.#stop("kept");
  }

  #stop(text: "shown" | "kept"): void {
    this.#run += 1;
    this.playing = false;
    this.#settle?.(text);
    this.#stage.moved();
  }

  /** Drops whatever is under way: its session is about to go. */
  #abandon(): void {
    this.#run += 1;
    this.playing = false;
    this.#settle = null;
  }

  /** Ends the step that is streaming, else takes the next one. */
  async next(): Promise<void> {
    const streaming = this.#settle !== null;
    this.pause();
    if (streaming) return;
    if (this.at < this.steps.length - 1) await this.#take(this.at + 1, this.#run);
  }

  /** Goes to any step: from the beginning, without the waiting. */
  goTo(index: number): void {
    const { steps } = this;
    this.#abandon();
    this.session = this.#stage.fresh(this.#example);
    const step = steps[index];
    steps.slice(0, index + 1).forEach((one) => {
      this.#stage.quiet(one !== step);
      this.session.begin(one.title);
      this.session.send(one.text);
    });
    this.at = this.now = index;
    if (step) this.#stage.begun(step);
    if (step) this.#stage.text(step.text, true);
    this.#stage.shown(step ?? null);
    this.#stage.moved();
  }

  /** Goes to a step of other steps: what somebody has made of an example. */
  restore(example: Example, steps: Step[], at: number): void {
    this.open(example);
    this.steps = steps;
    if (at >= 0) this.goTo(Math.min(at, steps.length - 1));
    else this.#stage.moved();
  }

  /**
   * What somebody typed into the surface or took back, as an update of what the steps alone would leave; nothing where
   * nobody did.
   * What a field hides is left out.
   */
  get input(): HamNodes | null {
    if (!this.session.changed) return null;
    const silent = { before() {}, changed() {}, after() {}, action() {} };
    const { listEdits, components } = this.#example;
    const plain = new Session(silent, listEdits === true, components);
    for (const { text } of this.steps.slice(0, this.at + 1)) plain.send(text);
    const edit = plain.store.diff(this.session.store);
    plain.surface[Symbol.dispose]();
    plain.store[Symbol.dispose]();
    return Object.keys(edit).length > 0 ? this.session.hidden.cut(edit) : null;
  }

  /** Puts back what somebody had changed in the surface. */
  type(edit: HamNodes): void {
    this.session.begin("Typed in the surface");
    this.session.send(JSON.stringify(edit));
    this.session.changed = true;
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
    this.#stage.moved();
  }

  async #take(index: number, run: number): Promise<void> {
    const step = this.steps[index];
    if (!step) return;
    this.session.begin(step.title);
    this.now = index;
    this.#stage.begun(step);
    this.#stage.moved();
    if (step.stream && !stillness()) return this.#pour(step, index, run);
    this.session.send(step.text);
    this.#taken(step, index, "shown");
  }

  #taken(step: Step, index: number, text: "shown" | "kept"): void {
    this.at = index;
    if (text === "shown") this.#stage.text(step.text, true);
    this.#stage.shown(step);
    const { changed } = this.session;
    step.touch?.(this.#stage.surface());
    // The example did that, and does it again by itself.
    this.session.changed = changed;
    this.#stage.moved();
  }

  /** The text as it would come from a model. Whoever interrupts has settled the step, or dropped it. */
  async #pour(step: Step, index: number, run: number): Promise<void> {
    const data = step.text.includes('"updateDataModel"');
    const stream = data ? this.session.stream() : null;
    let at = 0;
    let good = true;
    const push = (to: number) => {
      good &&= stream?.push(step.text.slice(at, to)) ?? true;
      at = to;
    };
    this.#settle = (text) => {
      this.#settle = null;
      if (at < step.text.length) push(step.text.length);
      if (stream && good) stream.end();
      if (!stream) this.session.send(step.text);
      this.#taken(step, index, text);
    };
    while (at < step.text.length && good) {
      push(Math.min(step.text.length, at + piece));
      this.#stage.text(step.text.slice(0, at), false);
      await wait(tick);
      if (run !== this.#run) return;
    }
    this.#settle("shown");
  }
}
