import { showNotice } from "../page/notice.js";
import { openSavedRuns } from "./dialog.js";
import type { SavedRunInfo } from "./saved-runs.js";
import { describeStorageError, isConflict } from "./storage-problem.js";

export interface SavedListActions {
  /** Noun for a saved run, such as `session`. */
  noun: string;
  /** Explains what is saved. */
  explanation: string;
  list(): Promise<SavedRunInfo[]>;
  open(id: string): Promise<void>;
  delete(run: SavedRunInfo): Promise<void>;
  /** Returns the id of the run that continues in this page, or `undefined`. */
  currentId(): string | undefined;
}

/** Button with the number of saved runs, their list, and the errors of saving. */
export class SavedList {
  readonly #button: HTMLButtonElement;
  readonly #on: SavedListActions;
  readonly #reported = new Set<string>();

  constructor(button: HTMLButtonElement, on: SavedListActions) {
    this.#button = button;
    this.#on = on;
    button.addEventListener("click", () => this.show());
  }

  /** Shows the number of saved runs in the button. */
  async update(): Promise<void> {
    const { noun, list, currentId } = this.#on;
    const runs = await list().catch(() => []);
    const unfinished = runs.filter(({ id, isDone }) => !isDone && id !== currentId()).length;
    const state = unfinished === 0 ? "" : `, ${unfinished} not finished`;
    this.#button.textContent = runs.length === 0 ? "Saved" : `Saved (${runs.length})`;
    // The name begins with the visible text.
    this.#button.setAttribute("aria-label", `${this.#button.textContent}: open saved ${noun}`);
    this.#button.title = `Open saved ${noun}: your runs are saved in this browser${state}`;
    this.#button.classList.toggle("unfinished", unfinished > 0);
  }

  show(): void {
    const { noun, explanation, list, open } = this.#on;
    openSavedRuns({
      title: `Saved ${noun}s`,
      explanation,
      list,
      open: ({ id }) => open(id),
      delete: async (run) => {
        await this.#on.delete(run);
        await this.update();
      },
    });
  }

  /** Reports why a run is no longer saved: once for each reason, but each conflict. */
  report(id: string, error: unknown): void {
    const { noun, open } = this.#on;
    const words = describeStorageError(error);
    if (isConflict(error)) {
      const reload = (): void =>
        void open(id).catch((reason: unknown) => {
          showNotice({ text: `Not opened: ${describeStorageError(reason)}` });
        });
      const actions = [{ label: `Reload ${noun}`, run: reload }];
      showNotice({ text: `Not saved: ${words}`, actions });
      return;
    }
    if (this.#reported.has(words)) return;
    this.#reported.add(words);
    const actions = [{ label: `Saved ${noun}s`, run: () => this.show() }];
    showNotice({ text: `This run is not saved. ${words}`, actions });
  }
}
