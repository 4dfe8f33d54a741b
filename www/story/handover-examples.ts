import type { Example as FlowExample } from "../flow/examples.js";
import type { Example as GraphExample } from "../graph/examples.js";
import { formatJson } from "../page/format-json.js";
import type { Example as SurfaceExample } from "../surface/examples/example.js";
import { handedId } from "../work/handover.js";
import { barComponent } from "./bar-component.js";
import { components } from "./components.js";
import { flightsGraph, flightsTitle } from "./flights-data.js";
import { workflowText } from "./workflow.js";

const exampleHead = { id: handedId, title: "From the story" };
const flightsExampleGraph = { json: flightsGraph, title: flightsTitle };
const answerOptions = { components: { Bar: barComponent }, className: "answer" };

/** The `updateComponents` message of the answer page. */
export const answerPageMessage = formatJson({
  updateComponents: { surfaceId: "main", components: [...components] },
});

/** Parts of the handed-over examples that are the same for each question. */
export const handoverBases: { graph: GraphExample; flow: FlowExample; surface: SurfaceExample } = {
  graph: { ...exampleHead, note: "A plan of the story.", plan: "", graph: flightsExampleGraph },
  flow: {
    ...exampleHead,
    ...answerOptions,
    note: "The workflow of the story.",
    text: workflowText,
    inputs: {},
    surface: answerPageMessage,
    graph: flightsExampleGraph,
  },
  surface: { ...exampleHead, ...answerOptions, steps: [], atEnd: true },
};
