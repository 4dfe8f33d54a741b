import { ownItemOf } from "../../item-key.js";
import { asObject } from "../../json-value.js";
import type { Instance } from "../../types.js";
import { type InstanceTrace, traceBindings } from "../trace.js";
import type { TracedSurface } from "../types.js";
import { drawDiagnostic, drawJson } from "./details.js";
import { html, shortText } from "./html.js";
import type { Row } from "./row-list.js";
import { MAX_ROWS, partsOf, rowId, surfacesOf, type View, type ViewContext } from "./view.js";

/** Texts of properties that name an instance best. */
function labelOf({ props }: Instance): string {
  const found = ["text", "label", "value", "name"].map((name) => props[name]);
  const text = found.find((value) => typeof value === "string" && value !== "");
  return text === undefined ? "" : shortText(text);
}

/**
 * Returns what is wrong with an instance: a component that the catalog does not have, and bindings
 * without a value. An input without a value is empty.
 */
function faultOf({ id, component, props }: Instance, traced: TracedSurface): string {
  const components = traced.surface.catalog?.components ?? {};
  const isKnown = Object.hasOwn(components, component);
  const isUnknown = component !== "" && Object.keys(components).length > 0 && !isKnown;
  const inputs = (isKnown && components[component]?.input) || [];
  const definition = traced.definitions.get(id) ?? {};
  const missing = Object.keys(props).filter(
    (prop) =>
      props[prop] === null &&
      asObject(definition[prop])?.["binding"] !== undefined &&
      !inputs.includes(prop),
  );
  return [
    ...(isUnknown ? ["not in the catalog"] : []),
    ...(missing.length > 0 ? [`no value for ${missing.join(", ")}`] : []),
  ].join("; ");
}

function addRows(
  rows: Row[],
  source: string,
  top: Instance,
  traced: TracedSurface,
  context: ViewContext,
): void {
  const pending = [{ instance: top, level: 1 }];
  for (let next = pending.pop(); next && rows.length < MAX_ROWS; next = pending.pop()) {
    const { instance, level } = next;
    const id = rowId(source, instance.key);
    const { children } = instance;
    const isExpanded = children.length === 0 ? undefined : !context.collapsed.has(id);
    const label = context.recorder.log.redact(labelOf(instance));
    const item = ownItemOf(instance.key);
    const fault = faultOf(instance, traced);
    const sign = isExpanded === undefined ? "·" : isExpanded ? "▾" : "▸";
    if (context.matches(() => `${instance.component} ${instance.key} ${label} ${fault}`))
      rows.push({
        id,
        level,
        isExpanded,
        version: `${instance.component} ${label} ${isExpanded} ${level} ${fault}`,
        draw: () => [
          html("span", { "aria-hidden": "true" }, sign),
          html(
            "span",
            { class: instance.component ? "kind" : "kind warning" },
            instance.component || "not defined",
          ),
          html("code", {}, instance.id),
          ...(item === undefined ? [] : [html("code", { class: "muted" }, `item ${item}`)]),
          html("span", { class: "grow muted" }, label),
          ...(fault === "" ? [] : [html("span", { class: "warning" }, fault)]),
        ],
      });
    if (!isExpanded) continue;
    const visible = children.slice(0, MAX_ROWS);
    pending.push(...visible.map((child) => ({ instance: child, level: level + 1 })).reverse());
  }
}

/** Draws a property with the binding that it reads, the node that has the value, and the value. */
function drawProps(context: ViewContext, source: string, trace: InstanceTrace): HTMLElement {
  const { recorder } = context;
  const { instance, bound } = trace;
  const names = [...new Set([...Object.keys(instance.props), ...bound.map(({ prop }) => prop)])];
  const values = recorder.log.redact(instance.props);
  const rows = names.map((name) => {
    const found = bound.find(({ prop }) => prop === name);
    const value = found && !(name in values) ? recorder.log.redact(found.value) : values[name];
    return html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      html("td", {}, html("code", {}, shortText(value))),
      html(
        "td",
        {},
        ...(found
          ? drawOrigin(context, source, found)
          : [html("span", { class: "muted" }, "literal")]),
      ),
    );
  });
  const head = ["property", "value", "comes from"].map((text) =>
    html("th", { scope: "col" }, text),
  );
  return html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}

/** Draws the nodes that a property reads, with buttons that select them. */
function drawOrigin(
  { recorder, show }: ViewContext,
  source: string,
  { binding, node, ref, status }: InstanceTrace["bound"][number],
): (Node | string)[] {
  const drawNode = (id: string, path = id): HTMLElement =>
    html("button", { type: "button", onclick: () => show("Nodes", rowId(source, id)) }, path);
  const { key } = binding;
  const field = key === undefined ? "" : `.${key}`;
  const { store } = recorder.surfaces.get(source) ?? {};
  const isUnknown = status === "missing" && node !== null && store?.has(node) === false;
  const state = isUnknown ? `no node \`${node}\`` : status;
  return [
    node === null ? html("code", {}, `item${field}`) : drawNode(node, node + field),
    ...(ref === null ? [] : [" → ", drawNode(ref)]),
    ...(status === "ok" ? [] : [html("span", { class: "warning" }, ` (${state})`)]),
  ];
}

/** Returns the diagnostics of the current state that concern a component. */
function diagnosticsOf({ recorder }: ViewContext, source: string, id: string): HTMLElement[] {
  const pointer = `/${id.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const found = recorder.surfaces.get(source)?.surface.diagnostics() ?? [];
  return recorder.log
    .redact(found)
    .filter(({ location }) => {
      const at = location?.kind === "pointer" ? location.pointer : "";
      return at === pointer || at.startsWith(`${pointer}/`);
    })
    .map((one) => html("p", {}, ...drawDiagnostic(one)));
}

/** Tree of the observed surfaces, with the origin of each value. */
export const treeView: View = {
  name: "Tree",
  role: "tree",
  empty: "No tree. A surface has one when its component `root` has arrived.",
  emptyImported: "An imported log has no tree. Receive its messages to see one.",
  rows(context) {
    const rows: Row[] = [];
    for (const [name, traced] of surfacesOf(context)) {
      const top = traced.surface.tree();
      if (top) addRows(rows, name, top, traced, context);
    }
    return rows;
  },
  detail(context, id) {
    const [source, key] = partsOf(id);
    const found = surfacesOf(context).find(([name]) => name === source)?.[1];
    const trace = found && traceBindings(found).get(key);
    if (!trace) return [];
    const { instance, context: node } = trace;
    const definition = found.definitions.get(instance.id);
    const origin = node === null ? "the root, or a literal item" : `node ${node}`;
    return [
      html("h2", {}, instance.component || "not defined", " ", html("code", {}, instance.key)),
      html("p", { class: "muted" }, `Data context: ${origin}. Source: ${source}.`),
      ...diagnosticsOf(context, source, instance.id),
      ...(instance.component === "" && !definition ? [] : [drawProps(context, source, trace)]),
      ...(definition
        ? [html("h2", {}, "Definition"), drawJson(context.recorder.log.redact(definition))]
        : []),
    ];
  },
  keyOf: (_, id) => partsOf(id)[1],
};
