// byname side of a bound list: a surface with one component for each row and exact changes.
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

const fieldIndices = new Map(FIELDS.map((field, at) => [field, at]));

/** Returns a surface of a document, with a listener. */
export function boundSurface(text, size, recording) {
  const surface = new Surface({ store: new HamStore({ extensions: { listEdits: true } }) });
  surface.receive({ createSurface: { surfaceId: "bench", components } });
  surface.store.apply(text);
  const watcher = new Watcher(recording);
  watcher.start(rowIds(size).map(keyOf));
  surface.subscribe((changes) => {
    for (const change of changes) record(change, watcher);
  });
  return { surface, watcher };
}

/** Frees a surface and its store. */
export function dispose({ surface }) {
  surface[Symbol.dispose]();
  surface.store[Symbol.dispose]();
}

/** Returns the side; `apply` passes a message to the store. */
export function surfaceSide(text, size, messages, apply) {
  return {
    listens: true,
    setup: (recording) => boundSurface(text, size, recording),
    run({ surface }) {
      for (const message of messages) apply(surface.store, message);
    },
    check({ watcher }) {
      if (Object.values(watcher.counts).every((count) => count === 0))
        throw new Error("no change was delivered");
    },
    answer: ({ watcher }) => watcher.answer(rowOf),
    teardown: dispose,
  };
}

// Rows are identified by instance keys, as in a renderer.
function record(change, watcher) {
  switch (change.kind) {
    case "set":
      return watcher.set(change.key, fieldIndices.get(change.prop), change.value);
    case "mount":
      return watcher.mount(change.key, change.before, change.instance.props);
    case "unmount":
      return watcher.unmount(change.key);
    case "move":
      return watcher.move(change.key, change.before);
  }
}

// Conversion between row ids and instance keys.
const keyOf = (id) => `root/row:${id}`;
const rowOf = (key) => key.slice(key.lastIndexOf(":") + 1);
