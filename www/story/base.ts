import type { Example as FlowExample } from "../flow/examples.js";
import type { Example as GraphExample } from "../graph/examples.js";
import type { Example as SurfaceExample } from "../surface/examples/example.js";
import { written } from "../written.js";
import { bar } from "./bar.js";
import { components } from "./components.js";
import { flights, title } from "./data.js";
import { workflowText } from "./workflow.js";

export interface Examples {
  graph: GraphExample;
  flow: FlowExample;
  surface: SurfaceExample;
}

/** The address of what the story hands over: `#graph/story`. */
export const handedId = "story";

const head = { id: handedId, title: "From the story" };
const graph = { json: flights, title };
const shown = { components: { Bar: bar }, look: "answer" };

/** The components, which stay. */
export const page = written({
  updateComponents: { surfaceId: "main", components: [...components] },
});

/** What the story hands over, as far as it is the same for each question. */
export const bases: Examples = {
  graph: { ...head, note: "A plan of the story.", plan: "", graph },
  flow: {
    ...head,
    ...shown,
    note: "The workflow of the story.",
    text: workflowText,
    inputs: {},
    surface: page,
    graph,
  },
  surface: { ...head, ...shown, steps: [], atEnd: true },
};
