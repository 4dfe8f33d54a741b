import { colours } from "../graph/highlight.js";
import { element } from "../page/element.js";
import { briefly, count, hint } from "../page/format.js";
import type { PlanShown, Step } from "./frame.js";

/** The plan as the model wrote it: what runs is marked, and what has run says what it left. */
export class PlanView {
  readonly #host: HTMLElement;
  #shown: PlanShown | null = null;
  #lines: { item: HTMLElement; left: HTMLElement }[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    // It scrolls, so that a keyboard has to get there.
    host.tabIndex = 0;
  }

  show(plan: PlanShown | null): void {
    if (plan === this.#shown) return;
    if (plan === null) {
      this.#host.replaceChildren(hint("The model writes here what it wants to know of the graph."));
      this.#lines = [];
    } else if (plan.steps.length !== this.#lines.length || plan.why !== this.#shown?.why) {
      this.#write(plan);
    }
    this.#shown = plan;
    for (const [index, step] of plan?.steps.entries() ?? [])
      this.#mark(step, index, plan?.at ?? -1);
  }

  #write({ why, steps }: PlanShown): void {
    this.#lines = steps.map((step, index) => {
      const left = element("span", { class: "plan-left" });
      const words = element("span", { class: "soft plan-why" }, step.why);
      const line = element("div", { class: "plan-line" }, coloured(step.command), left);
      const item = element("li", {}, words, line);
      item.style.setProperty("--nth", String(index));
      return { item, left };
    });
    this.#host.replaceChildren(
      element("p", { class: "plan-reason" }, why),
      element("ol", { class: "plan-steps" }, ...this.#lines.map(({ item }) => item)),
    );
  }

  #mark({ status, rows, time }: Step, index: number, at: number): void {
    const line = this.#lines[index];
    if (!line) return;
    line.item.dataset["state"] = index === at ? "now" : status === null ? "later" : "done";
    line.item.dataset["status"] = status ?? "";
    const told = rows === null ? (status === null ? "" : "done") : count(rows, "row");
    const bad = status !== null && status !== "success" && status !== "empty";
    line.left.textContent = bad ? status.replace("_", " ") : told;
    line.left.title = time === null ? "" : briefly(time);
    if (index === at) follow(line.item, this.#host);
  }
}

/** The command, coloured as the editor does it. */
function coloured(command: string): HTMLElement {
  const code = element("code");
  let at = 0;
  for (const [start, end, name] of colours(command)) {
    if (start > at) code.append(command.slice(at, start));
    code.append(element("span", { class: name }, command.slice(start, end)));
    at = end;
  }
  code.append(command.slice(at));
  return code;
}

/** Scrolls the box alone, never the page. */
function follow(item: HTMLElement, box: HTMLElement): void {
  const below = item.offsetTop + item.offsetHeight - (box.scrollTop + box.clientHeight);
  if (below > 0) box.scrollTop += below;
  else if (item.offsetTop < box.scrollTop) box.scrollTop = item.offsetTop;
}
