import { assertFunction, assertOptions, throwMisuse } from "../arguments.js";
import { assertSessionOptions, SESSION_OPTIONS } from "../gasl/options.js";
import type {
  GaslSessionOptions,
  GraphAdapter,
  PageOptions,
  Proposal,
  RunOptions,
  SolveOptions,
} from "../gasl/types.js";
import type {
  Diagnostic,
  ExecutionRecord,
  Json,
  Plan,
  PlanResult,
  SnapshotInfo,
  SolveResult,
} from "../types.js";
import type { Connection } from "./connection.js";
import { ArgumentEncoder } from "./encoder.js";
import type { Argument } from "./protocol.js";
import { RemoteGraph } from "./remote-graph.js";
import { plainValue, WorkerObject } from "./remote-object.js";
import { encodeGraph, encodeSessionOptions } from "./session-arguments.js";

/** Options of a session in a worker. */
export interface RemoteSessionOptions extends Omit<GaslSessionOptions, "graph"> {
  graph: RemoteGraph | GraphAdapter;
}

/** Session in a worker: the methods of `GaslSession` with promises. */
export class RemoteGaslSession extends WorkerObject {
  readonly #connection: Connection;
  /** Graph of the options. */
  readonly graph: RemoteGraph | GraphAdapter;

  /** @internal */
  constructor(
    connection: Connection,
    handle: number,
    graph: RemoteGraph | GraphAdapter,
    release: () => void = () => {},
  ) {
    super(connection, handle, "session", release);
    this.#connection = connection;
    this.graph = graph;
  }

  /** Runs one command. It may run concurrently with a plan. */
  execute(
    command: string,
    options?: { why?: string } & Omit<RunOptions, "onStep">,
  ): Promise<ExecutionRecord> {
    return this.#run("execute", command, options);
  }

  /** Runs a plan, or the text of one. */
  run(plan: Plan | string, options?: RunOptions): Promise<PlanResult> {
    return this.#run("run", plan, options);
  }

  /** Resumes the plan that was running when the state was last stored; null if there is none. */
  resume(options?: RunOptions): Promise<PlanResult | null> {
    return this.read("GaslSession.resume", (encoder) => [encodeSessionOptions(encoder, options)]);
  }

  /** Asks the model for plans and runs them, until it knows the answer. */
  solve(query: string, options?: SolveOptions): Promise<SolveResult> {
    return this.#run("solve", query, options);
  }

  /** Asks the model for all possible next plans, and runs none. */
  propose(query: string, options?: Pick<RunOptions, "signal" | "timeout">): Promise<Proposal> {
    return this.#run("propose", query, options);
  }

  /** Returns the value of a name; with options, some of its rows. */
  variable(name: string, options?: PageOptions): Promise<Json | undefined> {
    return this.read("GaslSession.variable", (encoder) => [
      encoder.encodeValue(name),
      encoder.encodeOptions(options, {}),
    ]);
  }

  /** Returns rows of a variable, also of rows that a database has not sent. */
  rows(name: string, options?: PageOptions & Pick<RunOptions, "signal">): Promise<Json[]> {
    return this.read("GaslSession.rows", (encoder) => [
      encoder.encodeValue(name),
      encoder.encodeOptions(options, { signal: (value) => encoder.encodeSignal(value) }),
    ]);
  }

  /** The complete state, as it is stored. */
  get state(): Promise<Json> {
    return this.read("GaslSession.state");
  }

  /** Returns each declared key with its type, its size and an example. */
  summary(): Promise<{ [key: string]: Json }> {
    return this.read("GaslSession.summary");
  }

  /** Returns the current snapshot. */
  snapshot(): Promise<SnapshotInfo> {
    return this.read("GaslSession.snapshot");
  }

  /** Returns the snapshots before all steps, and after each step that changed the state. */
  snapshots(): Promise<SnapshotInfo[]> {
    return this.read("GaslSession.snapshots");
  }

