import type { Json } from "byname";
import type { Folds } from "../page/collapsible.js";
import { element } from "../page/element.js";
import { briefly, count, cut, hint, ticks } from "../page/format.js";
import { written } from "../page/format-json.js";
import type { Call, Run } from "./run.js";

/** More calls and events than this are counted, not shown. */
const most = 60;

const tones = {
  running: "told",
  waiting: "warning",
  finished: "good",
  failed: "error",
  stopped: "warning",
  kept: "kept",
} as const;

const words = {
  running: "runs",
  waiting: "waits to try again",
  finished: "",
  failed: "failed",
  stopped: "stopped",
  kept: "not done again",
} as const;

/** A run as it stands: each call with what it was given and what it answered, then what came of it all. */
export function story(run: Run | null, picked: string | null, folds: Folds): HTMLElement[] {
  if (!run) {
    return [
      hint(
        "Each call stands here with its inputs, outputs and time. Press Run, or Ctrl + Enter in the workflow.",
      ),
    ];
  }
  const calls = [...run.calls.values()];
  const seen = picked === null ? calls : calls.filter(({ node }) => node === picked);
  const shown = seen.slice(-most);
  const cutOff = seen.length - shown.length;
  return [
    ...(cutOff > 0 ? [element("p", { class: "soft" }, `… ${count(cutOff, "earlier call")}`)] : []),
    ...(picked !== null && seen.length === 0 ? [hint(`${picked} has not run yet.`)] : []),
    ...shown.map((call) => callOf(call, folds, call === shown.at(-1) || picked !== null)),
    ...(picked === null ? end(run, folds) : []),
  ];
}

function callOf(call: Call, folds: Folds, open: boolean): HTMLElement {
  const { key, node, type, pass, item, state, attempts, outputs, action } = call;
  const last = attempts.at(-1);
  const times = [
    words[state],
    ...(attempts.length > 1 ? [`attempt ${attempts.length}`] : []),
    ...(last?.time == null || state === "kept" ? [] : [briefly(last.time)]),
  ];
  const which = [
    ...(pass > 1 ? [`pass ${pass}`] : []),
    ...(item === null ? [] : [`item ${item + 1}`]),
  ];
  const made = folds.fold(`call ${key}`, open, [
    element("span", { class: `dot ${tones[state]}` }),
    element("code", { class: "id" }, node),
    element("span", { class: "kind" }, type),
    ...which.map((one) => element("span", { class: "which" }, one)),
    element("span", { class: "soft" }, times.filter((one) => one !== "").join(" · ")),
  ]);
  made.dataset["call"] = node;
  attempts.forEach(({ error }, index) => {
    if (error === null) return;
    const head = attempts.length > 1 ? `Attempt ${index + 1}: ` : "";
    made.append(element("p", { class: "error" }, head, ...ticks(error)));
  });
  const inputs = last?.inputs ?? {};
  const params = Object.fromEntries(
    Object.entries(last?.params ?? {}).filter(([name]) => !Object.hasOwn(inputs, name)),
  );
  made.append(
    ...values("params", params),
    ...values("inputs", inputs),
    ...values("outputs", outputs ?? {}),
  );
  if (action !== null && action !== "default") {
    made.append(
      element(
        "p",
        {},
        element("span", { class: "soft" }, "It answered "),
        element("code", {}, action),
      ),
    );
  }
  return made;
}

function values(head: string, of: { [key: string]: Json }): HTMLElement[] {
  const entries = Object.entries(of);
  if (entries.length === 0) return [];
  return [
    element(
      "dl",
      { class: "values" },
      element("dt", { class: "soft values-head" }, head),
      ...entries.flatMap(([key, value]) => [
        element("dt", {}, key),
        element("dd", {}, cut(typeof value === "string" ? value : JSON.stringify(value), 400)),
      ]),
    ),
  ];
}

function end(run: Run, folds: Folds): HTMLElement[] {
  const events = folds.fold("events", false, [
    element("span", {}, "All events"),
    element("span", { class: "soft" }, count(run.events.length, "event")),
  ]);
  const late = run.events.slice(-most * 4);
  events.append(
    element(
      "ol",
      { class: "events" },
      ...late.map(({ at, event }) => {
        const { kind, node, pass, item, attempt } = event;
        const parts = [
          kind,
          node,
          ...(pass > 1 ? [`pass ${pass}`] : []),
          ...(item === null ? [] : [`item ${item + 1}`]),
          ...(attempt > 1 ? [`attempt ${attempt}`] : []),
        ];
        return element(
          "li",
          {},
          element("span", { class: "soft" }, `${at.toFixed(0)} ms`),
          ` ${parts.join(" ")}`,
        );
      }),
    ),
  );
  const { result } = run;
  if (!result) return [events];
  const store = folds.fold("store", false, [
    element("span", {}, "The store"),
    element("span", { class: "soft" }, count(Object.keys(result.store).length, "name")),
  ]);
  store.append(json(result.store));
  const head = {
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
  }[result.status];
  const tone =
    result.status === "completed" ? "good" : result.status === "failed" ? "error" : "warning";
  return [
    element(
      "div",
      { class: "past now outcome" },
      element("b", { class: tone }, head),
      ...(Object.keys(result.outputs).length === 0 ? [] : [json(result.outputs)]),
    ),
    store,
    events,
  ];
}

export function json(value: unknown): HTMLElement {
  return element("pre", { class: "card", tabindex: "0" }, cut(written(value as Json), 20_000));
}
