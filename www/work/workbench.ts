import { init } from "byname";
import { showLoadError } from "../page/load-error.js";
import type { WorkbenchState } from "./saved-work.js";

export interface Workbench {
  /** Entries of the menu. */
  readonly examples: readonly { id: string; title: string }[];
  /** Shows the workbench, with an example or a saved state; without either it is unchanged. */
  enter(id: string, state?: WorkbenchState): void;
  /** Returns the id of the open example, or an empty string. */
  currentId(): string;
  /** Returns the menu title if no example is open. */
  otherTitle?(): string;
  /** Hides the workbench and stops all activity. */
  leave(): void;
  /** Returns the state to save, or null before the core has loaded. */
  state?(): WorkbenchState | null;
  /** Restores a saved state. */
  restore?(work: WorkbenchState): void;
  /** Returns a program with the same effect, or null before the core has loaded. */
  program?(): string | null;
}

/** Workbench that needs the core for everything. */
export interface DeferredWorkbench {
  examples: Workbench["examples"];
  /** Element that shows a loading error. */
  errorHost: HTMLElement;
  /** Shows an example as far as possible before the core has loaded. */
  preview?(id: string): void;
  /** Adds the event listeners; called when the core has loaded. */
  wire(): void;
  /** Opens an example, or the first one. */
  open(id: string): void;
  /** Returns the id of the open example, or an empty string. */
  currentId(): string;
  otherTitle?(): string;
  /** Stops all activity. */
  pause(): void;
  state?(): WorkbenchState;
  restore?(work: WorkbenchState): void;
  program?(): string | null;
}

/** Makes a workbench load the core when it is first opened. */
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
      // Opening an example retries.
      phase = "new";
      showLoadError(workbench.errorHost, "the core", error, startLoading);
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
      workbench.preview?.(pendingId);
      startLoading();
    },
    leave() {
      visible = false;
      if (phase === "ready") workbench.pause();
    },
  };
}
