import { StorageError } from "byname/storage";

/** Files of graphs in an IndexedDB database, which stores them without reading them. */
export class FileStore {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async save(id: string, files: readonly File[]): Promise<void> {
    await this.#transact("readwrite", (store) => store.put([...files], id));
  }

  /** Returns the files; empty if there are none. */
  async load(id: string): Promise<File[]> {
    return (
      ((await this.#transact("readonly", (store) => store.get(id))) as File[] | undefined) ?? []
    );
  }

  async ids(): Promise<string[]> {
    return (await this.#transact("readonly", (store) => store.getAllKeys())) as string[];
  }

  async delete(id: string): Promise<void> {
    await this.#transact("readwrite", (store) => store.delete(id));
  }

  async #transact<T>(
    mode: IDBTransactionMode,
    request: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    try {
      const database = await this.#open();
      try {
        const transaction = database.transaction("files", mode, { durability: "strict" });
        const { result } = await completed(transaction, request(transaction.objectStore("files")));
        return result;
      } finally {
        database.close();
      }
    } catch (error) {
      throw toStorageError(error);
    }
  }

  #open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const opening = indexedDB.open(this.#name, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("files");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
  }
}

/** Resolves when a transaction is stored. */
function completed<T>(transaction: IDBTransaction, request: IDBRequest<T>): Promise<IDBRequest<T>> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request);
    transaction.onabort = () => reject(transaction.error ?? request.error);
  });
}

function toStorageError(error: unknown): StorageError {
  const { name, message = String(error) } = Object(error) as { name?: string; message?: string };
  const reasons = {
    QuotaExceededError: "quota",
    SecurityError: "forbidden",
    InvalidStateError: "forbidden",
    VersionError: "newer",
  } as const;
  const reason = reasons[name as keyof typeof reasons] ?? "failed";
  return new StorageError(
    reason,
    `the file of the graph was not stored or read (${message})`,
    error,
  );
}
