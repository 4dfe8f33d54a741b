import { assertString } from "../arguments.js";
import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";
import { applyChanges } from "./changes.js";
import { Database, type Revision, type Stores } from "./database.js";
import { RevisionListeners } from "./listeners.js";
import { checkVersion, FORMAT_VERSION, RecordedValues, type SaveRecord } from "./records.js";
import type { StorageSource } from "./source.js";
import { createStorage, nextRevision } from "./storage.js";
import { conflictError, StorageError } from "./storage-error.js";
import type { Storage, StorageHost, StoredValue } from "./types.js";

/**
 * Returns a storage in the IndexedDB database `name` of the browser. A save is durable when its
 * promise resolves. `subscribe` announces the saves of other tabs too.
 */
export function indexedDbStorage(name: string): Storage {
  assertString(name, "the name of a database");
  const database = new Database(name);
  const listeners = new RevisionListeners();
  /** Values as this tab has saved or loaded them last. */
  const known = new RecordedValues();
  let channel: BroadcastChannel | undefined;

  const openChannel = (): BroadcastChannel => {
    if (channel === undefined) {
      channel = new BroadcastChannel(`byname ${name}`);
      channel.onmessage = ({ data }) => listeners.notify(data.key, data.rev);
    }
    return channel;
  };
  const announce = (key: string, rev: string): void => {
    openChannel().postMessage({ key, rev });
    listeners.notify(key, rev);
  };
  const remember = (key: string, stored: StoredValue): void =>
    known.apply({ key, rev: stored.rev, value: structuredClone(stored.state) });

  const save = async (
    key: string,
    expectedRev: string | null,
    recordOf: (stores: Stores, revision: Revision | undefined, rev: string) => Promise<SaveRecord>,
  ): Promise<{ rev: string }> => {
    const rev = nextRevision();
    await database.runTransaction("readwrite", async (stores) => {
      const revision = await stores.revision(key);
      if ((revision?.rev ?? null) !== expectedRev) throw conflictError(key);
      const record = await recordOf(stores, revision, rev);
      try {
        // A transaction that fails later leaves a revision that is not the stored one.
        known.apply(record);
      } catch (error) {
        // Some of the changes have been applied.
        known.apply({ key, rev: null });
        throw error;
      }
      write(stores, revision, record, known.get(key)?.state ?? null);
    });
    announce(key, rev);
    return { rev };
  };

  const source: StorageSource = { kind: "indexedDb", name };
  const host: StorageHost = {
    load: (key) =>
      database.runTransaction("readonly", async (stores) => {
        const stored = await read(stores, key);
        if (stored !== null) remember(key, stored);
        return stored;
      }),
    save: (key, state, expectedRev) =>
      save(key, expectedRev, async (_, revision, rev) => {
        const isKnown = revision !== undefined && known.get(key)?.rev === revision.rev;
        return isKnown ? known.recordFor(key, rev, state) : { key, rev, value: state };
      }),
    saveChanges: (key, changes, expectedRev, text) =>
      save(key, expectedRev, async (stores, revision, rev) => {
        if (revision !== undefined && known.get(key)?.rev !== revision.rev) {
          const stored = await read(stores, key);
          if (stored !== null) remember(key, stored);
        }
        return { key, rev, changes, text };
      }),
    delete: async (key) => {
      const exists = await database.runTransaction("readwrite", async (stores) => {
        const revision = await stores.revision(key);
        if (revision !== undefined) stores.delete(key);
        return revision !== undefined;
      });
      known.apply({ key, rev: null });
      if (exists) announce(key, "");
    },
    list: () =>
      database.runTransaction("readonly", async (stores) => (await stores.keys()).map(String)),
    subscribe: (key, listener) => {
      openChannel();
      return listeners.add(key, listener);
    },
    close: async () => {
      channel?.close();
      channel = undefined;
      await database.close();
    },
  };
  return createStorage(host, source);
}

async function read(stores: Stores, key: string): Promise<StoredValue | null> {
  const revision = await stores.revision(key);
  if (revision === undefined) return null;
  checkVersion(revision.version, `\`${key}\``);
  const value = await stores.value(key);
  const changes = await stores.changes(key);
  if (value === undefined || changes.length !== revision.count)
    throw new StorageError("corrupt", `\`${key}\` is incomplete`);
  try {
    const parsed = changes.map((text): StateChange[] => JSON.parse(text));
    return { state: parsed.reduce(applyChanges, JSON.parse(value) as Json), rev: revision.rev };
  } catch (error) {
    throw new StorageError("corrupt", `\`${key}\` is damaged`, error);
  }
}

/** Writes a save: its changes, or the complete value if the changes are much longer. */
function write(
  stores: Stores,
  before: Revision | undefined,
  record: SaveRecord,
  state: Json,
): void {
  const { key, rev } = record;
  if (rev === null) return;
  if (before !== undefined && "changes" in record) {
    const text = record.text ?? JSON.stringify(record.changes);
    const length = before.length + text.length;
    const maxLength = before.maxLength ?? before.valueLength * 2;
    const isOver = length > maxLength;
    // Changes that mostly add are hardly longer than the value.
    if (!isOver || before.valueLength + length <= JSON.stringify(state).length * 2) {
      stores.putChanges(key, before.count, text);
      const next = { ...before, rev, count: before.count + 1, length };
      stores.putRevision(key, isOver ? { ...next, maxLength: length * 2 } : next);
      return;
    }
  }
  const text = JSON.stringify(state);
  stores.putValue(key, text);
  stores.putRevision(key, {
    version: FORMAT_VERSION,
    rev,
    count: 0,
    length: 0,
    valueLength: text.length,
  });
}
