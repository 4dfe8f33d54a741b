// State packages as sides of a bound list: fields only, because none has lists by id.

import { ImmerRows } from "../baselines/immer-rows.mjs";
import { JsonRenderRows } from "../baselines/json-render-rows.mjs";
import { SignalRows } from "../baselines/signal-rows.mjs";
import { rowDocument, rowIds } from "../data/rows.mjs";
import { Watcher } from "../watcher.mjs";

const makers = {
  immer: (document, ids, watcher) => new ImmerRows(document, ids, watcher),
  "alien-signals": (document, ids, watcher) => new SignalRows(document, ids, watcher),
  "@json-render/core": (document, ids, watcher) => new JsonRenderRows(document, ids, watcher),
};

/** Returns one side for each package. */
export function peerSides(size, messages) {
  const ids = rowIds(size);
  const sides = Object.entries(makers).map(([name, make]) => [
    name,
    {
      listens: true,
      setup(recording) {
        const watcher = new Watcher(recording);
        watcher.start(ids);
        return { rows: make(rowDocument(size), ids, watcher), watcher };
      },
      run({ rows }) {
        for (const message of messages) rows.apply(message);
      },
      answer: ({ watcher }) => watcher.answer(),
    },
  ]);
  return Object.fromEntries(sides);
}
