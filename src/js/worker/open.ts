import { assertOptions, throwExpected } from "../arguments.js";
import { errorMessage } from "../errors.js";
import type { FlowOptions, Registry, Workflow } from "../flow/types.js";
import { report } from "../report.js";
import { Connection, type WorkerThread } from "./connection.js";
import { restoreError } from "./error-message.js";
import type { WorkerMessage } from "./protocol.js";
import { askRemotely, type RemoteAnswer, type RemoteAskOptions } from "./remote-ask.js";
import { type CompiledRemotely, compileRemotely } from "./remote-flow.js";
import { type RemoteGraphs, remoteGraphs } from "./remote-graph.js";
import { type RemoteSessions, remoteSessions } from "./remote-session.js";
import { WorkerError } from "./worker-error.js";

/** Options of a worker. */
export interface WorkerOptions {
  /** Location of the WebAssembly, or the compiled module; by default next to the script. */
  wasm?: URL | WebAssembly.Module;
}

/** Worker with graphs, sessions and flows. */
export interface RemoteApi {
  readonly Graph: RemoteGraphs;
  readonly GaslSession: RemoteSessions;
  ask(question: string, options: RemoteAskOptions): Promise<RemoteAnswer>;
  compileFlow(
    workflow: Workflow | string,
    registry: Registry,
    options?: FlowOptions & { context?: object },
  ): Promise<CompiledRemotely>;
  /** Ends the worker. Pending and later calls reject with a `WorkerError`. */
  close(): Promise<void>;
  /** Ends the worker, as `close`. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Events of the thread of a host. */
export interface ThreadEvents {
  onMessage(message: WorkerMessage): void;
  /** An error that no code of the worker handles. */
  onError(error: unknown): void;
  onEnd(detail: string, cause?: unknown): void;
}

/** Starts the thread of a host. */
export type StartThread = (events: ThreadEvents) => WorkerThread;

/** Opens a worker in a thread, which takes its lock if there is a name of one. */
export async function openThread(
  start: StartThread,
  options: WorkerOptions,
  lock?: string,
): Promise<RemoteApi> {
  assertOptions(options, ["wasm"], "the options of a worker");
  const { wasm } = options;
  const isModule = Object.prototype.toString.call(wasm) === "[object WebAssembly.Module]";
  if (wasm !== undefined && !isModule && !(wasm instanceof URL))
    throwExpected("`wasm`", "a URL or a WebAssembly.Module", wasm);
  const { promise, events } = startEvents();
  let thread: WorkerThread;
  try {
    thread = start(events);
  } catch (error) {
    throw new WorkerError("unavailable", String(error), error);
  }
  const connection = new Connection(thread);
  try {
    const source = wasm instanceof URL ? wasm.href : wasm;
    thread.post({ type: "start", wasm: source, lock }, []);
    await promise;
  } catch (error) {
    void connection.close();
    throw error;
  }
  events.onMessage = (message) => connection.receive(message);
  events.onEnd = (detail, cause) => connection.end(new WorkerError("ended", detail, cause));
  events.onError = report;
  thread.keepAlive?.(false);
  return createApi(connection);
}

/** Returns events whose promise resolves when the worker is ready, and rejects if it is not. */
function startEvents(): { promise: Promise<void>; events: ThreadEvents } {
  const events = {} as ThreadEvents;
  const promise = new Promise<void>((resolve, reject) => {
    events.onMessage = (message) => {
      if (message.type === "ready") resolve();
      else if (message.type === "unready") reject(restoreError(message.error));
    };
    events.onError = (error) => events.onEnd(errorMessage(error), error);
    events.onEnd = (detail, cause) => reject(new WorkerError("unavailable", detail, cause));
  });
  return { promise, events };
}

function createApi(connection: Connection): RemoteApi {
  const dispose = (): void => void connection.close();
  return {
    Graph: remoteGraphs(connection),
    GaslSession: remoteSessions(connection),
    ask: (question, options) => askRemotely(connection, question, options),
    compileFlow: (workflow, registry, options) =>
      compileRemotely(connection, workflow, registry, options),
    close: () => connection.close(),
    dispose,
    [Symbol.dispose]: dispose,
  };
}
