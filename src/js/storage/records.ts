import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";
import { applyChanges, changesBetween } from "./changes.js";
import { StorageError } from "./storage-error.js";
import type { StoredValue } from "./types.js";

/** Version of the stored format. */
export const FORMAT_VERSION = 1;

/**
 * One save: the complete value, its changes since the previous save, or its deletion. `text` is the
 * JSON text of the changes, if it is known.
 */
export type SaveRecord =
  | { key: string; rev: string; value: Json }
  | { key: string; rev: string; changes: StateChange[]; text?: string }
  | { key: string; rev: null };

/** Values that result from a list of records. */
export class RecordedValues {
  readonly #values = new Map<string, StoredValue>();

  get(key: string): StoredValue | undefined {
    return this.#values.get(key);
  }

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  clear(): void {
    this.#values.clear();
  }

  /** Applies a record. Throws if it does not fit to the value before it. */
  apply(record: SaveRecord): void {
    const { key } = record;
    if (record.rev === null) {
      this.#values.delete(key);
    } else if ("value" in record) {
      this.#values.set(key, { state: record.value, rev: record.rev });
    } else {
      const before = this.#values.get(key);
      if (before === undefined) throw new Error(`the changes of \`${key}\` have no value before`);
      this.#values.set(key, { state: applyChanges(before.state, record.changes), rev: record.rev });
    }
  }

  /** Returns the record that saves a value, with the shorter one of its changes and itself. */
  recordFor(key: string, rev: string, value: Json): SaveRecord {
    const before = this.#values.get(key);
    const complete: SaveRecord = { key, rev, value };
    if (before === undefined) return complete;
    const changes = changesBetween(before.state, value);
    return JSON.stringify(changes).length < JSON.stringify(value).length / 2
      ? { key, rev, changes }
      : complete;
  }

  /** Returns the records of all values. */
  snapshot(): SaveRecord[] {
    return [...this.#values].map(([key, { state, rev }]) => ({ key, rev, value: state }));
  }
}

/** Checks the version of stored data. */
export function checkVersion(version: unknown, where: string): void {
  if (typeof version !== "number") throw new StorageError("corrupt", `${where} has no version`);
  if (version > FORMAT_VERSION)
    throw new StorageError(
      "newer",
      `expected version ${FORMAT_VERSION} of ${where}, found ${version}`,
    );
}
