export { fileStorage } from "./storage/file-storage.js";
export { indexedDbStorage } from "./storage/indexed-db-storage.js";
export { memoryStorage } from "./storage/memory-storage.js";
export { type Persistence, type PersistOptions, persist } from "./storage/persist.js";
export { StorageError, type StorageErrorReason } from "./storage/storage-error.js";
export type { KeyStorage, Storage, StoredValue } from "./storage/types.js";
