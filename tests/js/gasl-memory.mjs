// Setup of tests with stored sessions.

import { Graph } from "byname";

/** Graph of two nodes. */
export const graph = () =>
  Graph.fromNodeLink({
    nodes: [
      { id: "a", t: "x" },
      { id: "b", t: "y" },
    ],
    links: [],
  });

/** Backend in memory, which stores states as text, as a file would. */
export function memory() {
  const stored = { text: null, rev: 0, saves: [], failing: false };
  return {
    stored,
    async load() {
      return stored.text === null
        ? null
        : { state: JSON.parse(stored.text), rev: String(stored.rev) };
    },
    async save(state, { expectedRev }) {
      if (stored.failing) throw new Error("disk full");
      if (expectedRev !== (stored.text === null ? null : String(stored.rev)))
        throw new Error("another session stored");
      stored.text = JSON.stringify(state);
      stored.rev += 1;
      stored.saves.push(state.history.length);
      return { rev: String(stored.rev) };
    },
  };
}

/** Returns a plan of these commands. */
export const plan = (...commands) => ({ plan_id: "p", why: "w", commands });
