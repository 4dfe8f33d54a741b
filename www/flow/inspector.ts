import { buildContext, type Json, type Registry } from "byname";
import { CollapsibleSections } from "../page/collapsible.js";
import { RunPanel } from "../page/devtools-panel.js";
import { button, div, element, p } from "../page/element.js";
import { preserveFocus } from "../page/focus.js";
import { emptyPaneHint, formatCount } from "../page/format.js";
import { formatJson } from "../page/format-json.js";
import { addPartTabs, type PartTabs } from "../page/tabs.js";
import type { CompiledWorkflow } from "./diagram.js";
import type { Run } from "./run.js";
import { renderRunLog } from "./run-log.js";

const parts = ["Planner", "Run", "Events", "Mappings", "Mermaid"] as const;
type Part = (typeof parts)[number];

export interface InspectorInput {
  text: string;
  registry: { [type: string]: Json };
  compiled: CompiledWorkflow | null;
  run: Run | null;
  picked: string | null;
}

/** Inspector tabs: the planner's view, the run, its events, the mappings, the Mermaid flowchart. */
export class Inspector {
  readonly #host: HTMLElement;
  readonly #folds = new CollapsibleSections();
  readonly parts: PartTabs<Part>;
  readonly #showAllNodes: () => void;
  readonly #budget = element("input", {
    type: "number",
    min: "0",
    step: "100",
    class: "find",
    id: "flow-budget",
    placeholder: "none",
  });
  readonly #markdown = element("pre", {
    class: "card",
    tabindex: "0",
    "aria-label": "What the model sees",
  });
  /** Events of the runs; it can pause before calls. */
  readonly events = new RunPanel();
  readonly #count = element("span", { class: "muted", "aria-live": "polite" });
  #part: Part = "Planner";
  #input: InspectorInput | null = null;

  constructor(strip: HTMLElement, host: HTMLElement, showAllNodes: () => void) {
    this.#host = host;
    this.#showAllNodes = showAllNodes;
    this.parts = addPartTabs(strip, host, "flow-why", parts, (part) => {
      this.#part = part;
      this.#draw(true);
    });
    this.#budget.addEventListener("input", () => this.#updatePlannerText());
    this.parts.open("Planner");
  }

  show(input: InspectorInput): void {
    this.#input = input;
    this.#draw(false);
  }

  #draw(fresh: boolean): void {
    const host = this.#host;
    const last = host.scrollHeight - host.scrollTop - host.clientHeight < 48;
    const top = fresh ? 0 : host.scrollTop;
    host.classList.toggle("devtools", this.#part === "Events");
    // The panel draws itself.
    if (this.#part === "Events" && host.contains(this.events.element)) return;
    if (this.#part === "Planner" && host.contains(this.#budget)) this.#updatePlannerText();
    else preserveFocus(host, () => host.replaceChildren(...this.#content()));
    // A scroll position above the end is kept.
    const follows = this.#part === "Run" && this.#input?.run?.running && (last || fresh);
    host.scrollTop = follows ? host.scrollHeight : top;
  }

  #content(): HTMLElement[] {
    if (!this.#input) return [];
    const { compiled, run, picked } = this.#input;
    const flow = compiled?.flow;
    switch (this.#part) {
      case "Planner":
        return this.#renderPlanner();
      case "Run": {
        const all = button("Show all nodes", { class: "small" }, this.#showAllNodes);
        return [
          ...(picked === null ? [] : [div("line", all)]),
          ...renderRunLog(run, picked, this.#folds),
        ];
      }
      case "Events":
        return [this.events.element];
      case "Mappings": {
        if (!flow) return [emptyPaneHint("Fix the errors of the workflow to see its mappings.")];
        const { mappings = {}, collisions = [] } = compiled.diagram ?? {};
        if (Object.keys(mappings).length === 0)
          return [emptyPaneHint("No two nodes write the same key, so nothing is mapped.")];
        return [
          ...collisions.map(({ key, writers }) =>
            element(
              "p",
              element("code", { class: "warning" }, key),
              ` is written by ${writers.join(", ")}.`,
            ),
          ),
          ...this.#renderCopyable(
            "The generated mappings of the run. Neither author nor model writes them.",
            formatJson(mappings as unknown as Json),
          ),
        ];
      }
      case "Mermaid":
        if (!flow) return [emptyPaneHint("Fix the errors of the workflow to see its flowchart.")];
        return this.#renderCopyable("The workflow as a Mermaid flowchart.", flow.toMermaid());
    }
  }

  #renderPlanner(): HTMLElement[] {
    this.#updatePlannerText();
    return [
      p("muted", "Context for a model that writes a workflow. It contains no mappings."),
      div(
        "line budget",
        element("label", { for: "flow-budget" }, "Budget (characters)"),
        this.#budget,
        this.#count,
      ),
      this.#markdown,
    ];
  }

  #updatePlannerText(): void {
    if (!this.#input) return;
    const { text, registry } = this.#input;
    const characters = Number(this.#budget.value);
    // An invalid number has an empty value.
    const blank = this.#budget.value === "" && !this.#budget.validity.badInput;
    const bounded = this.#budget.value !== "" && Number.isInteger(characters) && characters >= 0;
    const context = buildContext(
      text,
      registry as Registry,
      bounded ? { budget: { characters } } : {},
    );
    const { markdown } = context;
    this.#markdown.textContent = markdown === "" ? "Fix the errors to see the context." : markdown;
    this.#budget.setAttribute("aria-invalid", String(!blank && !bounded));
    const length = markdown === "" ? "" : formatCount([...markdown].length, "character");
    this.#count.textContent =
      blank || bounded ? length : "Invalid budget, ignored: enter an integer from 0.";
  }

  #renderCopyable(words: string, text: string): HTMLElement[] {
    const copy = button("Copy", { class: "small" }, async () => {
      try {
        // Pages without HTTPS have no clipboard.
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        copy.textContent = "Copying is not allowed";
      }
    });
    return [
      div("line copied", p("muted", words), copy),
      element("pre", { class: "card", tabindex: "0" }, text),
    ];
  }
}
