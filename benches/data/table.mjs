// Rows of the table of js-framework-benchmark, and its nine operations on them.
import { seeded } from "./seeded.mjs";

const words = {
  adjective: "pretty large big small tall short long handsome plain quaint clean elegant".split(
    " ",
  ),
  colour: "red yellow blue green pink brown purple white black orange".split(" "),
  noun: "table chair house desk car pony cookie sandwich burger pizza mouse keyboard".split(" "),
};

/** Returns rows with adjacent ids. */
export function tableRows(count, firstId) {
  const below = seeded(firstId);
  const word = (kind) => words[kind][below(words[kind].length)];
  return Array.from({ length: count }, (_, at) => ({
    id: firstId + at,
    label: `${word("adjective")} ${word("colour")} ${word("noun")}`,
  }));
}

/**
 * Operations in the order of js-framework-benchmark: the number of rows before, and the change. A
 * change is `{ kind, rows }` for rows that arrive, or names the rows that change.
 */
export const operations = {
  create: { title: "create 1,000", before: 0, change: () => replaceBy(1000) },
  replace: { title: "replace all 1,000", before: 1000, change: () => replaceBy(1000) },
  update: { title: "update every 10th of 1,000", before: 1000, change: updateEveryTenth },
  select: { title: "select one", before: 1000, change: ([first, next]) => select(first, next) },
  swap: { title: "swap two", before: 1000, change: (rows) => ({ kind: "swap", ...ends(rows) }) },
  remove: {
    title: "remove one",
    before: 1000,
    change: (rows) => ({ kind: "remove", id: rows[4].id }),
  },
  create10: { title: "create 10,000", before: 0, change: () => replaceBy(10_000) },
  append: { title: "append 1,000 to 10,000", before: 10_000, change: appendRows },
  clear: { title: "clear 1,000", before: 1000, change: (rows) => ({ kind: "clear", rows }) },
};

/** First id of rows that arrive in an operation. */
const NEW_ID = 20_001;

function replaceBy(count) {
  return { kind: "replace", rows: tableRows(count, NEW_ID) };
}

function appendRows() {
  return { kind: "append", rows: tableRows(1000, NEW_ID) };
}

function updateEveryTenth(rows) {
  const changed = rows.filter((_, at) => at % 10 === 0);
  return { kind: "update", rows: changed.map(({ id, label }) => ({ id, label: `${label} !!!` })) };
}

function select(before, now) {
  return { kind: "select", before: before.id, id: now.id };
}

function ends(rows) {
  return {
    first: rows[1].id,
    afterFirst: rows[2].id,
    last: rows.at(-2).id,
    afterLast: rows.at(-1).id,
  };
}

/** Returns the rows as they must be displayed after a change. */
export function rowsAfter(rows, change) {
  const at = (id) => rows.findIndex((row) => row.id === id);
  switch (change.kind) {
    case "replace":
      return change.rows;
    case "append":
      return [...rows, ...change.rows];
    case "update": {
      const changed = new Map(change.rows.map((row) => [row.id, row]));
      return rows.map((row) => changed.get(row.id) ?? row);
    }
    case "swap": {
      const [first, last] = [at(change.first), at(change.last)];
      return rows.with(first, rows[last]).with(last, rows[first]);
    }
    case "remove":
      return rows.toSpliced(at(change.id), 1);
    case "clear":
      return [];
    default:
      return rows;
  }
}
