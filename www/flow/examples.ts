import type { Json } from "byname";
import type { MountOptions } from "byname/dom";
import { formatJson } from "../page/format-json.js";
import {
  aggregationWorkflow,
  approvalWorkflow,
  batchWorkflow,
  branchesWorkflow,
  cachingWorkflow,
  compositionWorkflow,
  fetchingWorkflow,
  loopWorkflow,
  nestedWorkflow,
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
  className?: string;
  /** Graph of its plans; the coast if missing. */
  graph?: { json: () => Json; title: string };
  /** Replies of the scripted model by node. */
  replies?: { [node: string]: Json };
}

const workflowWithMistakes = `{
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
    note: "Three nodes of one type write the same keys. Each key gets the name of its node, without manual mappings.",
    text: formatJson(aggregationWorkflow),
    inputs: {},
  },
  {
    id: "fetch",
    title: "Fetch, pick, compare",
    note: "Fetches two files of this page in parallel, extracts a value from each, and compares them.",
    text: formatJson(fetchingWorkflow),
    inputs: {},
  },
  {
    id: "cache",
    title: "A pipeline with a cache",
    note: "`process-cache` reads and writes one key, so it keeps the name. The other writer is renamed, and its read is rewired.",
    text: formatJson(cachingWorkflow),
    inputs: { station: "island" },
  },
  {
    id: "composition",
    title: "Two workflows in one",
    note: "Both write `result` and `metrics`. `archive` reads `metrics` and still gets the last written value.",
    text: formatJson(compositionWorkflow),
    inputs: { document: "Gauges and archives agree about the flood of that winter" },
  },
  {
    id: "loop",
    title: "A loop, and a retry",
    note: "Parts are sent one after another. The second part fails twice and is retried.",
    text: formatJson(loopWorkflow),
    inputs: { parts: 3 },
  },
  {
    id: "branches",
    title: "Branches that meet",
    note: "Each branch writes `text`. The next node reads either value, so both also write the unmapped name.",
    text: formatJson(branchesWorkflow),
    inputs: { language: "de" },
  },
  {
    id: "batch",
    title: "One node, many items",
    note: "`read` runs once for each station, and each output becomes a list. Try two parallel calls.",
    text: formatJson(batchWorkflow),
    inputs: { stations: ["harbour", "island", "hill"] },
  },
  {
    id: "approval",
    title: "Failures, and an approval",
    note: "An item of the batch fails and is null. `approve` waits for your answer. `publish` fails and follows its `error` edge.",
    text: formatJson(approvalWorkflow),
    inputs: { stations: ["harbour", "reef", "hill"] },
  },
  {
    id: "nested",
    title: "A workflow inside of a node",
    note: "The type `station-report` has its own workflow, in Types. Open it on a card; its calls are named `coast/read`.",
    text: formatJson(nestedWorkflow),
    inputs: {},
  },
  {
    id: "model",
    title: "A model, a graph and a surface",
    note: "A scripted model writes a GASL plan, the plan runs over a graph, and the surface below shows the result.",
    text: formatJson(modelWorkflow),
    inputs: { question: "Which papers on floods are cited most?" },
    surface: modelSurface,
    replies: modelReplies,
  },
  {
    id: "mistakes",
    title: "Errors and fixes",
    note: "A workflow with typical errors of models. Apply the fixes below until it runs.",
    text: workflowWithMistakes,
    inputs: {},
  },
];
