// Rows as immutable immer state, whose patches list exact changes. The state is a list with a map
// of indices, because immer copies containers of a change and lists are copied fastest.
import { enablePatches, produceWithPatches } from "immer";
import { FIELDS } from "../data/rows.mjs";

enablePatches();
const columns = new Map(FIELDS.map((field, at) => [field, at]));

export class ImmerRows {
  #ids;
  #places;
  #rows;
  #watcher;

  constructor(document, ids, watcher) {
    this.#ids = ids;
    this.#places = new Map(ids.map((id, at) => [id, at]));
    this.#rows = ids.map((id) => document[id]);
    this.#watcher = watcher;
  }

  apply(message) {
    const update = JSON.parse(message);
    const [next, patches] = produceWithPatches(this.#rows, (draft) => {
      for (const id in update) Object.assign(draft[this.#places.get(id)], update[id]);
    });
    this.#rows = next;
    for (const { path, value } of patches) {
      this.#watcher.set(this.#ids[path[0]], columns.get(path[1]), value);
    }
  }
}
