// All works, in the order of the table.
import graph from "./graph.mjs";
import ingest from "./ingest.mjs";
import lists from "./lists.mjs";
import stream from "./stream.mjs";
import updates from "./updates.mjs";

export const works = [...ingest, ...updates, ...lists, ...stream, ...graph];
