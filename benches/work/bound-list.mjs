// A bound list of 10,000 rows as a renderer sees it, against the node layer of A2UI's own package.
import { FIELDS, LIST, row, rowDocument, rowIds } from "../data/rows.mjs";
import { seeded } from "../data/seeded.mjs";
import { boundList, shownRows } from "../opponents/a2ui-list.mjs";
import { boundSurface } from "../sides/bound-surface.mjs";

/** So many edits of ours take long enough to be measured. */
const REPEAT = 100;

const shared = { size: 10_000, of: "rows", against: "@a2ui/web_core" };

/** Both lists, made once: the second takes seconds to be there. */
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

const shownByUs = ({ surface }) =>
  surface.tree().children.map(({ props }) => FIELDS.map((field) => props[field]));

// The n-th insert puts the n-th new row at the front. To us it comes as text, as an agent sends it; to
// them as the list itself, which spares them the reading.
function inserting(size) {
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
          answer: shownByUs,
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
      const { ours, theirs, insertOurs, insertTheirs } = inserting(size);
      return {
        byname: { setup: ours, repeat: REPEAT, run: insertOurs, answer: shownByUs },
        "@a2ui/web_core": { setup: theirs, run: insertTheirs, answer: shownRows },
      };
    },
  },
  {
    ...shared,
    name: "bound-calls",
    title: "a bound list of 10,000: changes told for one insert",
    unit: "calls",
    rounds: 1,
    growth: false,
    sides(size) {
      const { ours, theirs, insertOurs, insertTheirs } = inserting(size);
      return {
        byname: {
          tells: true,
          setup: ours,
          run(state) {
            const before = told(state);
            insertOurs(state);
            return { figure: told(state) - before };
          },
        },
        "@a2ui/web_core": {
          tells: true,
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

function told({ watcher: { counts } }) {
  return counts.set + counts.mount + counts.unmount + counts.move;
}
