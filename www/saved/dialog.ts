import { closeOnOutsideClick, showDialog } from "../page/dialog.js";
import { button, div, element, span } from "../page/element.js";
import type { SavedRunInfo } from "./saved-runs.js";
import { describeStorageError } from "./storage-problem.js";
import "./saved.css";

export interface SavedRunsDialog {
  title: string;
  /** Explains what is saved. */
  explanation: string;
  list(): Promise<SavedRunInfo[]>;
  /** Opens a run; an error is shown in the dialog. */
  open(run: SavedRunInfo): Promise<void>;
  delete(run: SavedRunInfo): Promise<void>;
}

/** Shows the saved runs, to open and to delete them. */
export function openSavedRuns({ title, explanation, ...on }: SavedRunsDialog): void {
  const dialog = element("dialog", { class: "dialog wide", "aria-labelledby": "saved-head" });
  const errorLine = element("p", { class: "error", role: "alert" });
  const list = element("ul", { class: "saved-runs" });
  const status = element("p", { class: "muted", role: "status" }, "Loading…");
  const perform = async (act: () => Promise<void>): Promise<void> => {
    errorLine.textContent = "";
    try {
      await act();
    } catch (error) {
      errorLine.textContent = describeStorageError(error);
    }
  };
  const refresh = (): Promise<void> =>
    perform(async () => {
      const runs = await on.list();
      status.textContent = runs.length === 0 ? "Nothing is saved yet." : explanation;
      list.replaceChildren(...runs.map(renderRun));
    });
  const renderRun = (run: SavedRunInfo): HTMLElement => {
    const name = run.name === "" ? "Unnamed" : run.name;
    const state = run.isDone ? "" : "not finished";
    const when = run.time === 0 ? "" : new Date(run.time).toLocaleString();
    const openRun = (): void =>
      void perform(async () => {
        status.textContent = "Opening…";
        await on.open(run).finally(() => {
          status.textContent = explanation;
        });
        dialog.close();
      });
    const deleteRun = (): void =>
      void perform(async () => {
        await on.delete(run);
        await refresh();
        // The focused button was removed.
        dialog.querySelector<HTMLElement>(".saved-close")?.focus();
      });
    const about = `${name}, ${when}`;
    return element(
      "li",
      div(
        "saved-text",
        element("strong", name),
        span("muted", run.detail),
        span("muted", [when, formatSize(run.size), state].filter(Boolean).join(" · ")),
      ),
      button("Open", { class: "small", "aria-label": `Open ${about}` }, openRun),
      button("Delete", { class: "small", "aria-label": `Delete ${about}` }, deleteRun),
    );
  };
  dialog.append(
    element("h2", { id: "saved-head" }, title),
    status,
    list,
    errorLine,
    div(
      "group",
      button("Close", { class: "saved-close" }, () => dialog.close()),
    ),
  );
  closeOnOutsideClick(dialog);
  showDialog(dialog);
  void refresh();
}

function formatSize(bytes: number): string {
  if (bytes === 0) return "";
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
