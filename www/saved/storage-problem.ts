import { StorageError, type StorageErrorReason } from "byname/storage";
import { errorText } from "../page/format.js";

/** Advice to the user for each error of the storage. */
const advice: { readonly [reason in StorageErrorReason]: string } = {
  conflict: "Another tab has continued it. Open it again to see its state there.",
  quota: "The storage of this browser is full: delete saved runs, or free space on this device.",
  forbidden:
    "This browser does not allow storage, as in a private window: allow it for this page, or use a normal window.",
  corrupt: "The stored data is damaged: delete it and run again.",
  newer: "A later version of this page has stored it: reload the page, or delete it.",
  busy: "Another tab uses the storage: close it and try again.",
  failed: "Try again; if it fails again, reload the page.",
};

/** Returns the text of an error with what to do. */
export function describeStorageError(error: unknown): string {
  if (!(error instanceof StorageError)) return errorText(error);
  // The text after the last colon is for programs.
  const [message = error.message] = error.message.split(/: (?=[^:]*$)/);
  // The key of a value is of no use to the user.
  return `${message.replace(/`[^`]*`/, "the saved run")}. ${advice[error.reason]}`;
}

/** Returns whether another tab has saved. */
export function isConflict(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return [error, cause].some((one) => one instanceof StorageError && one.reason === "conflict");
}
