// The order of a long list changes; the renderer receives the fewest moves.
import { LIST, rowDocument } from "../data/rows.mjs";
import { arrivals, listEdits, shuffles } from "../data/updates.mjs";
import { surfaceSide } from "../sides/bound-surface.mjs";
import { tunedSide } from "../sides/bound-tuned.mjs";

const apply = (store, message) => store.apply(message);

function sides(size, messages) {
  const document = JSON.stringify(rowDocument(size));
  return {
    byname: surfaceSide(document, size, messages, apply),
    "tuned JS": tunedSide(document, size, messages, apply),
  };
}

const shared = { size: 10_000, of: "rows", against: "tuned JS" };

export default [
  {
    ...shared,
    name: "list-edits",
    title: "20 inserts at the front, 20 deletes in the middle of 10,000",
    short: "20 inserts, 20 deletes in a list",
    target: { node: 6, chromium: 1.5 },
    sides: (size) => sides(size, listEdits(size)),
  },
  {
    ...shared,
    name: "shuffle",
    title: "full shuffle of 10,000, ten times",
    short: "full shuffle, ten times",
    target: { node: 3, chromium: 2 },
    sides: (size) => sides(size, shuffles(size)),
  },
  {
    ...shared,
    name: "arrivals",
    title: "10,000 rows one by one, after the list that references them",
    short: "rows one by one after their list",
    sides(size) {
      const { root, [LIST]: list } = rowDocument(size);
      const document = JSON.stringify({ root, [LIST]: list });
      const messages = arrivals(size);
      return {
        byname: surfaceSide(document, 0, messages, apply),
        "tuned JS": tunedSide(document, 0, messages, apply),
      };
    },
  },
];
