import { inTime } from "../abort.js";
import { assertFunction, assertKeyedStorage, assertOptions, throwExpected } from "../arguments.js";
import { errorMessage } from "../errors.js";
import { unwrapNodes } from "../exported-nodes.js";
import { jsonEqualInAnyKeyOrder, ownProperty } from "../json-value.js";
import { isConflict, KnownRevisions } from "../key-writer.js";
import { report } from "../report.js";
import type { HamStore } from "../store.js";
import type { HamNodes, Json } from "../types.js";
import { StorageError } from "./storage-error.js";
import type { KeyStorage, Storage, StoredValue } from "./types.js";

export interface PersistOptions {
  /** Milliseconds from a change to its save; 100 by default. Later changes are saved with it. */
  delay?: number;
  /**
   * Policy after a save of another writer. `merge` (the default) takes its changes and deletions of
   * nodes that this store has not changed. `reload` takes its complete document. `stop` ends the
   * saving with an error.
   */
  onConflict?: "merge" | "reload" | "stop";
  /** Called with an error of the storage, after which the next change tries again; reported by default. */
  onError?: (error: unknown) => void;
}

/** Connection of a store to its storage. */
export interface Persistence {
  /** Saves all changes now. Rejects if they could not be saved. */
  flush(): Promise<void>;
  /** Saves all changes and ends the connection. */
  stop(): Promise<void>;
}

/** Milliseconds after which a call of the storage has failed. */
const TIMEOUT_MS = 30_000;
/** Milliseconds after which a slow replica may have a document that it did not load. */
const REPLICA_MS = 500;
/** Maximum number of documents whose save is unconfirmed. The last of them is then saved until it is confirmed. */
const MAX_UNCONFIRMED = 8;
const CONFLICT_POLICIES = ["merge", "reload", "stop"];

/**
 * Loads the document under a key into a store, and saves each change of the store. If there is a
 * stored document, it replaces that of the store.
 */
export async function persist(
  store: HamStore,
  storage: Storage,
  key: string,
  options: PersistOptions = {},
): Promise<Persistence> {
  if (typeof store?.onUpdate !== "function") throwExpected("the store", "a HamStore", store);
  assertKeyedStorage(storage, "the storage");
  assertOptions(options, ["delay", "onConflict", "onError"], "the options of `persist`");
  const { delay = 100, onConflict = "merge", onError = report } = options;
  if (!CONFLICT_POLICIES.includes(onConflict))
    throwExpected("`onConflict`", "`merge`, `reload` or `stop`", onConflict);
  assertFunction(onError, "`onError`");
  const connection = new Connection(store, storage.at(key), { delay, onConflict, onError });
  await connection.start();
  return { flush: () => connection.flush(), stop: () => connection.stop() };
}

type CompleteOptions = Required<PersistOptions>;

class Connection {
  readonly #store: HamStore;
  readonly #storage: KeyStorage;
  readonly #options: CompleteOptions;
  /** Document as it was exported and stored, and its revision with earlier ones. */
  #saved: HamNodes = {};
  readonly #revisions = new KnownRevisions();
  /** Earlier revision that was loaded after the last conflict. */
  #stale: string | null | undefined;
  /** Whether the storage has reported a deletion since the last save began. */
  #isDeleted = false;
  /** Documents whose saves failed since that revision: one of them may be stored all the same. */
  readonly #unconfirmed: HamNodes[] = [];
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** End of the last save. */
  #last: Promise<void> = Promise.resolve();
  readonly #endings: (() => void)[] = [];

  constructor(store: HamStore, storage: KeyStorage, options: CompleteOptions) {
    this.#store = store;
    this.#storage = storage;
    this.#options = options;
  }

