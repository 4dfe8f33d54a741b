import { type BenchName, type Placed, placedOf, type Work } from "./saved-work.js";

/** What the browser keeps of each tab: no tab ever writes over another one's work. */
const prefix = "byname-draft-1";
/** Of more tabs than this the oldest drafts go. */
const most = 6;

export interface Draft extends Placed {
  /** When it was written, in milliseconds. */
  time: number;
}

let tab: string | null = null;

/**
 * The name of this tab, which a reload keeps. A tab that was duplicated has the name of the other one, who still
 * holds the lock of it; then it takes another.
 */
export async function nameTab(): Promise<void> {
  const fresh = (): string => Math.random().toString(36).slice(2, 10);
  let name = fresh();
  try {
    name = sessionStorage.getItem("byname-tab") ?? name;
    const locks = (navigator as { locks?: LockManager }).locks;
    if (locks && !(await held(locks, name))) {
      const copied = name;
      name = fresh();
      void held(locks, name);
      for (const key of keys()) {
        const [, of, bench] = key.split(":");
        const draft = localStorage.getItem(key);
        if (of === copied && draft) localStorage.setItem(`${prefix}:${name}:${bench}`, draft);
      }
    }
    sessionStorage.setItem("byname-tab", name);
  } catch {
    // A browser that keeps nothing: the name lasts as long as the page.
  }
  tab = name;
}

/** Holds a lock as long as the page lives; false where somebody else has it. */
function held(locks: LockManager, name: string): Promise<boolean> {
  return new Promise((told, failed) => {
    locks
      .request(`byname-tab-${name}`, { ifAvailable: true }, (lock) => {
        told(lock !== null);
        return lock === null ? undefined : new Promise<never>(() => {});
      })
      .catch(failed);
  });
}

/** Keeps the work of this tab. Throws where the browser does not. */
export function keep(bench: BenchName, work: Work): void {
  const draft: Draft = { bench, work, time: Date.now() };
  localStorage.setItem(`${prefix}:${tab}:${bench}`, JSON.stringify(draft));
  const all = read().sort((a, b) => b.draft.time - a.draft.time);
  for (const { key } of all.slice(most * 3)) localStorage.removeItem(key);
}

/** What this tab has kept. */
export function kept(bench: BenchName): Draft | null {
  return read().find(({ key }) => key === `${prefix}:${tab}:${bench}`)?.draft ?? null;
}

/** The last thing that any other tab has kept. */
export function keptElsewhere(bench: BenchName): Draft | null {
  return (
    read()
      .filter(({ key, draft }) => draft.bench === bench && key !== `${prefix}:${tab}:${bench}`)
      .map(({ draft }) => draft)
      .sort((a, b) => b.time - a.time)[0] ?? null
  );
}

export function forget(bench: BenchName): void {
  try {
    localStorage.removeItem(`${prefix}:${tab}:${bench}`);
  } catch {
    // There was nothing then.
  }
}

function read(): { key: string; draft: Draft }[] {
  try {
    return keys().flatMap((key) => {
      const draft = draftOf(localStorage.getItem(key));
      return draft ? [{ key, draft }] : [];
    });
  } catch {
    return [];
  }
}

function keys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(`${prefix}:`));
}

function draftOf(text: string | null): Draft | null {
  try {
    const value = JSON.parse(text ?? "null") as { time?: unknown } | null;
    const placed = placedOf(value);
    return placed && typeof value?.time === "number" ? { ...placed, time: value.time } : null;
  } catch {
    return null;
  }
}
