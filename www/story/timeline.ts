import { wait } from "../page/motion.js";
import type { Frame } from "./frame.js";
import type { PaceClock } from "./pace-clock.js";

/** A step that is played again stays so long, in milliseconds. */
const stepDelay = 650;

export interface TimelineView {
  /** Shows a frame. `live` is one that has just happened: its surface stands already. */
  show(frame: Frame, justHappened: boolean): void;
  /** Something about the steps or the buttons is different. */
  stateChanged(): void;
}

/** The steps so far. Whoever looks back holds what is going on; whoever plays goes on to it. */
export class Timeline {
  readonly frames: Frame[] = [];
  at = -1;
  playing = false;
  /** Whether a question is under way. */
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

  /** A step has happened. */
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

  /** A question begins: everybody looks at what comes. */
  begin(): void {
    this.goToEnd();
    this.#actionId += 1;
    this.busy = this.playing = true;
    this.#stepOnce = false;
    this.#clock.resume();
    this.#view.stateChanged();
  }

  /** The question is done. */
  end(): void {
    this.busy = false;
    if (this.atEnd) this.playing = false;
    this.#view.stateChanged();
  }

  /** Somebody does something in the present: it is shown, whatever was looked at. */
  goToEnd(): void {
    if (!this.atEnd) this.#showFrame(this.frames.length - 1);
  }

  pause(): void {
    this.#actionId += 1;
    this.playing = this.#stepOnce = false;
    this.#clock.pause();
    this.#view.stateChanged();
  }

  /** Goes on to the end, and on with what was held; begins at the first step where the end has been reached. */
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

  /** One step on: one that has happened, else the next that does. */
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
