import { byId } from "../page/element.js";
import { recogniseLog } from "./log-format.js";

interface LogInput {
  /** Opens the files that the user has chosen. */
  openFile(file: File): void;
  /** Opens a pasted log. */
  openText(text: string): void;
  /** Whether the page shows the workbench. */
  isVisible(): boolean;
  /** Whether a paste into the editor may replace its text. */
  isEditorReplaceable(): boolean;
}

/** Adds the listeners that open a log: the button, and a paste anywhere except in a field. */
export function wireLogInput(input: LogInput): void {
  const control = byId("open-log") as HTMLButtonElement;
  const file = byId("log-file") as HTMLInputElement;
  control.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    for (const one of file.files ?? []) input.openFile(one);
    file.value = "";
  });
  control.disabled = false;
  const editor = byId("editor");
  // Before the editor inserts the text.
  addEventListener(
    "paste",
    (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!input.isVisible() || document.querySelector("dialog[open]")) return;
      const inEditor = event.composedPath().includes(editor);
      const isOpened = inEditor ? input.isEditorReplaceable() : !isField(event.composedPath()[0]);
      if (!isOpened || !recogniseLog(text)) return;
      event.preventDefault();
      event.stopPropagation();
      input.openText(text);
    },
    { capture: true },
  );
  wireDropHint(byId("stage").closest<HTMLElement>(".bench") ?? document.body);
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

/** Highlights the panes while a file is dragged over them; the page handles the drop. */
function wireDropHint(host: HTMLElement): void {
  host.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) host.classList.add("over");
  });
  host.addEventListener("dragleave", (event) => {
    if (!host.contains(event.relatedTarget as Node | null)) host.classList.remove("over");
  });
  host.addEventListener("drop", () => host.classList.remove("over"));
}
