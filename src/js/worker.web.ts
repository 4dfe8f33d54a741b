import type { WorkerThread } from "./worker/connection.js";
import {
  openThread,
  type RemoteApi,
  type ThreadEvents,
  type WorkerOptions,
} from "./worker/open.js";
import type { WorkerMessage } from "./worker/protocol.js";
import { WorkerError } from "./worker/worker-error.js";

export type { RemoteAnswer, RemoteAskOptions } from "./worker/remote-ask.js";
export type { CompiledRemotely, RemoteFlow } from "./worker/remote-flow.js";
export type { RemoteGraph, RemoteGraphs } from "./worker/remote-graph.js";
export type {
  RemoteGaslSession,
  RemoteSessionOptions,
  RemoteSessions,
} from "./worker/remote-session.js";
export { WorkerError, type WorkerErrorReason } from "./worker/worker-error.js";
export type { RemoteApi, WorkerOptions };

/**
 * Opens a worker whose graphs, sessions and flows have the API of the package with promises. All
 * callbacks run in the page.
 */
export async function openWorker(options: WorkerOptions = {}): Promise<RemoteApi> {
  if (typeof Worker === "undefined")
    throw new WorkerError("unavailable", "this host has no `Worker`");
  return openThread(startWorker, options, lockName());
}

function startWorker(events: ThreadEvents): WorkerThread {
  // Bundlers recognise this expression.
  const worker = new Worker(new URL("./worker/thread-web.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "ready") watchLock(events, data.lock);
    events.onMessage(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    events.onError(event.error ?? new Error(event.message || "the script was not loaded"));
  };
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
  };
}

/** Returns the name of a lock that the worker holds until it ends, if the host has locks. */
function lockName(): string | undefined {
  return navigator.locks && `byname worker ${crypto.randomUUID()}`;
}

/** Waits for the lock of a worker, because browsers report the end of a worker in no other way. */
function watchLock(events: ThreadEvents, lock: string | undefined): void {
  if (lock === undefined) return;
  const onEnd = (): void => events.onEnd("");
  navigator.locks.request(lock, onEnd).catch(() => {});
}
