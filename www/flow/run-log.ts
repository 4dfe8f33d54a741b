import type { Json } from "byname";
import type { CollapsibleSections } from "../page/collapsible.js";
import { div, element, p, span } from "../page/element.js";
import {
  emptyPaneHint,
  formatCoarseMilliseconds,
  formatCount,
  formatValue,
  truncate,
  withInlineCode,
} from "../page/format.js";
import { formatJson } from "../page/format-json.js";
import { batchTable } from "./batch-table.js";
import type { Call, Run } from "./run.js";

/** Maximum number of calls rendered. */
const maxEntries = 60;

const toneOfState = {
  running: "neutral",
  waiting: "warning",
  suspended: "warning",
  finished: "good",
  failed: "error",
  handled: "error",
  stopped: "warning",
  kept: "kept",
} as const;

const stateLabels = {
  running: "running",
  waiting: "waiting to retry",
  suspended: "needs an answer",
  finished: "",
  failed: "failed",
  handled: "failed, handled",
  stopped: "stopped",
  kept: "reused",
} as const;

/** Renders the calls of a run with inputs and outputs, then its result. */
export function renderRunLog(
  run: Run | null,
  picked: string | null,
  sections: CollapsibleSections,
): HTMLElement[] {
  if (!run) {
    return [
      emptyPaneHint(
        "Each call appears here with inputs, outputs and time. Press Run, or Ctrl + Enter in the workflow.",
      ),
    ];
  }
  const calls = [...run.calls.values()];
  const visibleCalls =
    picked === null
      ? calls
      : calls.filter(({ node }) => node === picked || node.startsWith(`${picked}/`));
  const shown = visibleCalls.slice(-maxEntries);
  const hidden = visibleCalls.length - shown.length;
  return [
    ...(hidden > 0 ? [p("muted", `… ${formatCount(hidden, "earlier call")}`)] : []),
    ...(picked !== null && visibleCalls.length === 0
      ? [emptyPaneHint(`${picked} has not run yet.`)]
      : []),
    ...shown.flatMap((call, index) => [
      ...renderBatch(visibleCalls, shown.slice(0, index), call, sections),
      renderCall(call, sections, call === shown.at(-1) || picked !== null),
    ]),
    ...(picked === null ? renderEnd(run, sections) : []),
  ];
}

/** Renders the items of a batch before the first shown call of it. */
function renderBatch(
  calls: readonly Call[],
  before: readonly Call[],
  { node, iteration, item }: Call,
  folds: CollapsibleSections,
): HTMLElement[] {
  const isSame = (other: Call): boolean => other.node === node && other.iteration === iteration;
  if (item === null || before.some(isSame)) return [];
  const items = calls.filter(isSame);
  if (items.length < 2) return [];
  const which = iteration > 1 ? [span("which", `pass ${iteration}`)] : [];
  const made = folds.section(`batch ${node} ${iteration}`, true, [
    element("code", { class: "id" }, node),
    ...which,
    span("muted", formatCount(items.length, "item")),
  ]);
  made.dataset["batch"] = node;
  made.append(batchTable(items));
  return [made];
}

function renderCall(call: Call, folds: CollapsibleSections, open: boolean): HTMLElement {
  const { key, node, type, iteration, item, state, attempts, outputs, action } = call;
  const last = attempts.at(-1);
  const times = [
    stateLabels[state],
    ...(attempts.length > 1 ? [`attempt ${attempts.length}`] : []),
    ...(last?.time == null || state === "kept" ? [] : [formatCoarseMilliseconds(last.time)]),
  ];
  const which = [
    ...(iteration > 1 ? [`pass ${iteration}`] : []),
    ...(item === null ? [] : [`item ${item + 1}`]),
  ];
  const made = folds.section(`call ${key}`, open, [
    span(`dot ${toneOfState[state]}`),
    element("code", { class: "id" }, node),
    span("kind", type),
    ...which.map((one) => span("which", one)),
    span("muted", times.filter((one) => one !== "").join(" · ")),
  ]);
  made.dataset["call"] = node;
  if (node.includes("/")) made.classList.add("nested");
  attempts.forEach(({ error }, index) => {
    if (error === null) return;
    const head = attempts.length > 1 ? `Attempt ${index + 1}: ` : "";
    made.append(p("error", head, ...withInlineCode(error)));
  });
  const inputs = last?.inputs ?? {};
  const params = Object.fromEntries(
    Object.entries(last?.params ?? {}).filter(([name]) => !Object.hasOwn(inputs, name)),
  );
  made.append(
    ...renderValues("params", params),
    ...renderValues("inputs", inputs),
    ...renderValues("outputs", outputs ?? {}),
    ...(state === "suspended" ? renderValues("asks", { payload: call.payload }) : []),
  );
  if (action !== null && action !== "default") {
    made.append(element("p", span("muted", "Action: "), element("code", action)));
  }
  return made;
}

function renderValues(head: string, of: { [key: string]: Json }): HTMLElement[] {
  const entries = Object.entries(of);
  if (entries.length === 0) return [];
  return [
    element(
      "dl",
      { class: "values" },
      element("dt", { class: "muted values-head" }, head),
      ...entries.flatMap(([key, value]) => [
        element("dt", key),
        element("dd", formatValue(value, 400)),
      ]),
    ),
  ];
}

function renderEnd(run: Run, folds: CollapsibleSections): HTMLElement[] {
  const { result } = run;
  // Also without a result, because it keeps the focus while a run starts again.
  const store = folds.section("store", false, [
    element("span", "The store"),
    span("muted", formatCount(Object.keys(result?.store ?? {}).length, "name")),
  ]);
  if (!result) return [store];
  store.append(renderJson(result.store));
  const heads = {
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
    paused: "Paused",
  };
  const head = heads[result.status];
  const tone =
    result.status === "completed" ? "good" : result.status === "failed" ? "error" : "warning";
  return [
    div(
      "log-entry now outcome",
      element("b", { class: tone }, head),
      ...(Object.keys(result.outputs).length === 0 ? [] : [renderJson(result.outputs)]),
    ),
    store,
  ];
}

export function renderJson(value: unknown): HTMLElement {
  return element(
    "pre",
    { class: "card", tabindex: "0" },
    truncate(formatJson(value as Json), 20_000),
  );
}
