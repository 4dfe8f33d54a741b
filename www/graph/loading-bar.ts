import { button, div, element } from "../page/element.js";
import type { LoadingView } from "./graph-files.js";

/** Controller of the files that are being loaded. */
let current: AbortController | null = null;

/** Reason of an abort by the user or by another action. */
export class LoadingCancelled extends Error {}

/** Cancels the loading of files, if any. */
export function cancelLoading(): void {
  current?.abort(new LoadingCancelled("cancelled"));
}

/** Shows the progress of loading in place of the messages about files, with a Cancel button. */
export function showLoading(host: HTMLElement, files: readonly File[]): LoadingView {
  const abort = new AbortController();
  current = abort;
  const name = files.map((file) => file.name).join(" and ");
  const words = element("p", { role: "status" }, `Reading ${name}…`);
  const bar = element("progress", { "aria-label": `Progress of ${name}`, max: "1", value: "0" });
  const cancel = button("Cancel", { class: "small" }, cancelLoading);
  host.hidden = false;
  host.replaceChildren(div("loading-graph", words, bar, cancel));
  abort.signal.addEventListener("abort", () => {
    host.hidden = true;
  });
  return {
    signal: abort.signal,
    progress(bytes, total) {
      bar.value = bytes / total;
      if (bytes < total) return;
      words.textContent = `Building the graph of ${name}…`;
      // Without a value the bar shows activity of unknown length.
      bar.removeAttribute("value");
    },
  };
}
