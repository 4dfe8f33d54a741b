import { init } from "../index.web.js";
import { startHost } from "./host.js";
import type { WorkerMessage } from "./protocol.js";

/** Global scope of a worker, whose `postMessage` differs from that of a page. */
const scope = globalThis as unknown as {
  postMessage(message: WorkerMessage): void;
  onmessage: (event: MessageEvent) => void;
};

const receive = startHost((message) => scope.postMessage(message), init, acquireLock);
scope.onmessage = ({ data }) => receive(data);

/** Acquires a lock until the worker ends. */
function acquireLock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = (): Promise<never> => {
      resolve();
      return new Promise(() => {});
    };
    navigator.locks.request(name, hold).catch(reject);
  });
}
