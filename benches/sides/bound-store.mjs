// byname store without a surface: one listener for each field of each row.
import { HamStore } from "byname";
import { FIELDS, rowIds } from "../data/rows.mjs";
import { Watcher } from "../watcher.mjs";

/** Returns the side. */
export function storeSide(text, size, messages) {
  return {
    listens: true,
    setup(recording) {
      const store = new HamStore();
      store.apply(text);
      const watcher = new Watcher(recording);
      const ids = rowIds(size);
      watcher.start(ids);
      for (const node of ids) {
        for (const [field, key] of FIELDS.entries()) {
          store.subscribe({ node, key }, ({ value }) => watcher.set(node, field, value));
        }
      }
      return { store, watcher };
    },
    run({ store }) {
      for (const message of messages) store.apply(message);
    },
    answer: ({ watcher }) => watcher.answer(),
    teardown: ({ store }) => store[Symbol.dispose](),
  };
}
