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
  const kept = { text: null, rev: 0, saves: [], failing: false };
  return {
    kept,
    async load() {
      return kept.text === null ? null : { state: JSON.parse(kept.text), rev: String(kept.rev) };
    },
    async save(state, { expectedRev }) {
      if (kept.failing) throw new Error("disk full");
      if (expectedRev !== (kept.text === null ? null : String(kept.rev)))
        throw new Error("another session stored");
      kept.text = JSON.stringify(state);
      kept.rev += 1;
      kept.saves.push(state.history.length);
      return { rev: String(kept.rev) };
    },
  };
}

/** Returns a plan of these commands. */
export const plan = (...commands) => ({ plan_id: "p", why: "w", commands });
