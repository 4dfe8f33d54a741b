import { parentPort } from "node:worker_threads";
import { init } from "../index.inline.js";
import { startHost } from "./host.js";

const load = (wasm: URL | WebAssembly.Module | undefined): Promise<void> => init(wasm);
const receive = startHost(
  (message) => parentPort.postMessage(message, []),
  load,
  async () => {},
);
parentPort.on("message", receive);
