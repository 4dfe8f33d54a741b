// Our side of a bound list: a surface with one component for each row, told of exact changes.
import { Surface } from "byname";
import { FIELDS, LIST, rowIds } from "../data/rows.mjs";
import { Watcher } from "../watcher.mjs";

const components = [
  { id: "root", component: "List", children: { binding: { key: LIST }, template: "row" } },
  {
    id: "row",
    component: "Row",
    ...Object.fromEntries(FIELDS.map((key) => [key, { binding: { key } }])),
  },
];

const places = new Map(FIELDS.map((field, at) => [field, at]));

/** A surface that shows this document, with somebody who listens. */
export function boundSurface(text, size, recording) {
  const surface = new Surface();
  surface.receive({ createSurface: { surfaceId: "bench", components } });
  surface.store.apply(text);
  const watcher = new Watcher(recording);
  watcher.start(rowIds(size));
  surface.subscribe((changes) => {
    for (const change of changes) tell(change, watcher);
  });
  return { surface, watcher };
}

/** The side: `apply` takes a message to the store. */
export function surfaceSide(text, size, messages, apply) {
  return {
    setup: (recording) => boundSurface(text, size, recording),
    run({ surface }) {
      for (const message of messages) apply(surface.store, message);
    },
    check({ watcher }) {
      if (Object.values(watcher.counts).every((count) => count === 0))
        throw new Error("no change was told");
    },
    answer: ({ watcher }) => watcher.answer(),
    teardown: ({ surface }) => surface[Symbol.dispose](),
  };
}

function tell(change, watcher) {
  const id = rowOf(change.key);
  switch (change.kind) {
    case "set":
      return watcher.set(id, places.get(change.prop), change.value);
    case "mount":
      return watcher.mount(id, rowOf(change.before), change.instance.props);
    case "unmount":
      return watcher.unmount(id);
    case "move":
      return watcher.move(id, rowOf(change.before));
  }
}

// `root/row:row_000017` is the instance of that row.
function rowOf(key) {
  return key === null ? null : key.slice(key.lastIndexOf(":") + 1);
}
