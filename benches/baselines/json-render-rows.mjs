// Rows in the state store of @json-render/core, as a list with a map of indices. Its listeners
// receive no changes, so one listener compares rows by reference, then the fields of changed rows.
import { createStateStore } from "@json-render/core";
import { FIELDS } from "../data/rows.mjs";

export class JsonRenderRows {
  #store;
  #places;

  constructor(document, ids, watcher) {
    this.#places = new Map(ids.map((id, at) => [id, at]));
    let before = ids.map((id) => document[id]);
    this.#store = createStateStore({ rows: before });
    this.#store.subscribe(() => {
      const { rows } = this.#store.getSnapshot();
      for (let at = 0; at < rows.length; at++) {
        if (rows[at] !== before[at]) tell(ids[at], before[at], rows[at], watcher);
      }
      before = rows;
    });
  }

  apply(message) {
    const update = JSON.parse(message);
    const paths = {};
    for (const id in update) paths[`/rows/${this.#places.get(id)}`] = update[id];
    this.#store.update(paths);
  }
}

function tell(id, before, now, watcher) {
  for (let at = 0; at < FIELDS.length; at++) {
    const field = FIELDS[at];
    if (now[field] !== before[field]) watcher.set(id, at, now[field]);
  }
}
