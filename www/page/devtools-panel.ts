import { attach, type BynameDevtools, defineDevtools } from "byname/devtools";
import "../css/devtools.css";
import { element } from "./element.js";

/** Creates a panel of `byname/devtools` that fills its container. */
export function createPanel(views: readonly string[]): BynameDevtools {
  defineDevtools();
  const panel = element("byname-devtools", { fill: "" });
  panel.views = views;
  // The page highlights the changes itself.
  panel.highlightsChanges = false;
  return panel;
}

/** Panel with the runs of one session or workflow, which it can pause between steps. */
export class RunPanel {
  readonly element = createPanel(["Runs", "Diagnostics"]);
  #detach = (): void => {};

  /**
   * Records the runs of an object in place of those of the previous one. A pause stays, and the
   * earlier entries if it `continues` them.
   */
  record(targets: Parameters<typeof attach>[0], continues: boolean): void {
    const { recorder } = this.element;
    const { isPaused } = recorder;
    this.#detach();
    if (!continues) recorder.clear();
    this.#detach = attach(targets, { panel: this.element });
    if (isPaused) recorder.pause();
  }
}
