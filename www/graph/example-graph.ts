import { Graph } from "byname";
import { withHanded } from "../work/handover.js";
import { coastGraph, coastTitle } from "./coast-data.js";
import { type Example, examples } from "./examples.js";
import { GraphModel } from "./graph-model.js";
import { pageSource } from "./graph-source.js";

/** Returns the example with an id, or `undefined`. */
export const findExample = (id: string): Example | undefined =>
  withHanded("graph", examples).find((one) => one.id === id);

/** Returns the title of the graph of an example. */
export const graphTitle = ({ graph }: Example): string => graph?.title ?? coastTitle;

export function exampleGraph(example: Example): GraphModel {
  const json = example.graph?.json ?? coastGraph;
  return new GraphModel(pageSource(Graph.fromNodeLink(json())), graphTitle(example));
}
