import type { Json } from "byname";
import type { MountOptions } from "byname/dom";
import { formatJson } from "../page/format-json.js";
import {
  aggregation,
  batch,
  branches,
  caching,
  composition,
  fetching,
  loop,
} from "./example-workflows.js";
import { modelReplies, modelSurface, modelWorkflow } from "./model-example.js";

export interface Example {
  id: string;
  title: string;
  note: string;
  /** Workflow as JSON text. */
  text: string;
  inputs: { [name: string]: Json };
  /** `updateComponents` message of the surface that its nodes update. */
  surface?: string;
  /** Custom components of that surface. */
  components?: NonNullable<MountOptions["components"]>;
  /** CSS class of the surface. */
  look?: string;
  /** Graph of its plans; the coast if missing. */
  graph?: { json: () => Json; title: string };
  /** Replies of the scripted model by node. */
  replies?: { [node: string]: Json };
}

const mistakes = `{
  "inputs": {
    "station": { "default": "harbour" }
  },
  "nodes": [
    {
      "id": "here",
      "type": "wether",
      "params": { "station": "$station" }
    },
    {
      "id": "there",
      "type": "weather",
      "params": { "station": "hill" },
      "retires": { "max_attempts": 2 }
    },
    {
      "id": "there",
      "type": "text",
      "params": {
        "template": "$here_temprature °C here, $there_temperature °C there"
      }
    }
  ],
  "edges": [
    { "from": "here", "to": "ther" }
  ],
  "outputs": {
    "report": { "source": "$text" }
  }
}
`;

/** Examples in the order of the menu. The first one runs when the workbench opens. */
export const examples: readonly [Example, ...Example[]] = [
  {
    id: "weather",
    title: "Three sources, one key",
    note: "Three nodes of one type write the same keys. Each key gets the name of its node, and nobody had to map anything.",
    text: formatJson(aggregation),
    inputs: {},
  },
  {
    id: "fetch",
    title: "Fetch, pick, compare",
    note: "Two files of this page are fetched side by side, a value is taken from each, and the warmer place wins.",
    text: formatJson(fetching),
    inputs: {},
  },
  {
    id: "cache",
    title: "A pipeline with a cache",
    note: "`process-cache` reads the key that it writes, so it keeps it. The other writer is renamed, and the read follows.",
    text: formatJson(caching),
    inputs: { station: "island" },
  },
  {
    id: "composition",
    title: "Two workflows in one",
    note: "Both write `result` and `metrics`. `archive` reads `metrics`, and still gets those that were written last.",
    text: formatJson(composition),
    inputs: { document: "Gauges and archives agree about the flood of that winter" },
  },
  {
    id: "loop",
    title: "A loop, and a retry",
    note: "Parts are sent one after another. The line breaks twice at the second part; the node tries again.",
    text: formatJson(loop),
    inputs: { parts: 3 },
  },
  {
    id: "branches",
    title: "Branches that meet",
    note: "Whichever way is taken writes `text`. The read after it takes whatever came, so both write the plain name besides.",
    text: formatJson(branches),
    inputs: { language: "de" },
  },
  {
    id: "batch",
    title: "One node, many items",
    note: "`read` runs once for each station, and each output becomes a list. Let two calls run at once.",
    text: formatJson(batch),
    inputs: { stations: ["harbour", "island", "hill"] },
  },
  {
    id: "model",
    title: "A model, a graph and a surface",
    note: "A scripted model writes a GASL plan, the plan runs over a graph, and what it finds goes to the surface below.",
    text: formatJson(modelWorkflow),
    inputs: { question: "Which papers on floods are cited most?" },
    surface: modelSurface,
    replies: modelReplies,
  },
  {
    id: "mistakes",
    title: "Mistakes and their repair",
    note: "A workflow as models do write it. Press the repairs below until it runs.",
    text: mistakes,
    inputs: {},
  },
];
