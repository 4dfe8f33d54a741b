import {
  GaslSession,
  type GaslSessionOptions,
  type Graph,
  type GraphSummary,
  type Json,
} from "byname";
import type { RemoteGaslSession } from "byname/worker";

/** Session in this page or in a worker. */
export type Session = GaslSession | RemoteGaslSession;

export type SessionOptions = Omit<GaslSessionOptions, "graph">;

/** Graph in this page, in a worker or in a database. */
export interface GraphSource {
  readonly kind: "page" | "worker" | "database";
  readonly summary: GraphSummary;
  /** Lines of a program that define `graph`; null if the program contains the graph. */
  readonly code: readonly string[] | null;
  newSession(options: SessionOptions): Session;
  /** Returns the complete graph, which must be small. */
  toJSON(): Json | Promise<Json>;
  /** Ends the worker or the connection. */
  close(): void;
}

/** Returns the source of a graph in this page. */
export function pageSource(graph: Graph): GraphSource {
  return {
    kind: "page",
    summary: graph.summary(),
    code: null,
    newSession: (options) => new GaslSession({ ...options, graph }),
    toJSON: () => graph.toJSON(),
    close: () => {},
  };
}
