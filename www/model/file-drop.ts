import { errorText } from "../page/format.js";
import { showNotice } from "../page/notice.js";
import { openModelDialog } from "./dialog.js";

/** Notice about a file that is not a log. */
const graphHint = "To open a graph, drop the file on the Graph workbench: GraphML, JSON or CSV.";

/**
 * Handles files dropped outside a drop target, because the browser would leave the page. Opens the
 * model dialog for GGUF files and the Surface workbench for logs, and explains other drops.
 */
export function handlePageDrops(): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    const [file] = files ?? [];
    if (event.defaultPrevented || !files || !file) return;
    event.preventDefault();
    if (isModelFile(file)) openModelDialog(files);
    else if (/\.(?:graphml|xml|csv|tsv)$/i.test(file.name)) showGraphHint(graphHint);
    else void openLogFile(file);
  });
}

/** Opens the log in a file, or explains why not. */
export async function openLogFile(file: File): Promise<void> {
  try {
    const { openDroppedLog } = await import("../surface/workbench.js");
    if (await openDroppedLog(file)) return;
    showGraphHint(
      `Expected messages of a surface in ${file.name}, found none: drop the complete response of an agent. ${graphHint}`,
    );
  } catch (error) {
    showNotice({ text: `Could not open ${file.name}: ${errorText(error)}.` });
  }
}

function showGraphHint(text: string): void {
  const open = (): void => {
    location.hash = "#graph";
  };
  showNotice({ text, actions: [{ label: "Open Graph", run: open }] });
}

function isModelFile(file: File | undefined): boolean {
  return /\.gguf$/i.test(file?.name ?? "");
}

/**
 * Accepts files dropped on an element, and highlights it. The page handles files whose first one is
 * not accepted.
 */
export function acceptDroppedFiles(
  host: HTMLElement,
  accept: (files: readonly File[]) => void,
  isAccepted: (file: File) => boolean = () => true,
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
  const drop = (event: DragEvent): void => {
    host.classList.remove("over");
    const files = [...(event.dataTransfer?.files ?? [])];
    const [first] = files;
    // A model file is handled by the page.
    if (!first || isModelFile(first) || !isAccepted(first)) return;
    event.preventDefault();
    // An editor would insert the text of the file.
    event.stopPropagation();
    accept(files);
  };
  host.addEventListener("drop", drop, true);
}
