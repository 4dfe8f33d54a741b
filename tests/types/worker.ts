// Type test of byname/worker: compiled, never run.
import { type Flow, type GaslSession, Graph } from "byname";
import { indexedDbStorage } from "byname/storage";
import {
  openWorker,
  type RemoteApi,
  type RemoteFlow,
  type RemoteGaslSession,
  type RemoteGraph,
  WorkerError,
} from "byname/worker";

/** Members of a class with promises in place of results. */
type Asynchronous<T> = {
  [K in keyof T as K extends symbol ? never : K]: T[K] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Awaited<R>>
    : T[K] | Promise<T[K]>;
};

// The objects of a worker have all methods of those of a page.
declare const session: RemoteGaslSession;
declare const graph: RemoteGraph;
declare const flow: RemoteFlow;
export const sessionMembers: Omit<Asynchronous<GaslSession>, "fork" | "graph"> = session;
export const graphMembers: Asynchronous<Graph> = graph;
export const flowMembers: Omit<Asynchronous<Flow>, "begin" | "reveal"> = flow;

const remote: RemoteApi = await openWorker({ wasm: new URL("byname.wasm", "https://a.example") });
const loaded = await remote.Graph.fromCsv({ edges: new Uint8Array() });
const opened = new remote.GaslSession({ graph: loaded, backend: indexedDbStorage("work") });
export const rows = await opened.variable("found", { offset: 10, limit: 5 });
export const state = (await opened.state) satisfies unknown;
export const forked: RemoteGaslSession = await opened.fork();
export const reasonOf = (error: unknown): string =>
  error instanceof WorkerError ? error.reason : "";
// @ts-expect-error A graph of the page is not in the worker.
new remote.GaslSession({ graph: Graph.from("a b") });
// @ts-expect-error Properties are values.
loaded.nodeCount();
const compiled = await remote.compileFlow({ nodes: [] }, {});
// @ts-expect-error An invalid workflow has no flow.
compiled.flow.run({ nodes: {} });
// @ts-expect-error Options have no such name.
await openWorker({ module: 1 });
export const disposables: Disposable[] = [remote, loaded, opened];
