import { init } from "byname";
import { sayNotLoaded } from "../page/load-error.js";
import type { Work } from "./saved-work.js";

/** A workbench of the page. */
export interface Bench {
  /** What the menu offers. */
  readonly examples: readonly { id: string; title: string }[];
  /** Comes into sight, with an example or with what somebody made of it; without either what was there stays. */
  enter(id: string, work?: Work): void;
  /** The id of the example that stands here; nothing where it is none of them. */
  now(): string;
  /** What the menu calls it then. */
  other?(): string;
  /** Goes out of sight: nothing moves any more. */
  leave(): void;
  /** What stands here; nothing before the core has come. */
  work?(): Work | null;
  /** Brings back what stood here, or in another tab, or with somebody else. */
  restore?(work: Work): void;
  /** What is on the screen, as a program; nothing before the core has come. */
  code?(): string | null;
}

/** What a workbench is that needs the core for everything. */
export interface Late {
  examples: Bench["examples"];
  /** Where it stands when the core does not load. */
  note: HTMLElement;
  /** The core is here. */
  wire(): void;
  /** Opens an example, or the first one. */
  open(id: string): void;
  /** The id of the example that is open; nothing where it is none of them. */
  now(): string;
  other?(): string;
  /** Nothing moves any more. */
  pause(): void;
  /** What stands here, and what brings it back. */
  work?(): Work;
  restore?(work: Work): void;
  code?(): string | null;
}

/** A workbench that loads the core when it is first looked at. */
export function lateBench(of: Late): Bench & { readonly inSight: boolean } {
  let state: "new" | "loading" | "ready" = "new";
  let wanted = "";
  let wantedWork: Work | undefined;
  let inSight = false;
  const load = async (): Promise<void> => {
    try {
      await init();
    } catch (error) {
      // Whoever chooses an example now means to try again as well.
      state = "new";
      sayNotLoaded(of.note, "The core", error, begin);
      return;
    }
    state = "ready";
    of.wire();
    if (wantedWork) of.restore?.(wantedWork);
    else of.open(wanted);
  };
  const want = (id: string, work?: Work): void => {
    wanted = id;
    wantedWork = work;
  };
  const begin = (): void => {
    if (state === "new") void load();
    state = "loading";
  };
  return {
    get examples() {
      return of.examples;
    },
    get inSight() {
      return inSight;
    },
    work: () => (state === "ready" ? (of.work?.() ?? null) : null),
    restore(work) {
      if (state === "ready") of.restore?.(work);
      else want(work.example, work);
    },
    now() {
      if (state === "ready") return of.now();
      return (of.examples.find((one) => one.id === wanted) ?? of.examples[0])?.id ?? "";
    },
    ...(of.other ? { other: of.other } : {}),
    ...(of.code ? { code: () => (state === "ready" ? (of.code?.() ?? null) : null) } : {}),
    enter(id, work) {
      inSight = true;
      if (state === "ready") {
        if (work) of.restore?.(work);
        else if (id !== "") of.open(id);
        return;
      }
      if (work || id !== "") want(id, work);
      begin();
    },
    leave() {
      inSight = false;
      if (state === "ready") of.pause();
    },
  };
}
