import type { Diagnostic } from "byname";
import type { GraphModel } from "./graph-model.js";
import { showImportErrors } from "./import-report.js";
import { cancelLoading, LoadingCancelled, showLoading } from "./loading-bar.js";
import { openFiles, type ReadingChoice } from "./open-files.js";

/** Opens files as a graph. Errors and progress are shown in `report`. */
export async function importGraph(
  report: HTMLElement,
  files: readonly File[],
  show: (graph: GraphModel, diagnostics: readonly Diagnostic[]) => void,
  choice?: ReadingChoice,
): Promise<void> {
  cancelLoading();
  const choose = (one: ReadingChoice): void => void importGraph(report, files, show, one);
  try {
    const opened = await openFiles(files, choice?.options ?? {}, () => showLoading(report, files));
    if (opened.model) show(opened.model, opened.diagnostics);
    else showImportErrors(report, opened, choose);
  } catch (error) {
    if (!(error instanceof LoadingCancelled)) throw error;
  }
}
