/** Arguments that a storage was opened with, so that a worker can open it again. */
export interface StorageSource {
  kind: "file" | "indexedDb";
  /** Path of the file, or name of the database. */
  name: string;
  /** Key of the value; absent for the storage itself. */
  key?: string;
}

const sources = new WeakMap<object, StorageSource>();

export function setSource(storage: object, source: StorageSource): void {
  sources.set(storage, source);
}

/** Returns how a storage was opened; `undefined` for one in memory or of the host. */
export function sourceOf(storage: object): StorageSource | undefined {
  return sources.get(storage);
}
