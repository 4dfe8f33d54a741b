// Rows as alien-signals, one per field, with an effect for each rendered field.
import { effect, signal } from "alien-signals";
import { FIELDS } from "../data/rows.mjs";

export class SignalRows {
  #rows = new Map();
  #ready = false;

  constructor(document, ids, watcher) {
    for (const id of ids) {
      const signals = FIELDS.map((field) => signal(document[id][field]));
      this.#rows.set(id, signals);
      signals.forEach((value, at) => {
        effect(() => {
          const now = value();
          if (this.#ready) watcher.set(id, at, now);
        });
      });
    }
    this.#ready = true;
  }

  apply(message) {
    const update = JSON.parse(message);
    for (const id in update) {
      const signals = this.#rows.get(id);
      for (let at = 0; at < FIELDS.length; at++) signals[at](update[id][FIELDS[at]]);
    }
  }
}
