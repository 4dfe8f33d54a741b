// Our side of a bound list: a surface with one component for each row, told of exact changes.
import { HamStore, Surface } from "byname";
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
  const surface = new Surface({ store: new HamStore({ extensions: { listEdits: true } }) });
  surface.receive({ createSurface: { surfaceId: "bench", components } });
  surface.store.apply(text);
  const watcher = new Watcher(recording);
  watcher.start(rowIds(size).map(keyOf));
  surface.subscribe((changes) => {
    for (const change of changes) tell(change, watcher);
  });
  return { surface, watcher };
}

/** Gives back the memory of a surface and of its store, which is not the surface's own. */
export function dispose({ surface }) {
  surface[Symbol.dispose]();
  surface.store[Symbol.dispose]();
}

/** The side: `apply` takes a message to the store. */
export function surfaceSide(text, size, messages, apply) {
  return {
    listens: true,
    setup: (recording) => boundSurface(text, size, recording),
    run({ surface }) {
      for (const message of messages) apply(surface.store, message);
    },
    check({ watcher }) {
      if (Object.values(watcher.counts).every((count) => count === 0))
        throw new Error("no change was told");
    },
    answer: ({ watcher }) => watcher.answer(rowOf),
    teardown: dispose,
  };
}

// Rows are known by the keys of their instances, as a renderer knows them.
function tell(change, watcher) {
  switch (change.kind) {
    case "set":
      return watcher.set(change.key, places.get(change.prop), change.value);
    case "mount":
      return watcher.mount(change.key, change.before, change.instance.props);
    case "unmount":
      return watcher.unmount(change.key);
    case "move":
      return watcher.move(change.key, change.before);
  }
}

// The instance of a row, and the row of an instance.
const keyOf = (id) => `root/row:${id}`;
const rowOf = (key) => key.slice(key.lastIndexOf(":") + 1);
