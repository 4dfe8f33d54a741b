import { errorCode, type NodeHost } from "./node-host.js";
import { StorageError } from "./storage-error.js";

/** Milliseconds between two attempts to lock. */
const RETRY_MS = 10;
/** Milliseconds after which a lock without the id of its owner is abandoned. */
const EMPTY_MS = 2_000;
/** Milliseconds after which a lock that stays taken is an error. */
const TIMEOUT_MS = 15_000;

/** Lock between processes: a file with the id of the process that holds it. */
export class FileLock {
  readonly #host: NodeHost;
  readonly #path: string;

  constructor(host: NodeHost, path: string) {
    this.#host = host;
    this.#path = `${path}.lock`;
  }

  /** Runs a task while the lock is held. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await task();
    } finally {
      await this.#host.files.unlink(this.#path).catch(() => {});
    }
  }

  async #acquire(): Promise<void> {
    const { files, pid } = this.#host;
    for (let waited = 0; ; waited += RETRY_MS) {
      try {
        const file = await files.open(this.#path, "wx");
        const text = new TextEncoder().encode(String(pid));
        await file.write(text, 0, text.length, 0);
        await file.close();
        return;
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      if (await this.#isAbandoned(waited)) await this.#remove();
      else if (waited >= TIMEOUT_MS)
        throw new StorageError("busy", `\`${this.#path}\` is held by another process`);
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Returns whether the process that holds the lock has ended. */
  async #isAbandoned(waited: number): Promise<boolean> {
    const text = await this.#host.files.readFile(this.#path, "utf8").catch(() => "");
    // The owner of an empty lock has not written its id yet.
    if (text === "") return waited >= EMPTY_MS;
    const pid = Number(text);
    if (pid === this.#host.pid) return await this.#isOlderThanProcess();
    return Number.isInteger(pid) && !this.#host.isRunning(pid);
  }

  /**
   * Returns whether the lock was made before this process started, by a process with the same id.
   * The main process of a container has the same id after each start.
   */
  async #isOlderThanProcess(): Promise<boolean> {
    const { files, startTime } = this.#host;
    const made = await files.stat(this.#path).catch(() => undefined);
    return made !== undefined && made.mtimeMs < startTime;
  }

  /** Removes an abandoned lock. Of several processes that try it, one succeeds. */
  async #remove(): Promise<void> {
    const { files, pid } = this.#host;
    const removed = `${this.#path}.${pid}`;
    await files.rename(this.#path, removed).catch(() => {});
    await files.unlink(removed).catch(() => {});
  }
}
