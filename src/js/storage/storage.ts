import { assertFunction, assertString, throwExpected } from "../arguments.js";
import { requireJsonText } from "../json-text.js";
import { assertChanges } from "./changes.js";
import { type StorageSource, setSource } from "./source.js";
import type { KeyStorage, Storage, StorageHost } from "./types.js";

/** Key of the value that the methods of a storage itself use. */
const DEFAULT_KEY = "state";
/** Length of a JSON text that takes some milliseconds to parse. */
const LONG_TEXT = 1_000_000;

/** Returns the storage over the operations of a host, which was opened from a source. */
export function createStorage(host: StorageHost, source?: StorageSource): Storage {
  const at = (key: string): KeyStorage => {
    assertString(key, "a key");
    const storage: KeyStorage = {
      load: () => host.load(key),
      save: async (state, options) => host.save(key, copyOf(state), revisionOf(options)),
      saveChanges: async (changes, options) => {
        if (!Array.isArray(changes)) throwExpected("the changes", "a list", changes);
        const text = requireJsonText(changes);
        const expectedRev = revisionOf(options);
        // A page responds between the conversions of large changes.
        if (text.length > LONG_TEXT) await new Promise((resolve) => setTimeout(resolve));
        const parsed = JSON.parse(text);
        assertChanges(parsed);
        return host.saveChanges(key, parsed, expectedRev, text);
      },
      subscribe: (listener) => {
        assertFunction(listener, "a listener");
        return host.subscribe(key, listener);
      },
      delete: () => host.delete(key),
    };
    if (source) setSource(storage, { ...source, key });
    return storage;
  };
  const storage: Storage = {
    ...at(DEFAULT_KEY),
    at,
    list: () => host.list(),
    close: () => host.close(),
  };
  if (source) setSource(storage, source);
  return storage;
}

/** Returns a copy, because the caller may change the value while it is saved. */
function copyOf<T>(value: T): T {
  return JSON.parse(requireJsonText(value)) as T;
}

function revisionOf(options: { expectedRev: string | null } | undefined): string | null {
  const expectedRev: unknown = options?.expectedRev ?? null;
  if (expectedRev !== null && typeof expectedRev !== "string")
    throwExpected("`expectedRev`", "null or a string", expectedRev);
  return expectedRev as string | null;
}

let revisionCount = 0;
/** Part of each revision that differs between processes. */
let writerId = "";

/** Returns a revision that no other save has. */
export function nextRevision(): string {
  writerId ||= crypto.randomUUID();
  revisionCount += 1;
  return `${revisionCount}-${writerId}`;
}
