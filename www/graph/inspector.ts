import { GaslSession, type Json } from "byname";
import { CollapsibleSections } from "../page/collapsible.js";
import { RunPanel } from "../page/devtools-panel.js";
import { button, div, element, p, span } from "../page/element.js";
import { preserveFocus } from "../page/focus.js";
import {
  emptyPaneHint,
  formatCount,
  formatMilliseconds,
  moreHint,
  truncate,
  withInlineCode,
} from "../page/format.js";
import { isRecord, type JsonRecord } from "../page/json.js";
import { addPartTabs, type PartTabs } from "../page/tabs.js";
import type { Finding, Frame, ModelExchange, Run } from "./run.js";

const parts = ["State", "History", "Evidence", "Model", "Runs"] as const;
type Part = (typeof parts)[number];
/** Maximum number of items rendered per list. */
const maxRenderedItems = 50;

/** Inspector tabs: state, history, evidence, model exchanges, and the runs with their rows. */
export class Inspector {
  readonly #host: HTMLElement;
  readonly #listener: { frame(index: number): void; node(id: string): void };
  readonly parts: PartTabs<Part>;
  #part: Part = "State";
  #run: Run | null = null;
  #frame: Frame | null = null;
  readonly #folds = new CollapsibleSections();
  /** Steps of the runs; it can pause between them. */
  readonly #runs = new RunPanel();

  constructor(
    strip: HTMLElement,
    host: HTMLElement,
    on: { frame(index: number): void; node(id: string): void },
  ) {
    this.#host = host;
    this.#listener = on;
    this.parts = addPartTabs(strip, host, "graph-why", parts, (part) => {
      this.#part = part;
      this.#draw(true);
    });
    this.parts.open("State");
  }

  /** Records the steps of a run. Those of a session in a worker are not observed. */
  record({ session }: Run): void {
    if (session instanceof GaslSession) this.#runs.record({ sessions: { session } }, false);
  }

  show(run: Run | null, frame: Frame | null): void {
    this.#run = run;
    this.#frame = frame;
    this.#draw(false);
  }

  /** Opens the tab of a step, unless the user has chosen one. */
  follow({ kind, state }: Frame): void {
    if (kind === "plan") this.parts.openUnlessChosen("Model");
    else
      this.parts.openUnlessChosen(
        kind === "end" && state.evidence.size > 0 ? "Evidence" : "History",
      );
  }

