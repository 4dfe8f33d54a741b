// Listener of a bound list. It only counts during a measurement, and records changes to compare
// results.
import { FIELDS } from "./data/rows.mjs";

/** Counter of row changes, and their recorder if `recording` is set. */
export class Watcher {
  counts = { set: 0, mount: 0, unmount: 0, move: 0 };
  last;
  #recorded;

  constructor(recording) {
    this.#recorded = recording ? { set: [], rows: new Map(), order: [] } : null;
  }

  /** Sets the initial rows. */
  start(ids) {
    if (this.#recorded) this.#recorded.order = [...ids];
  }

  set(id, field, value) {
    this.counts.set++;
    this.last = value;
    this.#recorded?.set.push([id, FIELDS[field], value]);
  }

  mount(id, before, values) {
    this.counts.mount++;
    this.last = values;
    if (!this.#recorded) return;
    this.#place(id, before);
    this.#recorded.rows.set(id, values);
  }

  unmount(id) {
    this.counts.unmount++;
    if (this.#recorded) this.#recorded.order.splice(this.#recorded.order.indexOf(id), 1);
  }

  move(id, before) {
    this.counts.move++;
    if (!this.#recorded) return;
    this.#recorded.order.splice(this.#recorded.order.indexOf(id), 1);
    this.#place(id, before);
  }

  /** Returns the recorded changes in a comparable form; `name` converts a row key to an id. */
  answer(name = (id) => id) {
    const { order } = this.#recorded;
    const set = this.#recorded.set.map(([id, ...rest]) => String([name(id), ...rest]));
    const rows = [...this.#recorded.rows].map(([id, values]) => [name(id), values]);
    return { counts: this.counts, set: set.sort(), rows: rows.sort(), order: order.map(name) };
  }

  #place(id, before) {
    const { order } = this.#recorded;
    order.splice(before === null ? order.length : order.indexOf(before), 0, id);
  }
}
