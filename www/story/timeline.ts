import { wait } from "../page/motion.js";
import type { Frame } from "./frame.js";
import type { PaceClock } from "./pace-clock.js";

/** Milliseconds that a replayed step is shown. */
const stepDelay = 650;

export interface TimelineView {
  /** Shows a frame. If it has just happened, the surface already shows it. */
  show(frame: Frame, justHappened: boolean): void;
  stateChanged(): void;
}

/** Recorded steps. Looking back pauses the current question; playing resumes it. */
export class Timeline {
  readonly frames: Frame[] = [];
  at = -1;
  playing = false;
  /** Whether a question is running. */
  busy = false;
  readonly #clock: PaceClock;
  readonly #view: TimelineView;
  #actionId = 0;
  #stepOnce = false;

  constructor(clock: PaceClock, view: TimelineView) {
    this.#clock = clock;
    this.#view = view;
  }

  get atEnd(): boolean {
    return this.at >= this.frames.length - 1;
  }

  push(frame: Frame): void {
    const follow = this.atEnd;
    this.frames.push(frame);
    if (follow) {
      this.at = this.frames.length - 1;
      this.#view.show(frame, true);
    }
    if (this.#stepOnce) this.pause();
    else this.#view.stateChanged();
  }

  /** Starts a question and follows it. */
  begin(): void {
    this.goToEnd();
    this.#actionId += 1;
    this.busy = this.playing = true;
    this.#stepOnce = false;
    this.#clock.resume();
    this.#view.stateChanged();
  }

  end(): void {
    this.busy = false;
    if (this.atEnd) this.playing = false;
    this.#view.stateChanged();
  }

  /** Goes to the last step. */
  goToEnd(): void {
    if (!this.atEnd) this.#showFrame(this.frames.length - 1);
  }

  pause(): void {
    this.#actionId += 1;
    this.playing = this.#stepOnce = false;
    this.#clock.pause();
    this.#view.stateChanged();
  }

  /** Plays to the end and resumes the question; restarts if already at the end. */
  async play(): Promise<void> {
    const mine = ++this.#actionId;
    this.playing = true;
    if (this.atEnd && !this.busy) this.#showFrame(0);
    this.#view.stateChanged();
    while (!this.atEnd) {
      await wait(stepDelay);
      if (mine !== this.#actionId) return;
      this.#showFrame(this.at + 1);
    }
    this.#clock.resume();
    if (!this.busy) this.playing = false;
    this.#view.stateChanged();
  }

  /** Goes to the next recorded step, or lets the question take one. */
  step(): void {
    if (!this.atEnd) {
      this.goTo(this.at + 1);
    } else if (this.busy) {
      this.#stepOnce = true;
      this.#clock.resume();
    }
  }

  goTo(index: number): void {
    this.pause();
    this.#showFrame(index);
  }

  #showFrame(index: number): void {
    const frame = this.frames[index];
    if (!frame || index === this.at) return;
    this.at = index;
    this.#view.show(frame, false);
    this.#view.stateChanged();
  }
}