  #draw(fresh: boolean): void {
    this.#host.classList.toggle("devtools", this.#part === "Runs");
    // The panel draws itself.
    if (this.#part === "Runs" && this.#host.contains(this.#runs.element)) return;
    const top = fresh ? 0 : this.#host.scrollTop;
    preserveFocus(this.#host, () => this.#host.replaceChildren(...this.#content()));
    const last = this.#part === "History" || this.#part === "Model";
    this.#host.scrollTop = last && !fresh ? this.#host.scrollHeight : top;
  }

  #content(): HTMLElement[] {
    const frame = this.#frame;
    switch (this.#part) {
      case "State":
        return this.#renderState(frame);
      case "History":
        return this.#renderExecutedSteps(frame);
      case "Evidence":
        return this.#renderEvidence(frame);
      case "Model":
        return this.#renderModel(frame);
      case "Runs":
        return [this.#runs.element];
    }
  }

  #renderState(frame: Frame | null): HTMLElement[] {
    const entries = Object.entries(frame?.state.variables ?? {});
    if (entries.length === 0)
      return [
        emptyPaneHint(
          "The state is empty. DECLARE creates a variable, UPDATE adds findings; both persist after the plan.",
        ),
      ];
    return entries.map(([key, value]) => this.#renderVariable(key, value, key));
  }

  #renderVariable(key: string, value: Json, path: string): HTMLElement {
    const map = recordOrNull(value);
    const meta = recordOrNull(map?.["_meta"]);
    if (!map || !meta)
      return div("leaf", element("code", { class: "id" }, key), renderValue(value));
    const type = String(meta["type"]);
    const list = type === "LIST" && Array.isArray(map["items"]) ? map["items"] : null;
    const inner = Object.entries(map).filter(
      ([name]) => !["_meta", "provenance", "items"].includes(name),
    );
    const size = list
      ? formatCount(list.length, "item")
      : type === "COUNTER"
        ? String(map["value"] ?? 0)
        : formatCount(inner.length, "key");
    const made = this.#folds.section(`state ${path}`, true, [
      element("code", { class: "id" }, key),
      span("kind", type),
      span("muted", size),
    ]);
    const description = meta["description"];
    if (typeof description === "string") made.append(p("muted", description));
    const items = list ?? [];
    made.append(
      ...items.slice(0, maxRenderedItems).map((one) => div("leaf", renderValue(one))),
      ...moreHint(items.length, maxRenderedItems),
      ...(list || type === "COUNTER"
        ? []
        : inner.map(([name, one]) => this.#renderVariable(name, one, `${path}.${name}`))),
    );
    return made;
  }

  #renderExecutedSteps(frame: Frame | null): HTMLElement[] {
    if (!this.#run || !frame || frame.records === 0)
      return [
        emptyPaneHint("The executed steps and their results appear here. Press Play or Step."),
      ];
    const steps = this.#run.frames
      .map((one, index) => ({ one, index }))
      .filter(({ one }) => one.record !== null && one.records <= frame.records);
    return steps.map(({ one, index }) => {
      const { record, status, time, diagnostics } = one;
      const made = element(
        "div",
        { class: one === frame ? "log-entry now" : "log-entry" },
        div(
          "line",
          span(`dot ${toneOfStatus(status)}`),
          button(`Step ${record?.step ?? ""}`, { class: "place" }, () =>
            this.#listener.frame(index),
          ),
          element("b", { class: toneOfStatus(status) }, status.replace("_", " ")),
          span("muted", time === null ? "" : formatMilliseconds(time)),
        ),
        element("code", truncate(record?.command ?? "", 300)),
      );
      if (one.why !== "") made.append(p("muted", one.why));
      const metrics = formatMetrics(record?.metrics ?? {});
      if (metrics !== "") made.append(p("muted metrics", metrics));
      for (const { message, help, severity } of diagnostics.slice(0, 5)) {
        made.append(
          element(
            "p",
            { class: severity === "error" ? "error" : "warning" },
            ...withInlineCode(message),
          ),
        );
        if (help) made.append(p("muted", ...withInlineCode(help)));
      }
      return made;
    });
  }

  #renderEvidence(frame: Frame | null): HTMLElement[] {
    const keys = [...(frame?.state.evidence ?? [])];
    if (keys.length === 0)
      return [
        emptyPaneHint(
          "No findings yet. Findings that UPDATE adds to the state appear here with their sources.",
        ),
      ];
    return keys.flatMap(([key, findings]) => [
      element(
        "h3",
        { class: "sub" },
        element("code", key),
        ` ${formatCount(findings.length, "finding")}`,
      ),
      ...findings
        .slice(0, maxRenderedItems)
        .map((one, index) => this.#renderFinding(one, `evidence ${key} ${index}`, index < 3)),
      ...moreHint(findings.length, maxRenderedItems),
    ]);
  }

  #renderFinding(
    { item, sources, key, uncited }: Finding,
    path: string,
    open: boolean,
  ): HTMLElement {
    const made = this.#folds.section(path, open, [
      span("said", findingTitle(item, key)),
      uncited
        ? element("b", { class: "warning" }, "uncited")
        : span("muted", formatCount(sources.length, "source")),
    ]);
    if (uncited) made.append(p("muted", "The reply of the model cites no row for it."));
    if (sources.length === 0) made.append(p("muted", "No source."));
    for (const source of sources.slice(0, 12)) {
      const { source_id, doc_id, snippet, step, input_id, extraction } = source;
      const of = recordOrNull(extraction);
      const names = [source_id, doc_id, ...(source_id === input_id ? [] : [input_id])]
        .filter((one) => typeof one === "string" && one !== "")
        .map(String);
      const words = of ? ` · ${String(of["model"] ?? "model")}` : "";
      made.append(
        element(
          "blockquote",
          ...(typeof snippet === "string" ? [element("p", snippet)] : []),
          element(
            "footer",
            { class: "muted" },
            element("code", names.join(" · ") || (source["uncited"] ? "no row" : "no name")),
            `${typeof step === "number" ? ` · step ${step}` : ""}${words}`,
          ),
        ),
      );
    }
    return made;
  }

  #renderModel(frame: Frame | null): HTMLElement[] {
    const asked = this.#run?.exchanges.slice(0, frame?.exchanges ?? 0) ?? [];
    if (asked.length === 0)
      return [emptyPaneHint("No model calls. A question, PROCESS and ANALYZE call the model.")];
    return asked.map((one, index) => this.#renderExchange(one, index, index === asked.length - 1));
  }

  #renderExchange(one: ModelExchange, index: number, open: boolean): HTMLElement {
    const tokens = one.tokens
      ? ` · ${one.tokens.inputTokens ?? "?"} tokens in, ${one.tokens.outputTokens ?? "?"} out`
      : "";
    const made = this.#folds.section(`model ${index}`, open, [
      element("b", `${index + 1}. ${one.task}`),
      span("kind", one.model),
      span(
        "muted",
        `${one.attempt > 1 ? `attempt ${one.attempt} · ` : ""}${one.time === null ? "" : formatMilliseconds(one.time)}${tokens}`,
      ),
    ]);
    made.append(
      this.#renderText(`model ${index} system`, "System prompt", one.system, false),
      this.#renderText(`model ${index} prompt`, "Prompt", one.prompt, false),
      one.failed === null
        ? this.#renderText(`model ${index} reply`, "Reply", one.reply ?? "…", true)
        : p("error", one.failed),
    );
    return made;
  }

  #renderText(path: string, head: string, text: string, open: boolean): HTMLElement {
    const made = this.#folds.section(path, open, [
      element("span", head),
      span("muted", formatCount(text.length, "character")),
    ]);
    made.append(element("pre", { class: "card", tabindex: "0" }, text));
    return made;
  }
}

