import { notice } from "../page/notice.js";
import { chooseModel } from "./dialog.js";

/** A browser opens a file that is dropped beside its place, and the page is gone. Here it is told where files go. */
export function listenToDrops(): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    if (event.defaultPrevented || !files?.length) return;
    event.preventDefault();
    if (isModel(files[0])) chooseModel(files);
    else
      notice({
        words:
          "A file becomes a graph where it is dropped on the Graph workbench: GraphML, JSON or CSV.",
        actions: [
          {
            label: "Go there",
            run: () => {
              location.hash = "#graph";
            },
          },
        ],
      });
  });
}

function isModel(file: File | undefined): boolean {
  return /\.gguf$/i.test(file?.name ?? "");
}

/** Takes the files that are dropped on a place, which shows that it would. */
export function takeDrops(home: HTMLElement, take: (files: readonly File[]) => void): void {
  home.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    home.classList.add("over");
  });
  home.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null || !home.contains(event.relatedTarget as Node))
      home.classList.remove("over");
  });
  home.addEventListener("drop", (event) => {
    home.classList.remove("over");
    const files = [...(event.dataTransfer?.files ?? [])];
    // A model is the page's, wherever it is dropped.
    if (files.length === 0 || isModel(files[0])) return;
    event.preventDefault();
    take(files);
  });
}
