// What is told of a bound list. While the clock runs it is only counted; to compare the answers of
// two sides it is kept.
import { FIELDS } from "./data/rows.mjs";

/** Counts changes of rows; keeps them too where `recording`. */
export class Watcher {
  counts = { set: 0, mount: 0, unmount: 0, move: 0 };
  last;
  #kept;

  constructor(recording) {
    this.#kept = recording ? { set: [], rows: new Map(), order: [] } : null;
  }

  /** Rows that are there from the beginning. */
  start(ids) {
    if (this.#kept) this.#kept.order = [...ids];
  }

  set(id, field, value) {
    this.counts.set++;
    this.last = value;
    this.#kept?.set.push([id, FIELDS[field], value]);
  }

  mount(id, behind, values) {
    this.counts.mount++;
    this.last = values;
    if (!this.#kept) return;
    this.#place(id, behind);
    this.#kept.rows.set(id, values);
  }

  unmount(id) {
    this.counts.unmount++;
    if (this.#kept) this.#kept.order.splice(this.#kept.order.indexOf(id), 1);
  }

  move(id, behind) {
    this.counts.move++;
    if (!this.#kept) return;
    this.#kept.order.splice(this.#kept.order.indexOf(id), 1);
    this.#place(id, behind);
  }

  /**
   * All that was told, in a form that two sides can be compared by; `name` makes an id of what a
   * row is known by.
   */
  answer(name = (id) => id) {
    const { order } = this.#kept;
    const set = this.#kept.set.map(([id, ...rest]) => String([name(id), ...rest]));
    const rows = [...this.#kept.rows].map(([id, values]) => [name(id), values]);
    return { counts: this.counts, set: set.sort(), rows: rows.sort(), order: order.map(name) };
  }

  #place(id, behind) {
    const { order } = this.#kept;
    order.splice(behind === null ? order.length : order.indexOf(behind), 0, id);
  }
}
