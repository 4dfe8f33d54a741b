import { showNotice } from "../page/notice.js";
import { openModelDialog } from "./dialog.js";

/**
 * Handles files dropped outside a drop target, because the browser would leave the page: opens the
 * model dialog for GGUF files, and explains other drops.
 */
export function handlePageDrops(): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    if (event.defaultPrevented || !files?.length) return;
    event.preventDefault();
    if (isModelFile(files[0])) openModelDialog(files);
    else
      showNotice({
        text: "To open a graph, drop the file on the Graph workbench: GraphML, JSON or CSV.",
        actions: [
          {
            label: "Open Graph",
            run: () => {
              location.hash = "#graph";
            },
          },
        ],
      });
  });
}

function isModelFile(file: File | undefined): boolean {
  return /\.gguf$/i.test(file?.name ?? "");
}

/** Accepts files dropped on an element, and highlights it. */
export function acceptDroppedFiles(
  host: HTMLElement,
  accept: (files: readonly File[]) => void,
): void {
  host.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    host.classList.add("over");
  });
  host.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null || !host.contains(event.relatedTarget as Node))
      host.classList.remove("over");
  });
  host.addEventListener("drop", (event) => {
    host.classList.remove("over");
    const files = [...(event.dataTransfer?.files ?? [])];
    // A model file is handled by the page.
    if (files.length === 0 || isModelFile(files[0])) return;
    event.preventDefault();
    accept(files);
  });
}
