// A small graph with similar nodes, and sessions over it.
import { GaslSession, Graph, init } from "byname";

await init();

export const graph = Graph.fromCsv({
  nodes: "id,kind,v\na,PERSON,1.1\nb,PERSON,1.10\nc,PLACE,2\nd,PLACE,2\n",
  edges: "source,target,type\na,c,LIVES\nb,c,LIVES\n",
});

export const session = (options = {}) => new GaslSession({ graph, ...options });

export const plan = (...commands) => ({ plan_id: "p", why: "", commands });

/** Returns a state of type LIST with these rows. */
export const listOf = (items) => ({ _meta: { type: "LIST", description: null }, items });
