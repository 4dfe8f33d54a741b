import { prefersReducedMotion, wait } from "../page/motion.js";
import type { Frame, Run } from "./run.js";

/** Milliseconds that a step is shown, and that a new plan is shown. */
const stepDelay = 1900;
const planDelay = 3600;

export interface PlayerView {
  show(frame: Frame): void;
  stateChanged(): void;
}

/** Steps through the frames of a run, which may still be running. */
export class Player {
  at = -1;
  playing = false;
  run: Run | null = null;
  readonly #view: PlayerView;
  #actionId = 0;
  /** Number of frames requested by the user. */
  #requestedFrames = 0;
  #waiters: (() => void)[] = [];
  /** Whether the run waits for the user before it asks a model. */
  #waitingForModel = false;

  constructor(view: PlayerView) {
    this.#view = view;
  }

  get frames(): readonly Frame[] {
    return this.run?.frames ?? [];
  }

  /** Whether a later step exists or may follow. */
  get hasMore(): boolean {
    return this.run !== null && (this.at < this.frames.length - 1 || !this.run.done);
  }

  open(run: Run | null): void {
    this.#stopPlaying();
    this.run?.stop();
    this.run = run;
    this.at = -1;
    this.#requestedFrames = 0;
    this.#waiters = [];
    this.#waitingForModel = false;
    this.#view.stateChanged();
  }

  async play(): Promise<void> {
    if (this.run?.done && this.at >= this.frames.length - 1) this.at = -1;
    const turn = ++this.#actionId;
    this.playing = true;
    this.#requestFrames(Number.POSITIVE_INFINITY);
    this.#view.stateChanged();
    while (turn === this.#actionId && this.hasMore) {
      if (this.at < this.frames.length - 1) {
        this.#showFrame(this.at + 1);
        const { kind } = this.frames[this.at] ?? {};
        if (kind !== "end" && this.hasMore)
          await wait(kind === "plan" && !prefersReducedMotion() ? planDelay : stepDelay);
      } else await this.#nextChange();
    }
    if (turn === this.#actionId) this.pause();
  }

  pause(): void {
    this.#stopPlaying();
    this.#view.stateChanged();
  }

  async next(): Promise<void> {
    this.#stopPlaying();
    const turn = this.#actionId;
    const to = this.at + 1;
    this.#requestFrames(to + 1);
    while (turn === this.#actionId && to >= this.frames.length && !this.run?.done)
      await this.#nextChange();
    if (turn === this.#actionId && to < this.frames.length) this.#showFrame(to);
  }

  /** Goes to the last frame, and follows new ones. */
  async end(): Promise<void> {
    this.#stopPlaying();
    const turn = this.#actionId;
    this.#requestFrames(Number.POSITIVE_INFINITY);
    while (turn === this.#actionId) {
      if (this.frames.length > 0) this.#showFrame(this.frames.length - 1);
      if (!this.run || this.run.done) return;
      await this.#nextChange();
    }
  }

  goTo(index: number): void {
    this.#stopPlaying();
    this.#showFrame(index);
  }

  /** Goes to a frame when the run reaches it, or to the last one before a model would be asked. */
  async goToWhenReached(index: number): Promise<void> {
    this.#stopPlaying();
    const turn = this.#actionId;
    const short = (): boolean => index >= this.frames.length && !this.run?.done;
    while (turn === this.#actionId && short() && !this.#waitingForModel) await this.#nextChange();
    if (turn === this.#actionId) this.#showFrame(Math.min(index, this.frames.length - 1));
  }

  /** Called when the run has a new frame or has ended. */
  framesChanged(): void {
    this.#notifyWaiters();
    this.#view.stateChanged();
  }

  /** Resolves when the user requests more frames than there are. */
  async waitUntilViewed(signal: AbortSignal): Promise<void> {
    this.#waitingForModel = true;
    this.#notifyWaiters();
    while (this.#requestedFrames <= this.frames.length && !signal.aborted) await this.#nextChange();
    if (!signal.aborted) this.#waitingForModel = false;
  }

  #requestFrames(frames: number): void {
    this.#requestedFrames = Math.max(this.#requestedFrames, frames);
    this.#notifyWaiters();
  }

  #stopPlaying(): void {
    this.#actionId += 1;
    this.playing = false;
    if (this.#requestedFrames === Number.POSITIVE_INFINITY)
      this.#requestedFrames = this.frames.length;
    this.#notifyWaiters();
  }

  #notifyWaiters(): void {
    for (const one of this.#waiters.splice(0)) one();
  }

  #nextChange(): Promise<void> {
    return new Promise((done) => this.#waiters.push(done));
  }

  #showFrame(index: number): void {
    const frame = this.frames[index];
    if (!frame) return;
    this.at = index;
    this.#view.show(frame);
    this.#view.stateChanged();
  }
}
