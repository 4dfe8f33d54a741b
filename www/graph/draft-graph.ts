import { Graph, type Json } from "byname";
import { textPart, type WorkbenchState } from "../work/saved-work.js";
import { GraphModel } from "./graph-model.js";
import { pageSource } from "./graph-source.js";

/** Returns the parts of a draft or link with a graph of the user. */
export function draftParts({ text, name, format }: GraphModel): WorkbenchState["parts"] {
  // A graph in a worker or a database is not part of it.
  return { ...(text !== null && { graph: text }), name, format };
}

/** Reason why a graph of the user is not shown, as a title and a note. */
export interface MissingGraph {
  status: [title: string, words: string];
  /** Whether the rest of the draft is not restored either. */
  isMissing: boolean;
}

/** Returns the graph of the user in a draft or link; null if there is none. */
export function draftGraph(saved: WorkbenchState): GraphModel | MissingGraph | null {
  const name = textPart(saved, "name");
  const text = textPart(saved, "graph");
  if (text === null) {
    if (name === null) return null;
    const words = `The graph \`${name}\` is not part of a draft or link. Open a saved session, or open the graph again.`;
    return { status: ["Not restored", words], isMissing: true };
  }
  try {
    const source = pageSource(Graph.fromJSON(JSON.parse(text) as Json));
    return new GraphModel(source, name ?? "Your file", textPart(saved, "format") ?? "");
  } catch {
    const words = "The saved graph cannot be read. Showing the example's graph.";
    return { status: ["Damaged", words], isMissing: false };
  }
}
