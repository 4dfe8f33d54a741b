import {
  type BenchName,
  parseSavedWork,
  type SavedWork,
  type WorkbenchState,
} from "./saved-work.js";

/**
 * Prefix of the storage keys, which contain the tab name so that tabs do not overwrite each other.
 */
const draftKeyPrefix = "byname-draft-1";
/** Maximum number of tabs with drafts; the oldest are deleted. */
const maxTabsWithDrafts = 6;

export interface Draft extends SavedWork {
  /** Time of writing, in milliseconds since the epoch. */
  time: number;
}

let tabName: string | null = null;

/**
 * Assigns this tab a name that survives a reload. A duplicated tab finds the lock of its name
 * taken, chooses another and copies the drafts.
 */
export async function assignTabName(): Promise<void> {
  const fresh = (): string => Math.random().toString(36).slice(2, 10);
  let name = fresh();
  try {
    name = sessionStorage.getItem("byname-tab") ?? name;
    const locks = (navigator as { locks?: LockManager }).locks;
    if (locks && !(await acquireLock(locks, name))) {
      const copied = name;
      name = fresh();
      void acquireLock(locks, name);
      for (const key of draftKeys()) {
        const [, of, bench] = key.split(":");
        const draft = localStorage.getItem(key);
        if (of === copied && draft)
          localStorage.setItem(`${draftKeyPrefix}:${name}:${bench}`, draft);
      }
    }
    sessionStorage.setItem("byname-tab", name);
  } catch {
    // Without storage the name lasts as long as the page.
  }
  tabName = name;
}

/** Acquires a lock for the lifetime of the page; resolves to false if another tab has it. */
function acquireLock(locks: LockManager, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    locks
      .request(`byname-tab-${name}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<never>(() => {});
      })
      .catch(reject);
  });
}

/** Saves the state of this tab. Throws if the storage is full or disabled. */
export function saveDraft(bench: BenchName, state: WorkbenchState): void {
  const draft: Draft = { bench, work: state, time: Date.now() };
  localStorage.setItem(`${draftKeyPrefix}:${tabName}:${bench}`, JSON.stringify(draft));
  const all = readDrafts().sort((a, b) => b.draft.time - a.draft.time);
  for (const { key } of all.slice(maxTabsWithDrafts * 3)) localStorage.removeItem(key);
}

export function draftOfThisTab(bench: BenchName): Draft | null {
  return (
    readDrafts().find(({ key }) => key === `${draftKeyPrefix}:${tabName}:${bench}`)?.draft ?? null
  );
}

export function latestDraftOfOtherTabs(bench: BenchName): Draft | null {
  return (
    readDrafts()
      .filter(
        ({ key, draft }) =>
          draft.bench === bench && key !== `${draftKeyPrefix}:${tabName}:${bench}`,
      )
      .map(({ draft }) => draft)
      .sort((a, b) => b.time - a.time)[0] ?? null
  );
}

export function deleteDraft(bench: BenchName): void {
  try {
    localStorage.removeItem(`${draftKeyPrefix}:${tabName}:${bench}`);
  } catch {
    // Without storage there is no draft.
  }
}

function readDrafts(): { key: string; draft: Draft }[] {
  try {
    return draftKeys().flatMap((key) => {
      const draft = parseDraft(localStorage.getItem(key));
      return draft ? [{ key, draft }] : [];
    });
  } catch {
    return [];
  }
}

function draftKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(`${draftKeyPrefix}:`));
}

function parseDraft(text: string | null): Draft | null {
  try {
    const value = JSON.parse(text ?? "null") as { time?: unknown } | null;
    const placed = parseSavedWork(value);
    return placed && typeof value?.time === "number" ? { ...placed, time: value.time } : null;
  } catch {
    return null;
  }
}