/** Returns the CSS class for a status. */
export function toneOfStatus(status: Frame["status"]): "good" | "warning" | "error" | "neutral" {
  if (status === "success") return "good";
  if (status === "neutral") return "neutral";
  return status === "partial" || status === "empty" ? "warning" : "error";
}

function findingTitle(item: Json, key: string): string {
  const row = recordOrNull(item);
  const nodes = row?.["nodes"];
  if (Array.isArray(nodes)) return nodes.map(String).join(" → ");
  if (row?.["source"] !== undefined && row["target"] !== undefined)
    return `${String(row["source"])} –${String(row["type"] ?? "")}→ ${String(row["target"])}`;
  if (typeof row?.["id"] === "string") return row["id"];
  if (row)
    return Object.values(row)
      .filter((one) => typeof one !== "object")
      .map(String)
      .join(" · ");
  return typeof item === "string" ? item : key;
}

function formatMetrics(metrics: { [name: string]: Json }): string {
  return Object.entries(metrics)
    .filter(([name]) => !["rows", "value", "extraction", "answer", "completeness"].includes(name))
    .map(
      ([name, value]) =>
        `${name.replaceAll("_", " ")} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
    )
    .concat(formatCompleteness(metrics["completeness"]))
    .join(" · ");
}

function formatCompleteness(value: Json | undefined): string[] {
  const { returned, bound, bound_kind, complete } = recordOrNull(value) ?? {};
  if (complete !== false) return [];
  return [`not complete: ${String(returned)} returned, ${String(bound_kind)} is ${String(bound)}`];
}

function recordOrNull(value: Json | undefined): JsonRecord | null {
  return isRecord(value) ? value : null;
}

function renderValue(value: Json): HTMLElement {
  return element("code", { class: "value" }, truncate(JSON.stringify(value), 220));
}
