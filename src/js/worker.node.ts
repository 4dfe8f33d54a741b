import { Worker } from "node:worker_threads";
import { errorMessage } from "./errors.js";
import type { WorkerThread } from "./worker/connection.js";
import {
  openThread,
  type RemoteApi,
  type ThreadEvents,
  type WorkerOptions,
} from "./worker/open.js";

export { WorkerError } from "./worker/worker-error.js";
export type * from "./worker.web.js";

/**
 * Opens a worker whose graphs, sessions and flows have the API of the package with promises. All
 * callbacks run in the calling thread. An idle worker does not keep the process running.
 */
export async function openWorker(options: WorkerOptions = {}): Promise<RemoteApi> {
  return openThread(startWorker, options);
}

function startWorker(events: ThreadEvents): WorkerThread {
  // Options of the process such as `--input-type` are not valid for a file.
  const worker = new Worker(new URL("./worker/thread-node.js", import.meta.url), { execArgv: [] });
  worker.on("message", (message) => events.onMessage(message));
  // An error that no code handles ends the thread.
  worker.on("error", (error) => events.onEnd(errorMessage(error), error));
  worker.on("exit", (code) => events.onEnd(`exit code ${code}`));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
    keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
  };
}
