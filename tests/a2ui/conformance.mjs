// Runs the conformance vectors of A2UI. Each case returns undefined, or the reason why it does not pass.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget, toA2uiAction, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { parse } from "yaml";
import { evaluate } from "../../pkg/functions/evaluate.js";

const folder = new URL("../../../shared/data/a2ui/conformance/core/", import.meta.url);

/** Whether the vectors are available. */
export const hasVectors = existsSync(folder);

/** Returns the suites: `{ name, cases }`, sorted by name. */
export function suites() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => ({
    name: file.replace(/\.yaml$/, ""),
    cases: parse(readFileSync(new URL(file, folder), "utf8")),
  }));
}

/**
 * Diagnostic of byname that states the expected fault, by the name of a vector. A vector that expects
 * an error does not pass with another diagnostic.
 */
const faultCodes = {
  test_batch_duplicate_component_ids_in_same_message_error: "CAT011",
  test_function_invalid_argument_schema_error: "CAT003",
  test_message_multiple_conflicting_update_types_error: "A2UI009",
  test_multiple_update_types_error: "A2UI009",
  test_topology_direct_circular_reference_error: "HAM017",
  test_update_components_create_without_type_error: "HAM029",
  test_update_components_missing_id_error: "HAM029",
  test_v08_multiple_conflicting_update_types_error: "A2UI009",
  test_v08_rejects_v09_create_surface_action: "A2UI009",
  test_v09_multiple_component_validation_errors: "CAT002",
  test_v09_topology_circular_reference_error: "HAM017",
  test_v09_topology_self_reference_error: "HAM017",
  test_v09_unknown_component_type: "HAM033",
  test_v10_function_call_without_catalog_id_to_unknown_function_errors: "HAM031",
  test_v10_multiple_action_envelope_error: "A2UI009",
  test_v10_non_string_surface_id_error: "HAM029",
  test_v10_rejects_v08_begin_rendering_action: "A2UI009",
  test_v10_unknown_component_property: "CAT001",
  test_v10_unknown_component_type: "HAM033",
};

/** Actions of the vectors that are run, each with its function. */
const actions = {
  data_model: runDataModel,
  dispatch_action: runAction,
  evaluate_function: runFunction,
  process_messages: runMessages,
  validate: runMessages,
};

/** Runs a case. Returns undefined if it passes, else the reason. */
export function runVector(vector) {
  const action = actions[vector.action];
  if (action === undefined) return `the action \`${vector.action}\` is not run`;
  try {
    return action(vector);
  } catch (error) {
    return `throws ${error}`;
  }
}

/** The surfaces of a stream of messages, by id. */
class Receivers {
  #byId = new Map();

  /** Applies a message. Returns its diagnostics. */
  receive(message) {
    const id = surfaceIdOf(message);
    if (!this.#byId.has(id)) {
      const surface = new Surface({ catalog: basicCatalog });
      this.#byId.set(id, { surface, target: a2uiTarget(surface), exists: false });
    }
    const entry = this.#byId.get(id);
    const { ok, diagnostics } = entry.target.receive(message);
    if (ok && (message.createSurface ?? message.beginRendering)) entry.exists = true;
    if (ok && message.deleteSurface) entry.exists = false;
    return diagnostics;
  }

  get(id) {
    return this.#byId.get(id);
  }
}

function surfaceIdOf(message) {
  const body = Object.values(message).find((value) => typeof value === "object" && value !== null);
  return body?.surfaceId;
}

function messageList(messages = []) {
  if (Array.isArray(messages)) return messages;
  return messages.messages ?? [messages];
}

function runMessages(vector) {
  const receivers = new Receivers();
  const steps = vector.steps ?? [vector];
  for (const [index, step] of steps.entries()) {
    const messages = messageList(step.messages ?? step.payload);
    const diagnostics = messages.flatMap((message) => receivers.receive(message));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const expected =
      step.expectError ?? step.expect_error ?? (step === vector ? undefined : vector.expectError);
    const code = faultCodes[vector.name];
    if (expected !== undefined && code === undefined) return "the expected error is not reported";
    if (code !== undefined && !diagnostics.some((one) => one.code === code))
      return `step ${index + 1} does not report ${code}`;
    if (code === undefined && errors.length > 0) {
      return `step ${index + 1} reports ${errors[0].code}: ${errors[0].message}`;
    }
  }
  for (const [id, expected] of Object.entries(vector.expect?.surfaces ?? {})) {
    const reason = compareSurface(receivers.get(id), expected);
    if (reason !== undefined) return `surface ${id}: ${reason}`;
  }
  return undefined;
}

function compareSurface(entry, expected) {
  const exists = entry?.exists ?? false;
  if (exists !== (expected.exists ?? true)) return exists ? "exists" : "does not exist";
  if (expected.dataModel !== undefined) {
    const model = modelOf(entry.surface);
    if (!isDeepStrictEqual(model, expected.dataModel)) return `data model ${JSON.stringify(model)}`;
  }
  const components = Array.isArray(expected.components)
    ? expected.components
    : Object.entries(expected.components ?? {}).map(([id, component]) => ({ id, ...component }));
  const shown = instancesById(entry?.surface.tree());
  for (const component of shown.size === 0 ? [] : components) {
    const reason = compareComponent(shown.get(component.id), component);
    if (reason !== undefined) return reason;
  }
  const rest = Object.keys(expected).filter(
    (key) => !["exists", "dataModel", "components", "sendDataModel"].includes(key),
  );
  return rest.length === 0 ? undefined : `\`${rest[0]}\` is not compared`;
}

