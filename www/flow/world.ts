import { GaslSession, Graph, type Json } from "byname";
import type { LlmRequest, LlmResult } from "byname/llm";
import { coast } from "../graph/data.js";
import { modelOf } from "../graph/model.js";
import { Session } from "../surface/session.js";
import type { Stage } from "../surface/stage.js";
import type { Example } from "./examples.js";
import type { World } from "./nodes.js";

let graph: Graph | null = null;

/** What the nodes of one run work on: a model, a graph with a session of its own, and a surface that is shown. */
export function worldOf(example: Example, stage: Stage): World {
  graph ??= Graph.fromNodeLink(coast());
  const session = new Session(
    {
      before: () => stage.before(),
      changed: (changes) => {
        stage.changed(changes);
        stage.after();
      },
      after: () => stage.after(),
      action: () => {},
    },
    false,
  );
  if (example.surface !== undefined) session.send(example.surface);
  stage.show(session);
  const { callback } = modelOf({ script: { process: scriptOf(example) } });
  return { llm: callback, store: session.store, session: new GaslSession({ graph }) };
}

/** What the example says for each node that asks; a node of somebody's own gets an answer that says so. */
function scriptOf(example: Example): (request: LlmRequest) => LlmResult {
  return ({ id, prompt, schema }) => {
    const said: Json | undefined = example.replies?.[id];
    if (said !== undefined) return typeof said === "string" ? said : { json: said };
    const words = `The scripted model has no answer for the node ${id}. It was asked: ${prompt}`;
    return schema === undefined ? words : { json: { answer: words } };
  };
}
