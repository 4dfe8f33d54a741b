import { highlightGasl } from "../graph/highlight.js";
import { div, element, p, span } from "../page/element.js";
import { emptyPaneHint, formatCoarseMilliseconds, formatCount } from "../page/format.js";
import type { PlanProgress, PlanStep } from "./frame.js";

/** Commands of the plan, with the current one marked and the results of completed ones. */
export class PlanView {
  readonly #host: HTMLElement;
  #current: PlanProgress | null = null;
  #lines: { item: HTMLElement; left: HTMLElement }[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    // Scrollable, so it must be focusable.
    host.tabIndex = 0;
  }

  show(plan: PlanProgress | null): void {
    if (plan === this.#current) return;
    if (plan === null) {
      this.#host.replaceChildren(emptyPaneHint("The plan of the model appears here."));
      this.#lines = [];
    } else if (plan.steps.length !== this.#lines.length || plan.why !== this.#current?.why) {
      this.#renderPlan(plan);
    }
    this.#current = plan;
    for (const [index, step] of plan?.steps.entries() ?? [])
      this.#updateStep(step, index, plan?.at ?? -1);
  }

  #renderPlan({ why, steps }: PlanProgress): void {
    this.#lines = steps.map((step, index) => {
      const left = span("plan-left");
      const words = span("muted plan-why", step.why);
      const line = div("plan-line", highlightedCommand(step.command), left);
      const item = element("li", words, line);
      item.style.setProperty("--nth", String(index));
      return { item, left };
    });
    this.#host.replaceChildren(
      p("plan-reason", why),
      element("ol", { class: "plan-steps" }, ...this.#lines.map(({ item }) => item)),
    );
  }

  #updateStep({ status, rows, time }: PlanStep, index: number, at: number): void {
    const line = this.#lines[index];
    if (!line) return;
    line.item.dataset["state"] = index === at ? "now" : status === null ? "later" : "done";
    line.item.dataset["status"] = status ?? "";
    const rowText = rows === null ? (status === null ? "" : "done") : formatCount(rows, "row");
    const failed = status !== null && status !== "success" && status !== "empty";
    line.left.textContent = failed ? status.replace("_", " ") : rowText;
    line.left.title = time === null ? "" : formatCoarseMilliseconds(time);
    if (index === at) scrollIntoBox(line.item, this.#host);
  }
}

/** Renders a command with the editor's highlighting. */
function highlightedCommand(command: string): HTMLElement {
  const code = element("code");
  let at = 0;
  for (const [start, end, name] of highlightGasl(command)) {
    if (start > at) code.append(command.slice(at, start));
    code.append(element("span", { class: name }, command.slice(start, end)));
    at = end;
  }
  code.append(command.slice(at));
  return code;
}

/** Scrolls the box, not the page. */
function scrollIntoBox(item: HTMLElement, box: HTMLElement): void {
  const below = item.offsetTop + item.offsetHeight - (box.scrollTop + box.clientHeight);
  if (below > 0) box.scrollTop += below;
  else if (item.offsetTop < box.scrollTop) box.scrollTop = item.offsetTop;
}