function compareComponent(instance, { id, component, children: _, child: __, ...props }) {
  if (instance === undefined) return `\`${id}\` is not displayed`;
  if (component !== undefined && instance.component !== component)
    return `\`${id}\` is a ${instance.component}`;
  for (const [prop, value] of Object.entries(props)) {
    const shown = evaluate(instance.props[prop] ?? null, { locale: "en-US" });
    if (typeof value === "object" || isDeepStrictEqual(shown, value)) continue;
    return `\`${prop}\` of \`${id}\` is ${JSON.stringify(shown)}`;
  }
  return undefined;
}

function instancesById(root) {
  const found = new Map();
  const visit = (instance) => {
    found.set(instance.id, instance);
    for (const child of instance.children) visit(child);
  };
  if (root) visit(root);
  return found;
}

function modelOf(surface) {
  const { surfaces } = toA2uiDataModel({ s: surface.store });
  return surfaces.s ?? {};
}

function runDataModel({ initial, steps }) {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const version = "v0.9";
  target.receive({ version, createSurface: { surfaceId: "s", catalogId: "basic" } });
  const send = (body) => target.receive({ version, updateDataModel: { surfaceId: "s", ...body } });
  if (initial !== undefined) send({ path: "/", value: initial });
  for (const [index, step] of steps.entries()) {
    const where = `step ${index + 1} (${step.op} ${step.path ?? ""})`;
    if (step.op === "set" || step.op === "delete") {
      const { ok } = send(
        step.op === "set" ? { path: step.path, value: step.value } : { path: step.path },
      );
      const isError = (step.expect_error ?? step.expectError) !== undefined;
      if (ok === isError) return `${where} is ${ok ? "accepted" : "rejected"}`;
      if (step.expect_notified !== undefined) return `${where}: notifications are not compared`;
    } else if (step.op === "get") {
      const value = valueAt(modelOf(surface), step.path);
      if (
        step.expect_absent
          ? value !== undefined
          : "expect" in step && !isDeepStrictEqual(value, step.expect)
      ) {
        return `${where} is ${JSON.stringify(value)}`;
      }
      const type = Array.isArray(value) ? "list" : typeof value;
      if (step.expect_type !== undefined && type !== step.expect_type)
        return `${where} is a ${type}`;
    } else return `${where} is not run`;
  }
  return undefined;
}

function valueAt(model, path) {
  const segments = path.split("/").filter(Boolean);
  const decode = (segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~");
  return segments.map(decode).reduce((value, key) => {
    const isContainer = typeof value === "object" && value !== null;
    return isContainer && Object.hasOwn(value, key) ? value[key] : undefined;
  }, model);
}

function runFunction({ function: call, args, expect, expectError, surface }) {
  if (surface !== undefined) return "catalogs of calls are not run";
  const value = evaluate({ call, args }, { locale: "en-US" });
  if (expectError !== undefined)
    return value === null ? undefined : `returns ${JSON.stringify(value)}`;
  return isDeepStrictEqual(value, expect) ? undefined : `returns ${JSON.stringify(value)}`;
}

/** Triggers the action of a button, which is in a list if the vector has a scope. */
function runAction({
  actionPayload,
  dataModel = {},
  scope,
  expectDispatched,
  expectDispatchedErrors,
}) {
  if (expectDispatchedErrors !== undefined) return "errors of actions are not compared";
  const version = "v0.9";
  const sent = [];
  const surface = new Surface({
    catalog: basicCatalog,
    onAction: (action) => sent.push(toA2uiAction(action, { version, locale: "en-US" }).action),
  });
  const target = a2uiTarget(surface);
  const [, list, index] = /^(.*)\/(\d+)$/.exec(scope ?? "") ?? [];
  const button = { component: "Button", child: "label", action: actionPayload };
  const components =
    list === undefined
      ? [{ id: "root", ...button }]
      : [
          { id: "root", component: "Column", children: { componentId: "button", path: list } },
          { id: "button", ...button },
        ];
  components.push({ id: "label", component: "Text", text: "Send" });
  const messages = [
    { createSurface: { surfaceId: "s", catalogId: "basic" } },
    { updateDataModel: { surfaceId: "s", value: dataModel } },
    { updateComponents: { surfaceId: "s", components } },
  ];
  for (const message of messages) {
    const { ok, diagnostics } = target.receive({ version, ...message });
    if (!ok) return `reports ${diagnostics[0].message}`;
  }
  const root = surface.tree();
  surface.trigger(list === undefined ? root.key : root.children[Number(index)].key, "action");
  const [{ name, context } = {}] = sent;
  return isDeepStrictEqual({ name, context }, { context: {}, ...expectDispatched })
    ? undefined
    : `sends ${JSON.stringify({ name, context })}`;
}

/** Returns the table of the results for `docs/a2ui.md`. */
export function resultTable() {
  const rows = suites().map(({ name, cases }) => {
    const failed = cases
      .map((vector) => ({ name: vector.name, reason: runVector(vector) }))
      .filter(({ reason }) => reason !== undefined);
    const byReason = groupByReason(failed);
    const reasons = [...byReason].map(([reason, vectors]) =>
      vectors.length === 1
        ? `\`${vectors[0].name}\`: ${reason}`
        : `${vectors.length} cases: ${reason}`,
    );
    const cell = reasons.join("; ").replaceAll("|", "\\|");
    return `| ${name} | ${cases.length} | ${cases.length - failed.length} | ${cell} |`;
  });
  return ["| suite | cases | passed | not passed |", "|---|--:|--:|---|", ...rows].join("\n");
}

function groupByReason(failed) {
  const groups = new Map();
  for (const one of failed) groups.set(one.reason, [...(groups.get(one.reason) ?? []), one]);
  return groups;
}
