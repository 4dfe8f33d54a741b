import { BynameError } from "../errors.js";

/** Reason why a storage did not load or save a value. */
export type StorageErrorReason =
  /** Another writer has saved since the value was loaded. */
  | "conflict"
  /** The storage is full. */
  | "quota"
  /** The host does not permit the storage, as in private windows of some browsers. */
  | "forbidden"
  /** The stored data is damaged. */
  | "corrupt"
  /** The stored data was written by a later version. */
  | "newer"
  /** Another process has locked the storage for too long. */
  | "busy"
  /** Any other error of the host. */
  | "failed";

const HELP_BY_REASON: { readonly [reason in StorageErrorReason]: string } = {
  conflict: "load the value again and repeat the change",
  quota: "delete values that are not needed, or free space on the device",
  forbidden: "use `memoryStorage()`, or ask the user to permit storage for this page",
  corrupt: "restore a backup, or delete the file or the stored value",
  newer: "update the package, or delete the file or the stored value",
  busy: "end the other process, or delete the lock file if it has ended",
  failed: "retry the call",
};

/** Error of a storage. Its message contains the fix. */
export class StorageError extends BynameError {
  override readonly name: string = "StorageError";
  readonly reason: StorageErrorReason;

  constructor(
    reason: StorageErrorReason,
    message: string,
    cause?: unknown,
    help: string = HELP_BY_REASON[reason],
  ) {
    super("storage", `${message}: ${help}`);
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}

/** Returns the error for a save whose expected revision is not the stored one. */
export function conflictError(key: string): StorageError {
  return new StorageError("conflict", `\`${key}\` was saved by another writer`);
}
