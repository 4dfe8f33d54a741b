import type { Instance } from "../../types.js";
import { type InstanceTrace, traceBindings } from "../trace.js";
import type { TracedSurface } from "../types.js";
import { drawJson } from "./details.js";
import { createElement, shortText } from "./html.js";
import type { Row } from "./row-list.js";
import { MAX_ROWS, type View, type ViewContext } from "./views.js";

/** Separates the source and the key in the id of a row. */
const SEPARATOR = "\n";

function surfacesOf({ recorder, source, isImported }: ViewContext): [string, TracedSurface][] {
  if (isImported) return [];
  return [...recorder.surfaces].filter(([name]) => source === undefined || name === source);
}

/** Texts of properties that name an instance best. */
function labelOf({ props }: Instance): string {
  const found = ["text", "label", "value", "name"].map((name) => props[name]);
  const text = found.find((value) => typeof value === "string" && value !== "");
  return text === undefined ? "" : shortText(text);
}

function addRows(rows: Row[], source: string, top: Instance, context: ViewContext): void {
  const pending = [{ instance: top, level: 1 }];
  for (let next = pending.pop(); next && rows.length < MAX_ROWS; next = pending.pop()) {
    const { instance, level } = next;
    const id = source + SEPARATOR + instance.key;
    const { children } = instance;
    const isExpanded = children.length === 0 ? undefined : !context.collapsed.has(id);
    const label = context.recorder.log.redact(labelOf(instance));
    const sign = isExpanded === undefined ? "·" : isExpanded ? "▾" : "▸";
    rows.push({
      id,
      level,
      isExpanded,
      version: `${instance.component} ${label} ${isExpanded} ${level}`,
      draw: () => [
        createElement("span", { "aria-hidden": "true" }, sign),
        createElement("span", { class: "kind" }, instance.component || "not defined"),
        createElement("code", {}, instance.id),
        createElement("span", { class: "grow muted" }, label),
      ],
    });
    if (!isExpanded) continue;
    const visible = children.slice(0, MAX_ROWS);
    pending.push(...visible.map((child) => ({ instance: child, level: level + 1 })).reverse());
  }
}

/** Draws a property with the binding that it reads, the node that has the value, and the value. */
function drawProps({ recorder }: ViewContext, trace: InstanceTrace): HTMLElement {
  const { instance, bound } = trace;
  const names = [...new Set([...Object.keys(instance.props), ...bound.map(({ prop }) => prop)])];
  const values = recorder.log.redact(instance.props);
  const rows = names.map((name) => {
    const found = bound.find(({ prop }) => prop === name);
    const value = found && !(name in values) ? recorder.log.redact(found.value) : values[name];
    return createElement(
      "tr",
      {},
      createElement("th", { scope: "row" }, name),
      createElement("td", {}, createElement("code", {}, shortText(value))),
      createElement(
        "td",
        {},
        ...(found ? drawOrigin(found) : [createElement("span", { class: "muted" }, "literal")]),
      ),
    );
  });
  const head = ["property", "value", "comes from"].map((text) =>
    createElement("th", { scope: "col" }, text),
  );
  return createElement(
    "table",
    {},
    createElement("thead", {}, createElement("tr", {}, ...head)),
    createElement("tbody", {}, ...rows),
  );
}

function drawOrigin({ binding, node, ref, status }: InstanceTrace["bound"][number]): Node[] {
  const { key } = binding;
  const path = `${node ?? "item"}${key === undefined ? "" : `.${key}`}`;
  const state = status === "ok" ? "" : ` (${status})`;
  return [
    createElement("code", {}, path),
    ...(ref === null ? [] : [document.createTextNode(" → "), createElement("code", {}, ref)]),
    createElement("span", { class: status === "ok" ? "" : "warning" }, state),
  ];
}

/** Tree of the observed surfaces, with the origin of each value. */
export const treeView: View = {
  name: "Tree",
  role: "tree",
  empty: "No tree. A surface has one when its component `root` has arrived.",
  rows(context) {
    const rows: Row[] = [];
    for (const [name, { surface }] of surfacesOf(context)) {
      const top = surface.tree();
      if (top) addRows(rows, name, top, context);
    }
    return rows;
  },
  detail(context, id) {
    const [source = "", key = ""] = id.split(SEPARATOR);
    const found = surfacesOf(context).find(([name]) => name === source)?.[1];
    const trace = found && traceBindings(found).get(key);
    if (!trace) return [];
    const { instance, context: node } = trace;
    const definition = found.definitions.get(instance.id);
    const origin = node === null ? "the root, or a literal item" : `node ${node}`;
    return [
      createElement(
        "h2",
        {},
        instance.component || "not defined",
        " ",
        createElement("code", {}, instance.key),
      ),
      createElement("p", { class: "muted" }, `Data context: ${origin}. Source: ${source}.`),
      drawProps(context, trace),
      ...(definition
        ? [createElement("h2", {}, "Definition"), drawJson(context.recorder.log.redact(definition))]
        : []),
    ];
  },
  keyOf: (_, id) => id.split(SEPARATOR)[1],
};
