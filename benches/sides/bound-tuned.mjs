// Side of a bound list with the tuned store.

import { TunedStore } from "../baselines/tuned/store.mjs";
import { FIELDS, LIST, rowIds } from "../data/rows.mjs";
import { Watcher } from "../watcher.mjs";

/** Returns the side; `apply` passes a message to the store. */
export function tunedSide(text, size, messages, apply) {
  return {
    listens: true,
    setup(recording) {
      const store = new TunedStore();
      store.apply(text);
      const watcher = new Watcher(recording);
      watcher.start(rowIds(size));
      store.bind(LIST, FIELDS, watcher);
      return { store, watcher };
    },
    run({ store }) {
      for (const message of messages) apply(store, message);
    },
    answer: ({ watcher }) => watcher.answer(),
  };
}
