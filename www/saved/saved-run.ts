import type { Json, StateBackend, StateChange } from "byname";
import type { KeyStorage, Storage } from "byname/storage";
import { newRunId, type SavedRunInfo, type SavedRuns } from "./saved-runs.js";
import { isConflict } from "./storage-problem.js";

/** Data that the page saves in addition to the state of a run. */
export interface RunSnapshot {
  entry: Omit<SavedRunInfo, "id" | "time" | "size">;
  page: Json;
  /** Size in bytes of the parts that are stored elsewhere. */
  otherSize: number;
}

/** Revisions of the parts of a run; missing before they are known. */
export interface RunRevisions {
  entry?: string | null;
  page?: string | null;
}

export interface SavedRunListener {
  /** Called when a snapshot is stored. */
  saved(): void;
  /** Called once, with the error after which nothing is saved. */
  failed(error: unknown): void;
}

/** Run that is saved during its execution. After an error it continues without being saved. */
export class SavedRun {
  readonly id: string;
  readonly #runs: SavedRuns;
  readonly #listener: SavedRunListener;
  #isStopped = false;
  /** Whether the session continues without its storage. */
  #isDetached = false;
  #isSaving = false;
  #nextSnapshot: (() => Promise<RunSnapshot>) | null = null;
  readonly #revisions: RunRevisions;

  /** `revisions` are those of a run that was loaded, so that another tab's save is a conflict. */
  constructor(
    runs: SavedRuns,
    listener: SavedRunListener,
    id = newRunId(),
    revisions: RunRevisions = {},
  ) {
    this.#revisions = { ...revisions };
    this.#runs = runs;
    this.#listener = listener;
    this.id = id;
  }

  /**
   * Backend of a session. Only a conflict stops it; after another error it continues without being
   * saved.
   */
  get backend(): StateBackend {
    return this.#guarded("state");
  }

  /** Storage of a workflow, which continues after an error as a session does. */
  get storage(): Pick<Storage, "at"> {
    return { at: (key) => this.#guarded(key) as KeyStorage };
  }

  #guarded(part: string): StateBackend {
    const storage = this.#runs.part(this.id, part);
    const unsaved = { rev: "not saved" };
    const guard = async <T>(act: () => Promise<T>, otherwise: T): Promise<T> => {
      if (this.#isDetached) return otherwise;
      try {
        return await act();
      } catch (error) {
        this.#stop(error);
        if (isConflict(error)) throw error;
        this.#isDetached = true;
        return otherwise;
      }
    };
    return {
      load: () => guard<{ state: Json; rev: string } | null>(() => storage.load(), null),
      save: (state, options) => guard(() => storage.save(state, options), unsaved),
      saveChanges: (changes: StateChange[], options) =>
        guard(async () => {
          // The changes of a worker are decoded in the current task. A large list takes another one.
          await new Promise((resolve) => setTimeout(resolve));
          return await storage.saveChanges(changes, options);
        }, unsaved),
    };
  }

  /** Saves the latest snapshot when the previous save has ended. */
  save(snapshot: () => Promise<RunSnapshot>): void {
    this.#nextSnapshot = snapshot;
    if (!this.#isSaving && !this.#isStopped) void this.#saveAll();
  }

  async #saveAll(): Promise<void> {
    this.#isSaving = true;
    try {
      for (;;) {
        const next = this.#nextSnapshot;
        if (!next || this.#isStopped) break;
        this.#nextSnapshot = null;
        const { entry, page, otherSize } = await next();
        const size = JSON.stringify(page).length + otherSize;
        await this.#savePart("page", page);
        await this.#savePart("entry", { ...entry, time: Date.now(), size });
        this.#listener.saved();
      }
    } catch (error) {
      this.#stop(error);
    }
    this.#isSaving = false;
  }

  async #savePart(part: "entry" | "page", value: Json): Promise<void> {
    const storage = part === "entry" ? this.#runs.entry(this.id) : this.#runs.part(this.id, part);
    this.#revisions[part] ??= (await storage.load())?.rev ?? null;
    const { rev } = await storage.save(value, { expectedRev: this.#revisions[part] ?? null });
    this.#revisions[part] = rev;
  }

  #stop(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#listener.failed(error);
  }
}