  /** Creates a separate session from the current state or a snapshot. It is not stored. */
  async fork(hash?: string): Promise<RemoteGaslSession> {
    const handle = this.#connection.newHandle();
    await this.call("GaslSession.fork", (encoder) => [encoder.encodeValue(hash)], [handle]);
    return new RemoteGaslSession(this.#connection, handle, this.graph);
  }

  /** Returns the data for a replay: all calls, and every reply of the model. */
  recording(): Promise<Json> {
    return this.read("GaslSession.recording");
  }

  /** Returns each finding under a key with its sources. */
  evidence(key: string): Promise<Json> {
    return this.read("GaslSession.evidence", (encoder) => [encoder.encodeValue(key)]);
  }

  #run<T>(method: string, first: unknown, options: unknown): Promise<T> {
    return this.read(`GaslSession.${method}`, (encoder) => [
      encoder.encodeValue(first),
      encodeSessionOptions(encoder, options),
    ]);
  }
}

/** The class `GaslSession` of a worker. */
export interface RemoteSessions {
  readonly prototype: RemoteGaslSession;
  /** An invalid state rejects the first call. */
  new (options: RemoteSessionOptions): RemoteGaslSession;
  check(command: string): Promise<{ ok: boolean; diagnostics: Diagnostic[] }>;
  replay(
    recording: Json,
    options: { graph: RemoteGraph | GraphAdapter; strict?: boolean },
  ): Promise<RemoteGaslSession>;
  gbnf(state?: Json): Promise<string>;
  planSchema(): Promise<Json>;
  prompt(): Promise<string>;
}

/** Returns the class of the sessions of a worker. */
export function remoteSessions(connection: Connection): RemoteSessions {
  class GaslSession extends RemoteGaslSession {
    constructor(options: RemoteSessionOptions) {
      assertOptions(options, SESSION_OPTIONS, "the options of a GaslSession");
      const { graph, llm, backend, now } = options;
      if (llm !== undefined) assertFunction(llm, "`llm`");
      if (now !== undefined) assertFunction(now, "`now`");
      if (backend !== undefined) {
        assertFunction(backend?.load, "`load` of the backend");
        assertFunction(backend.save, "`save` of the backend");
      }
      assertSessionOptions(options);
      assertSource(graph);
      // Callbacks stay connected until the session is disposed.
      const encoder = new ArgumentEncoder(connection);
      const encoded = encodeSessionOptions(encoder, options);
      const handle = connection.newHandle();
      // Later calls of the session reject with the error.
      connection
        .call({ method: "GaslSession.new", created: [handle], encode: () => [encoded] })
        .catch(() => {});
      super(connection, handle, graph, () => encoder.release());
    }
  }
  const read = async <T>(
    method: string,
    encode?: (encoder: ArgumentEncoder) => Argument[],
  ): Promise<T> =>
    plainValue(
      await connection.call({ method: `GaslSession.${method}`, ...(encode && { encode }) }),
    ) as T;
  const statics: Omit<RemoteSessions, "prototype"> = Object.assign(GaslSession, {
    check: (command: string) => read<never>("check", (encoder) => [encoder.encodeValue(command)]),
    gbnf: (state?: Json) => read<string>("gbnf", (encoder) => [encoder.encodeValue(state)]),
    planSchema: () => read<Json>("planSchema"),
    prompt: () => read<string>("prompt"),
    replay: async (
      recording: Json,
      options: { graph: RemoteGraph | GraphAdapter; strict?: boolean },
    ) => {
      const handle = connection.newHandle();
      const encoder = new ArgumentEncoder(connection);
      const encode = (): Argument[] => [
        encoder.encodeValue(recording),
        encoder.encodeOptions(options, { graph: (value) => encodeGraph(encoder, value) }),
      ];
      try {
        await connection.call({ method: "GaslSession.replay", created: [handle], encode });
      } catch (error) {
        encoder.release();
        throw error;
      }
      return new RemoteGaslSession(connection, handle, options.graph, () => encoder.release());
    },
  });
  return statics as RemoteSessions;
}

function assertSource(graph: unknown): void {
  if (graph instanceof RemoteGraph) return;
  if (typeof (graph as GraphAdapter | null | undefined)?.findNodes !== "function")
    throwMisuse("expected `graph` to be a graph of this worker or an adapter with `findNodes`");
}
