import { init } from "byname";
import { showLoadError } from "../page/load-error.js";
import type { WorkbenchState } from "./saved-work.js";

/** A workbench of the page. */
export interface Workbench {
  /** What the menu offers. */
  readonly examples: readonly { id: string; title: string }[];
  /** Comes into sight, with an example or with what somebody made of it; without either what was there stays. */
  enter(id: string, state?: WorkbenchState): void;
  /** The id of the example that stands here; nothing where it is none of them. */
  currentId(): string;
  /** What the menu calls it then. */
  otherTitle?(): string;
  /** Goes out of sight: nothing moves any more. */
  leave(): void;
  /** What stands here; nothing before the core has come. */
  state?(): WorkbenchState | null;
  /** Brings back what stood here, or in another tab, or with somebody else. */
  restore?(work: WorkbenchState): void;
  /** What is on the screen, as a program; nothing before the core has come. */
  program?(): string | null;
}

/** What a workbench is that needs the core for everything. */
export interface DeferredWorkbench {
  examples: Workbench["examples"];
  /** Where it stands when the core does not load. */
  errorHost: HTMLElement;
  /** The core is here. */
  wire(): void;
  /** Opens an example, or the first one. */
  open(id: string): void;
  /** The id of the example that is open; nothing where it is none of them. */
  currentId(): string;
  otherTitle?(): string;
  /** Nothing moves any more. */
  pause(): void;
  /** What stands here, and what brings it back. */
  state?(): WorkbenchState;
  restore?(work: WorkbenchState): void;
  program?(): string | null;
}

/** A workbench that loads the core when it is first looked at. */
export function deferWorkbench(
  workbench: DeferredWorkbench,
): Workbench & { readonly visible: boolean } {
  let phase: "new" | "loading" | "ready" = "new";
  let pendingId = "";
  let pendingState: WorkbenchState | undefined;
  let visible = false;
  const load = async (): Promise<void> => {
    try {
      await init();
    } catch (error) {
      // Whoever chooses an example now means to try again as well.
      phase = "new";
      showLoadError(workbench.errorHost, "The core", error, startLoading);
      return;
    }
    phase = "ready";
    workbench.wire();
    if (pendingState) workbench.restore?.(pendingState);
    else workbench.open(pendingId);
  };
  const setPending = (id: string, work?: WorkbenchState): void => {
    pendingId = id;
    pendingState = work;
  };
  const startLoading = (): void => {
    if (phase === "new") void load();
    phase = "loading";
  };
  return {
    get examples() {
      return workbench.examples;
    },
    get visible() {
      return visible;
    },
    state: () => (phase === "ready" ? (workbench.state?.() ?? null) : null),
    restore(work) {
      if (phase === "ready") workbench.restore?.(work);
      else setPending(work.example, work);
    },
    currentId() {
      if (phase === "ready") return workbench.currentId();
      return (
        (workbench.examples.find((one) => one.id === pendingId) ?? workbench.examples[0])?.id ?? ""
      );
    },
    ...(workbench.otherTitle ? { otherTitle: workbench.otherTitle } : {}),
    ...(workbench.program
      ? { program: () => (phase === "ready" ? (workbench.program?.() ?? null) : null) }
      : {}),
    enter(id, work) {
      visible = true;
      if (phase === "ready") {
        if (work) workbench.restore?.(work);
        else if (id !== "") workbench.open(id);
        return;
      }
      if (work || id !== "") setPending(id, work);
      startLoading();
    },
    leave() {
      visible = false;
      if (phase === "ready") workbench.pause();
    },
  };
}
