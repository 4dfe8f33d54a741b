// One field of one row at a time; the renderer of the row receives each change.
import { rowDocument } from "../data/rows.mjs";
import { ADVICE, BURST, fieldUpdates, inBursts, joined } from "../data/updates.mjs";
import { peerSides } from "../sides/bound-peers.mjs";
import { storeSide } from "../sides/bound-store.mjs";
import { surfaceSide } from "../sides/bound-surface.mjs";
import { tunedSide } from "../sides/bound-tuned.mjs";

const encoder = new TextEncoder();
const apply = (store, message) => store.apply(message);

const shared = { size: 10_000, of: "rows", against: "tuned JS" };

export default [
  {
    ...shared,
    name: "updates",
    title: "1,000 one-field updates, each delivered",
    short: "a field of a tenth of the rows",
    target: { node: 1.5, chromium: 1.2 },
    instead: { "updates-bytes": ADVICE.bytes, "updates-bursts": ADVICE.joined },
    sides(size) {
      const document = JSON.stringify(rowDocument(size));
      const messages = fieldUpdates(size);
      return {
        byname: surfaceSide(document, size, messages, apply),
        "tuned JS": tunedSide(document, size, messages, apply),
        "byname, store.subscribe": storeSide(document, size, messages),
        ...peerSides(size, messages),
      };
    },
  },
  {
    ...shared,
    name: "updates-bursts",
    title: "the same in bursts of 50",
    short: "the same in bursts of 50",
    target: { node: 1.5, chromium: 1.5 },
    // A burst is 50 texts, which each side processes in its fastest way.
    sides(size) {
      const document = JSON.stringify(rowDocument(size));
      const bursts = inBursts(fieldUpdates(size), BURST);
      return {
        byname: surfaceSide(document, size, bursts, (store, burst) => store.apply(joined(burst))),
        "tuned JS": tunedSide(document, size, bursts, (store, burst) => {
          for (const message of burst) store.apply(message);
        }),
      };
    },
  },
  {
    ...shared,
    name: "updates-bytes",
    title: "the same as bytes",
    short: "the same as bytes",
    target: { node: 1.5, chromium: 1.5 },
    sides(size) {
      const document = JSON.stringify(rowDocument(size));
      const messages = fieldUpdates(size).map((message) => encoder.encode(message));
      return {
        byname: surfaceSide(document, size, messages, apply),
        "tuned JS": tunedSide(document, size, messages, apply),
      };
    },
  },
];
