import { assertString } from "../arguments.js";
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

  const source: StorageSource = { kind: "indexedDb", name };
  const host: StorageHost = {
    load: (key) =>
      database.transact("readonly", async (stores) => {
        const stored = await read(stores, key);
        if (stored !== null) remember(key, stored);
        return stored;
      }),
    save: async (key, state, expectedRev) => {
      const rev = nextRevision();
      await database.transact("readwrite", async (stores) => {
        const revision = await stores.revision(key);
        if ((revision?.rev ?? null) !== expectedRev) throw conflictError(key);
        const isKnown = revision !== undefined && known.get(key)?.rev === revision.rev;
        const record: SaveRecord = isKnown
          ? known.recordFor(key, rev, state)
          : { key, rev, value: state };
        write(stores, revision, record, state);
        // A transaction that fails later leaves a revision that is not the stored one.
        known.apply(record);
      });
      announce(key, rev);
      return { rev };
    },
    delete: async (key) => {
      const exists = await database.transact("readwrite", async (stores) => {
        const revision = await stores.revision(key);
        if (revision !== undefined) stores.delete(key);
        return revision !== undefined;
      });
      known.apply({ key, rev: null });
      if (exists) announce(key, "");
    },
    list: () => database.transact("readonly", async (stores) => (await stores.keys()).map(String)),
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
    return { state: changes.reduce(applyChanges, value), rev: revision.rev };
  } catch (error) {
    throw new StorageError("corrupt", `\`${key}\` is damaged`, error);
  }
}

/** Writes a save: its changes, or the complete value after many changes. */
function write(
  stores: Stores,
  before: Revision | undefined,
  record: SaveRecord,
  state: Json,
): void {
  const { key, rev } = record;
  if (rev === null) return;
  const changes = "changes" in record ? record.changes : undefined;
  const length = (before?.length ?? 0) + JSON.stringify(changes ?? null).length;
  if (before !== undefined && changes !== undefined && length <= before.valueLength * 2) {
    stores.putChanges(key, before.count, changes);
    stores.putRevision(key, { ...before, rev, count: before.count + 1, length });
    return;
  }
  const valueLength = JSON.stringify(state).length;
  stores.putValue(key, state);
  stores.putRevision(key, { version: FORMAT_VERSION, rev, count: 0, length: 0, valueLength });
}
