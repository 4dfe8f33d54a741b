import { assertString } from "../arguments.js";
import { FileLock } from "./file-lock.js";
import { Journal } from "./journal.js";
import { RevisionListeners } from "./listeners.js";
import { nodeHost, toStorageError } from "./node-host.js";
import type { SaveRecord } from "./records.js";
import type { StorageSource } from "./source.js";
import { createStorage, nextRevision } from "./storage.js";
import { conflictError } from "./storage-error.js";
import type { Storage, StorageHost } from "./types.js";

/** Milliseconds between two checks for saves of other processes. */
const POLL_MS = 250;

/**
 * Returns a storage in a file, for Node, Bun and Deno. The values of all keys are in one file, whose
 * folder must exist. A save is durable when its promise resolves, and several processes may save.
 */
export function fileStorage(path: string): Storage {
  assertString(path, "the path");
  const host = nodeHost();
  const lock = new FileLock(host, path);
  const journal = new Journal(host, path);
  const listeners = new RevisionListeners();
  /** End of the last operation, because operations share the journal. */
  let last: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | undefined;

  const notify = (keys: Iterable<string>): void => {
    for (const key of keys) listeners.notify(key, journal.values.get(key)?.rev ?? "");
  };
  const readNew = async (): Promise<void> => notify(await journal.read());
  const inOrder = <T>(operation: () => Promise<T>): Promise<T> => {
    const result = last.then(operation).catch((error: unknown) => {
      throw toStorageError(error, path, host.folderOf(path));
    });
    last = result.catch(() => {});
    return result;
  };
  const write = <T>(operation: () => Promise<T>): Promise<T> =>
    inOrder(() =>
      lock.run(async () => {
        await readNew();
        return operation();
      }),
    );
  const append = (
    key: string,
    expectedRev: string | null,
    recordOf: (rev: string) => SaveRecord,
  ): Promise<{ rev: string }> =>
    write(async () => {
      if ((journal.values.get(key)?.rev ?? null) !== expectedRev) throw conflictError(key);
      const rev = nextRevision();
      await journal.append(recordOf(rev));
      notify([key]);
      return { rev };
    });
  const stopPolling = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  const source: StorageSource = { kind: "file", name: path };
  const operations: StorageHost = {
    load: (key) =>
      inOrder(async () => {
        await readNew();
        const stored = journal.values.get(key);
        return stored ? structuredClone(stored) : null;
      }),
    save: (key, state, expectedRev) =>
      append(key, expectedRev, (rev) => journal.values.recordFor(key, rev, state)),
    saveChanges: (key, changes, expectedRev) =>
      append(key, expectedRev, (rev) => ({ key, rev, changes })),
    delete: (key) =>
      write(async () => {
        if (journal.values.get(key) === undefined) return;
        await journal.append({ key, rev: null });
        notify([key]);
      }),
    list: () =>
      inOrder(async () => {
        await readNew();
        return journal.values.keys;
      }),
    subscribe: (key, listener) => {
      const remove = listeners.add(key, listener);
      timer ??= setInterval(() => void inOrder(readNew).catch(() => {}), POLL_MS);
      // A subscription does not keep the process running.
      (timer as { unref?: () => void }).unref?.();
      return () => {
        remove();
        if (listeners.isEmpty) stopPolling();
      };
    },
    close: async () => {
      stopPolling();
      await last;
    },
  };
  return createStorage(operations, source);
}
