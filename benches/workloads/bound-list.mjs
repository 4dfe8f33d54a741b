// Bound list of 10,000 rows as a renderer uses it, compared with the node layer of the A2UI
// package.

import { boundList, shownRows } from "../baselines/a2ui-list.mjs";
import { FIELDS, LIST, row, rowDocument, rowIds } from "../data/rows.mjs";
import { seeded } from "../data/seeded.mjs";
import { boundSurface } from "../sides/bound-surface.mjs";

/** Repetitions per run, because one edit of byname is too short to measure. */
const REPEAT = 100;

const shared = { size: 10_000, of: "rows", against: "@a2ui/web_core" };

/** Returns both lists, created on first use because the A2UI list takes seconds. */
function lists(size) {
  const document = rowDocument(size);
  const ids = rowIds(size);
  let ours;
  let theirs;
  return {
    ids,
    document,
    ours() {
      ours ??= boundSurface(JSON.stringify(document), size, false);
      return ours;
    },
    theirs() {
      theirs ??= boundList(ids.map((id) => ({ ...document[id] })));
      return theirs;
    },
  };
}

const bynameRows = ({ surface }) =>
  surface.tree().children.map(({ props }) => FIELDS.map((field) => props[field]));

// The n-th insert adds the n-th new row at the front. byname receives text, as agents send it; A2UI
// receives the list itself, without parsing.
function insertSides(size) {
  const { ids, document, ours, theirs } = lists(size);
  const fresh = (nth) => row(seeded(100 + nth));
  const counts = { ours: 0, theirs: 0 };
  const rows = ids.map((id) => document[id]);
  return {
    ours,
    theirs,
    insertOurs({ surface }) {
      const nth = counts.ours++;
      const before = nth === 0 ? ids[0] : `new_${nth - 1}`;
      const edit = `{"items":["*new_${nth}"],"before":"*${before}"}`;
      surface.store.apply(`{"new_${nth}":${JSON.stringify(fresh(nth))},"+${LIST}":${edit}}`);
    },
    insertTheirs({ surface }) {
      rows.unshift(fresh(counts.theirs++));
      surface.dataModel.set(`/${LIST}`, rows.slice());
    },
  };
}

export default [
  {
    ...shared,
    name: "bound-field",
    title: "a bound list of 10,000: one field",
    short: "bound list: one field",
    target: { node: 1000, chromium: 1000 },
    sides(size) {
      const { ids, document, ours, theirs } = lists(size);
      const at = size / 2;
      const counts = { ours: 0, theirs: 0 };
      return {
        byname: {
          setup: ours,
          repeat: REPEAT,
          run: ({ surface }) =>
            surface.store.apply(
              `{"${ids[at]}":${JSON.stringify({ ...document[ids[at]], name: `Name ${counts.ours++}` })}}`,
            ),
          answer: bynameRows,
        },
        "@a2ui/web_core": {
          setup: theirs,
          run: ({ surface }) =>
            surface.dataModel.set(`/${LIST}/${at}/name`, `Name ${counts.theirs++}`),
          answer: shownRows,
        },
      };
    },
  },
  {
    ...shared,
    name: "bound-insert",
    title: "a bound list of 10,000: one insert",
    short: "bound list: one insert",
    target: { node: 1000, chromium: 1000 },
    sides(size) {
      const { ours, theirs, insertOurs, insertTheirs } = insertSides(size);
      return {
        byname: { setup: ours, repeat: REPEAT, run: insertOurs, answer: bynameRows },
        "@a2ui/web_core": { setup: theirs, run: insertTheirs, answer: shownRows },
      };
    },
  },
  {
    ...shared,
    name: "bound-calls",
    title: "a bound list of 10,000: notifications for one insert",
    unit: "calls",
    rounds: 1,
    growth: false,
    sides(size) {
      const { ours, theirs, insertOurs, insertTheirs } = insertSides(size);
      return {
        byname: {
          selfTimed: true,
          setup: ours,
          run(state) {
            const before = notificationCount(state);
            insertOurs(state);
            return { figure: notificationCount(state) - before };
          },
        },
        "@a2ui/web_core": {
          selfTimed: true,
          setup: theirs,
          run(state) {
            const before = state.calls;
            insertTheirs(state);
            return { figure: state.calls - before };
          },
        },
      };
    },
  },
];

function notificationCount({ watcher: { counts } }) {
  return counts.set + counts.mount + counts.unmount + counts.move;
}
