// Workloads in the order of the table.
import boundList from "./bound-list.mjs";
import flow from "./flow.mjs";
import graph from "./graph.mjs";
import ingest from "./ingest.mjs";
import javascript from "./javascript.mjs";
import lists from "./lists.mjs";
import memory from "./memory.mjs";
import stream from "./stream.mjs";
import updates from "./updates.mjs";

export const workloads = [
  ...ingest,
  ...updates,
  ...lists,
  ...stream,
  ...boundList,
  ...graph,
  ...memory,
  ...flow,
  ...javascript,
];
