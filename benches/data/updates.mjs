// Messages of an agent to a document of rows, and the changes that each must cause.
import { FIELDS, LIST, pointers, row, rowDocument, rowIds } from "./rows.mjs";
import { seeded, shuffled } from "./seeded.mjs";

/** Returns a tenth as many messages as rows; each replaces one row with one changed field. */
export function fieldUpdates(size) {
  const below = seeded(7);
  const document = rowDocument(size);
  const chosen = shuffled(rowIds(size), below).slice(0, size / 10);
  return chosen.map((id, at) => {
    const field = FIELDS[at % FIELDS.length];
    const before = document[id];
    return JSON.stringify({ [id]: { ...before, [field]: changed(before[field], at) } });
  });
}

function changed(value, at) {
  if (typeof value === "string") return `${value}, number ${at}`;
  return typeof value === "number" ? value + 1 : !value;
}

/** Number of messages in a burst. */
export const BURST = 50;

/** Advice for many small messages. */
export const ADVICE = {
  bytes: "pass the bytes as received from the network",
  joined: `combine the messages of a frame, here ${BURST}`,
};

/** Returns one message that combines several of one row each. */
export function joined(messages) {
  return `{${messages.map((message) => message.slice(1, -1)).join(",")}}`;
}

/** Returns the messages in groups, as they arrive within one frame. */
export function inBursts(messages, length) {
  const bursts = [];
  for (let at = 0; at < messages.length; at += length) {
    bursts.push(messages.slice(at, at + length));
  }
  return bursts;
}

/** Returns twenty inserts at the front and twenty deletions in the middle. */
export function listEdits(size) {
  const below = seeded(8);
  let ids = rowIds(size);
  const messages = [];
  for (let at = 0; at < 20; at++) {
    const id = `new_${at}`;
    ids = [id, ...ids];
    messages.push(JSON.stringify({ [id]: row(below), [LIST]: pointers(ids) }));
  }
  for (let at = 0; at < 20; at++) {
    const [gone] = ids.splice(Math.floor(size / 2) + at * 7, 1);
    messages.push(JSON.stringify({ [`!${gone}`]: null, [LIST]: pointers(ids) }));
  }
  return messages;
}

/** Returns the rows one by one, as a model writes them after their list. */
export function arrivals(size) {
  const document = rowDocument(size);
  return rowIds(size).map((id) => JSON.stringify({ [id]: document[id] }));
}

/** Returns ten shuffles of the list. */
export function shuffles(size) {
  const below = seeded(9);
  const ids = rowIds(size);
  return Array.from({ length: 10 }, () =>
    JSON.stringify({ [LIST]: pointers(shuffled(ids, below)) }),
  );
}