  async start(): Promise<void> {
    const stored = await this.#load();
    if (stored !== null) {
      this.#replaceDocument(stored.state as HamNodes);
      this.#revisions.rev = stored.rev;
    }
    this.#endings.push(
      this.#store.onUpdate(() => this.#schedule()),
      this.#storage.subscribe((rev) => {
        this.#isDeleted = rev === "";
        if (rev !== this.#revisions.rev && this.#options.onConflict !== "stop") this.#schedule();
      }),
    );
    if (!this.#isSaved) this.#schedule();
  }

  async flush(): Promise<void> {
    this.#clearTimer();
    const saved = this.#last.then(() => this.#save());
    this.#last = saved.catch(() => {});
    await saved;
  }

  async stop(): Promise<void> {
    for (const end of this.#endings.splice(0)) end();
    if (this.#isStopped) return;
    try {
      await this.flush();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#isStopped = true;
    for (const end of this.#endings.splice(0)) end();
    this.#clearTimer();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get #isSaved(): boolean {
    return isSameDocument(this.#store.export(), this.#saved);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error) => this.#options.onError(error));
    }, this.#options.delay);
  }

  async #save(): Promise<void> {
    if (this.#isStopped) return;
    await this.#takeOther();
    while (!this.#isSaved) {
      const nodes = this.#unconfirmed[MAX_UNCONFIRMED - 1] ?? this.#store.export();
      this.#isDeleted = false;
      try {
        const saving = this.#storage.save(nodes as Json, { expectedRev: this.#revisions.rev });
        const { rev } = await respond(saving, "save");
        this.#confirm(nodes, rev);
      } catch (error) {
        if (!isConflict(error)) {
          this.#addUnconfirmed(nodes);
          throw error;
        }
        await this.#takeOther(error);
      }
    }
  }

  #load(): Promise<StoredValue | null> {
    return respond(this.#storage.load(), "load");
  }

  #confirm(nodes: HamNodes, rev: string | null): void {
    this.#saved = nodes;
    this.#revisions.add(rev);
    this.#stale = undefined;
    this.#unconfirmed.length = 0;
  }

  #addUnconfirmed(nodes: HamNodes): void {
    if (this.#unconfirmed.length < MAX_UNCONFIRMED) this.#unconfirmed.push(nodes);
  }

  /**
   * Takes the document that another writer has saved, if there is one. With the policy `stop` it
   * throws the conflict, which is undefined before a save. A document of this connection, whose
   * confirmation was lost, is not that of another writer. Neither is an earlier document, which a
   * slow replica returns, unless it is still there at the next conflict.
   */
  async #takeOther(conflict?: unknown): Promise<void> {
    const { rev: last } = this.#revisions;
    let stored = await this.#load();
    if (stored === null && conflict !== undefined && last !== null && !this.#isDeleted) {
      await new Promise((resolve) => setTimeout(resolve, REPLICA_MS));
      stored = await this.#load();
    }
    const rev = stored?.rev ?? null;
    // Without a document, a rejected save or a notification shows a deletion.
    const isDeletion = rev === null && (conflict !== undefined || this.#isDeleted);
    const isRepeated = conflict !== undefined && rev === this.#stale;
    if (rev === last || (this.#revisions.has(rev) && !isDeletion && !isRepeated)) {
      if (conflict === undefined) return;
      // A conflict without another revision would repeat.
      this.#stale = rev;
      if (rev !== last) this.#schedule();
      throw conflict;
    }
    const other = (stored?.state ?? {}) as HamNodes;
    const isOwn = this.#unconfirmed.some((nodes) => isSameDocument(nodes, other));
    if (!isOwn) {
      const { onConflict } = this.#options;
      if (onConflict === "stop") {
        if (conflict === undefined) return;
        this.#end();
        throw conflict;
      }
      if (onConflict === "reload") this.#replaceDocument(other);
      else this.#mergeFrom(other);
    }
    if (rev === null) this.#isDeleted = false;
    this.#confirm(other, rev);
  }

  /** Takes the nodes that the other writer has changed or deleted and this store has not. */
  #mergeFrom(document: HamNodes): void {
    const own = unwrapNodes(this.#store.export());
    const saved = unwrapNodes(this.#saved);
    const other = unwrapNodes(document);
    const isSame = (a: HamNodes, b: HamNodes, id: string): boolean =>
      jsonEqualInAnyKeyOrder(ownProperty(a as Json, id), ownProperty(b as Json, id));
    const ids = [...new Set([...Object.keys(saved), ...Object.keys(other)])];
    const taken = ids.filter((id) => !isSame(other, saved, id) && isSame(own, saved, id));
    this.#apply(Object.fromEntries(taken.map((id) => editOf(other, id))));
  }

  #replaceDocument(document: HamNodes): void {
    const nodes = unwrapNodes(document);
    const ids = [...Object.keys(unwrapNodes(this.#store.export())), ...Object.keys(nodes)];
    this.#apply(Object.fromEntries(ids.map((id) => editOf(nodes, id))));
    this.#saved = document;
  }

  #apply(nodes: HamNodes): void {
    if (Object.keys(nodes).length === 0) return;
    const { ok, diagnostics } = this.#store.apply({ updateDataModel: { nodes } });
    if (ok) return;
    const message = `the stored document is invalid (${errorMessage(diagnostics[0])})`;
    throw new StorageError("corrupt", message);
  }
}

/** Returns the result of a call of the storage, or an error after a timeout. */
function respond<T>(result: Promise<T>, method: string): Promise<T> {
  const message = `\`${method}\` did not respond in ${TIMEOUT_MS / 1000} s`;
  return inTime(result, TIMEOUT_MS, () => new StorageError("failed", message));
}

function isSameDocument(a: HamNodes, b: HamNodes): boolean {
  return jsonEqualInAnyKeyOrder(unwrapNodes(a) as Json, unwrapNodes(b) as Json);
}

/** Returns the entry of an update that gives a node its value in a document, or deletes it. */
function editOf(nodes: HamNodes, id: string): [string, Json] {
  return Object.hasOwn(nodes, id) ? [id, nodes[id] as Json] : [`!${id}`, null];
}
