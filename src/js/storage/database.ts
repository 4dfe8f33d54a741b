import { StorageError } from "./storage-error.js";

/** Version of the layout of the database. */
const LAYOUT_VERSION = 1;

/** Object stores: revisions and values by key, changes by key and number. Values and changes are JSON texts. */
export const STORES = ["revisions", "values", "changes"] as const;

/** State of a value: its complete form plus `count` changes. */
export interface Revision {
  version: number;
  rev: string;
  /** Number of changes since the complete value. */
  count: number;
  /** Length of the JSON texts of the changes. */
  length: number;
  /** Length of the JSON text of the complete value. */
  valueLength: number;
  /** Length of the changes from which they are compared with the value; twice its length if absent. */
  maxLength?: number;
}

/** Connection to an IndexedDB database, which is opened at the first transaction. */
export class Database {
  readonly #name: string;
  #opened: Promise<IDBDatabase> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Runs a task in a transaction. Resolves when it is durable. An error of the task aborts it. */
  async runTransaction<T>(
    mode: IDBTransactionMode,
    task: (stores: Stores) => Promise<T>,
  ): Promise<T> {
    try {
      const database = await this.#open();
      const transaction = database.transaction(STORES, mode, { durability: "strict" });
      const completed = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error("the save was aborted"));
      });
      // The task may fail first.
      completed.catch(() => {});
      let result: T;
      try {
        result = await task(new Stores(transaction));
      } catch (error) {
        abort(transaction);
        throw error;
      }
      await completed;
      return result;
    } catch (error) {
      throw toStorageError(error, this.#name);
    }
  }

  async close(): Promise<void> {
    const database = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    database?.close();
  }

  #open(): Promise<IDBDatabase> {
    this.#opened ??= openDatabase(this.#name).then(
      (database) => {
        const forget = (): void => {
          this.#opened = undefined;
          database.close();
        };
        // Another tab deletes or upgrades the database, or the browser has closed it.
        database.onversionchange = forget;
        database.onclose = forget;
        return database;
      },
      (error) => {
        this.#opened = undefined;
        throw error;
      },
    );
    return this.#opened;
  }
}

/** Object stores of a transaction. */
export class Stores {
  readonly #transaction: IDBTransaction;

  constructor(transaction: IDBTransaction) {
    this.#transaction = transaction;
  }

  revision(key: string): Promise<Revision | undefined> {
    return resultOf(this.#transaction.objectStore("revisions").get(key));
  }

  keys(): Promise<IDBValidKey[]> {
    return resultOf(this.#transaction.objectStore("revisions").getAllKeys());
  }

  value(key: string): Promise<string | undefined> {
    return resultOf(this.#transaction.objectStore("values").get(key));
  }

  changes(key: string): Promise<string[]> {
    return resultOf(this.#transaction.objectStore("changes").getAll(changesOf(key)));
  }

  putRevision(key: string, revision: Revision): void {
    this.#transaction.objectStore("revisions").put(revision, key);
  }

  /** Replaces a value and its changes. */
  putValue(key: string, value: string): void {
    this.#transaction.objectStore("values").put(value, key);
    this.#transaction.objectStore("changes").delete(changesOf(key));
  }

  putChanges(key: string, number: number, changes: string): void {
    this.#transaction.objectStore("changes").put(changes, [key, number]);
  }

  delete(key: string): void {
    this.#transaction.objectStore("revisions").delete(key);
    this.#transaction.objectStore("values").delete(key);
    this.#transaction.objectStore("changes").delete(changesOf(key));
  }
}

/** Returns the range of the changes of a key. */
function changesOf(key: string): IDBKeyRange {
  return IDBKeyRange.bound([key, 0], [key, Number.POSITIVE_INFINITY]);
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  if (typeof indexedDB === "undefined")
    throw new StorageError("forbidden", "this host has no IndexedDB");
  const request = indexedDB.open(name, LAYOUT_VERSION);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store);
  };
  return resultOf(request);
}

/** Returns the error of a storage for an error of IndexedDB. */
function toStorageError(error: unknown, name: string): StorageError {
  if (error instanceof StorageError) return error;
  const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
  const database = `the database \`${name}\``;
  switch (kind) {
    case "QuotaExceededError":
      return new StorageError("quota", `no space for ${database}`, error);
    case "SecurityError":
    case "NotAllowedError":
      return new StorageError("forbidden", `${database} is not permitted`, error);
    case "VersionError":
      return new StorageError("newer", `expected version ${LAYOUT_VERSION} of ${database}`, error);
    case "NotFoundError":
    case "DataError":
      return new StorageError("corrupt", `${database} was not created by this package`, error);
    default:
      return new StorageError("failed", `${database} could not be used (${message})`, error);
  }
}
