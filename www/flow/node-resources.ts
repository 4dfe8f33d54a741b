import { GaslSession, Graph, type Json } from "byname";
import type { LlmRequest, LlmResult } from "byname/llm";
import { coastGraph } from "../graph/coast-data.js";
import { exampleModel } from "../graph/example-model.js";
import { Session } from "../surface/session.js";
import type { SurfaceView } from "../surface/surface-view.js";
import type { Example } from "./examples.js";
import { type NodeKinds, nodeKinds } from "./findings.js";
import type { NodeResources } from "./node-callbacks.js";

/** Graph of the last run; reused, because it is immutable. */
let cachedGraph: { of: () => Json; graph: Graph; kinds: NodeKinds } | null = null;

/** Creates the model, graph session and visible surface of one run. */
export function createResources(example: Example, stage: SurfaceView): NodeResources {
  const of = example.graph?.json ?? coastGraph;
  if (cachedGraph?.of !== of)
    cachedGraph = { of, graph: Graph.fromNodeLink(of()), kinds: nodeKinds(of()) };
  const session = new Session(
    {
      beforeUpdate: () => stage.beforeUpdate(),
      surfaceChanged: (changes) => {
        stage.animateChanges(changes);
        stage.afterUpdate();
      },
      afterUpdate: () => stage.afterUpdate(),
      actionTriggered: () => {},
    },
    { components: example.components },
  );
  if (example.surface !== undefined) session.send(example.surface);
  stage.show(session, example.className);
  const { callback } = exampleModel({ script: { process: scriptFor(example) } });
  const { kinds } = cachedGraph;
  return {
    llm: callback,
    store: session.store,
    session: new GaslSession({ graph: cachedGraph.graph }),
    kinds,
  };
}

/** Returns the scripted reply of each node; other nodes get a default reply. */
function scriptFor(example: Example): (request: LlmRequest) => LlmResult {
  return ({ id, prompt, schema }) => {
    const said: Json | undefined = example.replies?.[id];
    if (said !== undefined) return typeof said === "string" ? said : { json: said };
    const words = `The scripted model has no reply for the node ${id}. Prompt: ${prompt}`;
    return schema === undefined ? words : { json: { answer: words } };
  };
}
