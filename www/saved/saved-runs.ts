import type { Json } from "byname";
import { indexedDbStorage, type KeyStorage } from "byname/storage";
import { asRecord } from "../page/json.js";
import { describeStorageError } from "./storage-problem.js";

/** Entry of the list of saved runs. */
export interface SavedRunInfo {
  id: string;
  name: string;
  /** Short description of the run. */
  detail: string;
  /** Time of the last save, in milliseconds since the epoch. */
  time: number;
  /** Size in bytes, about. */
  size: number;
  /** Whether the run has ended. */
  isDone: boolean;
  /** Id of files that are stored elsewhere; empty if there are none. */
  files: string;
}

/** Maximum number of saved runs; the oldest finished ones are deleted. */
export const maxRuns = 20;

/** Runs in an IndexedDB database: an entry of the list under the id, and parts under `id/part`. */
export class SavedRuns {
  readonly #storage;

  constructor(database: string) {
    this.#storage = indexedDbStorage(database);
  }

  /** Returns the storage of a part of a run. */
  part(id: string, part: string): KeyStorage {
    return this.#storage.at(`${id}/${part}`);
  }

  /** Returns the storage of the entry of a run. */
  entry(id: string): KeyStorage {
    return this.#storage.at(id);
  }

  /** Returns all entries, the latest first. An entry that cannot be read has its error as detail. */
  async list(): Promise<SavedRunInfo[]> {
    const ids = (await this.#storage.list()).filter((key) => !key.includes("/"));
    const entries = ids.map(async (id): Promise<SavedRunInfo> => {
      try {
        return parseEntry(id, (await this.entry(id).load())?.state ?? null);
      } catch (error) {
        const detail = describeStorageError(error);
        return { id, name: "Not readable", detail, time: 0, size: 0, isDone: true, files: "" };
      }
    });
    return (await Promise.all(entries)).sort((a, b) => b.time - a.time);
  }

  /** Deletes a run with all of its parts. */
  async delete(id: string): Promise<void> {
    for (const key of await this.#storage.list())
      if (key === id || key.startsWith(`${id}/`)) await this.#storage.at(key).delete();
  }

  /** Deletes the oldest finished runs above the maximum, and returns them. */
  async prune(): Promise<SavedRunInfo[]> {
    const old = (await this.list()).slice(maxRuns).filter(({ isDone }) => isDone);
    for (const { id } of old) await this.delete(id);
    return old;
  }
}

function parseEntry(id: string, value: Json): SavedRunInfo {
  const { name, detail, time, size, isDone, files } = asRecord(value);
  return {
    id,
    name: typeof name === "string" ? name : "",
    detail: typeof detail === "string" ? detail : "",
    time: typeof time === "number" ? time : 0,
    size: typeof size === "number" ? size : 0,
    isDone: isDone === true,
    files: typeof files === "string" ? files : "",
  };
}

/** Returns a new id, which contains no slash. */
export function newRunId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}
