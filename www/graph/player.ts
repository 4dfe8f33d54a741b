import { stillness, wait } from "../page/motion.js";
import type { Frame, Run } from "./run.js";

/** A step stays on the screen so long, in milliseconds; a plan that has come is read for longer. */
const rest = 1900;
const reading = 3600;

export interface Screen {
  show(frame: Frame): void;
  /** Something about the steps or the buttons is different. */
  moved(): void;
}

/** Goes through the frames of a run, forwards and back; the run may still be going on. */
export class Player {
  at = -1;
  playing = false;
  run: Run | null = null;
  readonly #screen: Screen;
  #turn = 0;
  /** Frames that are wanted; whoever waits below is let through. */
  #wanted = 0;
  #waiting: (() => void)[] = [];
  /** The run asks a model next, and does not before somebody wants to see more. */
  #held = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get frames(): readonly Frame[] {
    return this.run?.frames ?? [];
  }

  /** Whether there is a step after the one that is shown, or may be one. */
  get more(): boolean {
    return this.run !== null && (this.at < this.frames.length - 1 || !this.run.done);
  }

  open(run: Run | null): void {
    this.#halt();
    this.run?.stop();
    this.run = run;
    this.at = -1;
    this.#wanted = 0;
    this.#waiting = [];
    this.#held = false;
    this.#screen.moved();
  }

  async play(): Promise<void> {
    if (this.run?.done && this.at >= this.frames.length - 1) this.at = -1;
    const turn = ++this.#turn;
    this.playing = true;
    this.#want(Number.POSITIVE_INFINITY);
    this.#screen.moved();
    while (turn === this.#turn && this.more) {
      if (this.at < this.frames.length - 1) {
        this.#go(this.at + 1);
        const { kind } = this.frames[this.at] ?? {};
        if (kind !== "end" && this.more)
          await wait(kind === "plan" && !stillness() ? reading : rest);
      } else await this.#grown();
    }
    if (turn === this.#turn) this.pause();
  }

  pause(): void {
    this.#halt();
    this.#screen.moved();
  }

  async next(): Promise<void> {
    this.#halt();
    const turn = this.#turn;
    const to = this.at + 1;
    this.#want(to + 1);
    while (turn === this.#turn && to >= this.frames.length && !this.run?.done) await this.#grown();
    if (turn === this.#turn && to < this.frames.length) this.#go(to);
  }

  /** Goes to the last frame, and on to what still comes. */
  async end(): Promise<void> {
    this.#halt();
    const turn = this.#turn;
    this.#want(Number.POSITIVE_INFINITY);
    while (turn === this.#turn) {
      if (this.frames.length > 0) this.#go(this.frames.length - 1);
      if (!this.run || this.run.done) return;
      await this.#grown();
    }
  }

  goTo(index: number): void {
    this.#halt();
    this.#go(index);
  }

  /** Goes to a frame as soon as the run has come so far, or to the last one before a model would be asked. */
  async reach(index: number): Promise<void> {
    this.#halt();
    const turn = this.#turn;
    const short = (): boolean => index >= this.frames.length && !this.run?.done;
    while (turn === this.#turn && short() && !this.#held) await this.#grown();
    if (turn === this.#turn) this.#go(Math.min(index, this.frames.length - 1));
  }

  /** The run has got on. */
  grown(): void {
    this.#wake();
    this.#screen.moved();
  }

  /** For a run that must not go on before somebody wants to see more. */
  async caughtUp(signal: AbortSignal): Promise<void> {
    this.#held = true;
    this.#wake();
    while (this.#wanted <= this.frames.length && !signal.aborted) await this.#grown();
    if (!signal.aborted) this.#held = false;
  }

  #want(frames: number): void {
    this.#wanted = Math.max(this.#wanted, frames);
    this.#wake();
  }

  #halt(): void {
    this.#turn += 1;
    this.playing = false;
    if (this.#wanted === Number.POSITIVE_INFINITY) this.#wanted = this.frames.length;
    this.#wake();
  }

  #wake(): void {
    for (const one of this.#waiting.splice(0)) one();
  }

  #grown(): Promise<void> {
    return new Promise((done) => this.#waiting.push(done));
  }

  #go(index: number): void {
    const frame = this.frames[index];
    if (!frame) return;
    this.at = index;
    this.#screen.show(frame);
    this.#screen.moved();
  }
}
