import { wait } from "../page/motion.js";
import type { Frame } from "./frame.js";
import type { Clock } from "./pace-clock.js";

/** A step that is played again stays so long, in milliseconds. */
const rest = 650;

export interface Screen {
  /** Shows a frame. `live` is one that has just happened: its surface stands already. */
  show(frame: Frame, live: boolean): void;
  /** Something about the steps or the buttons is different. */
  moved(): void;
}

/** The steps so far. Whoever looks back holds what is going on; whoever plays goes on to it. */
export class Timeline {
  readonly frames: Frame[] = [];
  at = -1;
  playing = false;
  /** Whether a question is under way. */
  busy = false;
  readonly #clock: Clock;
  readonly #screen: Screen;
  #turn = 0;
  #single = false;

  constructor(clock: Clock, screen: Screen) {
    this.#clock = clock;
    this.#screen = screen;
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
      this.#screen.show(frame, true);
    }
    if (this.#single) this.pause();
    else this.#screen.moved();
  }

  /** A question begins: everybody looks at what comes. */
  begin(): void {
    this.settle();
    this.#turn += 1;
    this.busy = this.playing = true;
    this.#single = false;
    this.#clock.go();
    this.#screen.moved();
  }

  /** The question is done. */
  end(): void {
    this.busy = false;
    if (this.atEnd) this.playing = false;
    this.#screen.moved();
  }

  /** Somebody does something in the present: it is shown, whatever was looked at. */
  settle(): void {
    if (!this.atEnd) this.#go(this.frames.length - 1);
  }

  pause(): void {
    this.#turn += 1;
    this.playing = this.#single = false;
    this.#clock.hold();
    this.#screen.moved();
  }

  /** Goes on to the end, and on with what was held; begins at the first step where the end has been reached. */
  async play(): Promise<void> {
    const mine = ++this.#turn;
    this.playing = true;
    if (this.atEnd && !this.busy) this.#go(0);
    this.#screen.moved();
    while (!this.atEnd) {
      await wait(rest);
      if (mine !== this.#turn) return;
      this.#go(this.at + 1);
    }
    this.#clock.go();
    if (!this.busy) this.playing = false;
    this.#screen.moved();
  }

  /** One step on: one that has happened, else the next that does. */
  step(): void {
    if (!this.atEnd) {
      this.goTo(this.at + 1);
    } else if (this.busy) {
      this.#single = true;
      this.#clock.go();
    }
  }

  goTo(index: number): void {
    this.pause();
    this.#go(index);
  }

  #go(index: number): void {
    const frame = this.frames[index];
    if (!frame || index === this.at) return;
    this.at = index;
    this.#screen.show(frame, false);
    this.#screen.moved();
  }
}
