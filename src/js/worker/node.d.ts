// Parts of Node that the worker uses. The types of Node would change those of the page.
declare module "node:worker_threads" {
  export class Worker {
    constructor(url: URL, options: { execArgv: string[] });
    on(event: "message", listener: (message: import("./protocol.js").WorkerMessage) => void): void;
    on(event: "error", listener: (error: unknown) => void): void;
    on(event: "exit", listener: (code: number) => void): void;
    postMessage(message: unknown, transfer: readonly Transferable[]): void;
    terminate(): Promise<number>;
    ref(): void;
    unref(): void;
  }
  export const parentPort: {
    on(event: "message", listener: (message: import("./protocol.js").PageMessage) => void): void;
    postMessage(message: unknown, transfer: readonly Transferable[]): void;
  };
}
