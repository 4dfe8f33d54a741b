// Surfaces that receive the messages of the vectors, and their comparison with the expected ones.
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget, toA2uiDataModel } from "byname/a2ui";
import { evaluate } from "../../../pkg/functions/evaluate.js";
import { catalogsOf, mergeCatalogs } from "./catalogs.mjs";

/** The surfaces of a stream of messages, by id. */
export class Receivers {
  #byId = new Map();
  #catalogs;
  #options;

  constructor(catalogs, options = {}) {
    this.#catalogs = catalogs;
    this.#options = options;
  }

  /** Applies a message. Returns its diagnostics and those of the state. */
  receive(message) {
    const id = surfaceIdOf(message);
    if (!this.#byId.has(id)) this.#byId.set(id, this.#connect(message));
    const entry = this.#byId.get(id);
    const { ok, diagnostics } = entry.target.receive(message);
    if (ok && (message.createSurface ?? message.beginRendering)) entry.exists = true;
    if (ok && message.deleteSurface) entry.exists = false;
    if (message.beginRendering) entry.root = message.beginRendering.root;
    return [...diagnostics, ...entry.target.diagnostics()];
  }

  /** A default catalog that the vector does not supply contains all that it supplies. */
  #connect({ createSurface, beginRendering }) {
    const { catalogId } = createSurface ?? beginRendering ?? {};
    const catalogs = { ...this.#catalogs };
    if (catalogId !== undefined) catalogs[catalogId] ??= mergeCatalogs(this.#catalogs);
    const surface = new Surface({ catalog: mergeCatalogs(this.#catalogs) });
    return { surface, target: a2uiTarget(surface, { catalogs, ...this.#options }), exists: false };
  }

  get(id) {
    return this.#byId.get(id);
  }

  get all() {
    return [...this.#byId.values()];
  }
}

function surfaceIdOf(message) {
  const body = Object.values(message).find((value) => typeof value === "object" && value !== null);
  return body?.surfaceId;
}

export function messageList(messages = []) {
  if (Array.isArray(messages)) return messages;
  return messages.messages ?? [messages];
}

/** Returns the receivers of a vector, after all its messages. */
export function receivers(vector, onDiagnostics = () => {}) {
  const all = new Receivers(catalogsOf(vector));
  for (const [index, step] of (vector.steps ?? [vector]).entries()) {
    const found = messageList(step.messages ?? step.payload).flatMap((one) => all.receive(one));
    onDiagnostics(found, step, index);
  }
  return all;
}

export function compareSurface(entry, expected) {
  const exists = entry?.exists ?? false;
  if (exists !== (expected.exists ?? true)) return exists ? "exists" : "does not exist";
  if (expected.dataModel !== undefined) {
    const model = modelOf(entry.surface);
    if (!isDeepStrictEqual(model, expected.dataModel)) return `data model ${JSON.stringify(model)}`;
  }
  if (expected.sendDataModel !== undefined) {
    const { sendDataModel } = entry.target.info();
    if (sendDataModel !== expected.sendDataModel) return `\`sendDataModel\` is ${sendDataModel}`;
  }
  const components = Array.isArray(expected.components)
    ? expected.components
    : Object.entries(expected.components ?? {}).map(([id, component]) => ({ id, ...component }));
  const shown = displayed(entry, components);
  for (const component of components) {
    const reason = compareComponent(shown.get(component.id), component);
    if (reason !== undefined) return reason;
  }
  const known = ["exists", "dataModel", "components", "sendDataModel"];
  const rest = Object.keys(expected).filter((key) => !known.includes(key));
  return rest.length === 0 ? undefined : `\`${rest[0]}\` is not compared`;
}

/**
 * Returns the instances by component id. Components that the root does not contain are displayed by
 * another root, because a surface only has a tree.
 */
function displayed(entry, components) {
  if (components.length === 0) return new Map();
  const found = instancesById(entry.surface.tree());
  // The root of v0.8 has an id of its own.
  if (entry.root !== undefined && found.has("root")) found.set(entry.root, found.get("root"));
  const children = components.map(({ id }) => id).filter((id) => !found.has(id));
  if (children.length === 0) return found;
  const { surfaceId } = entry.surface.info() ?? { surfaceId: "s" };
  const root = { id: "root", component: "Column", children };
  entry.surface.receive({ updateComponents: { surfaceId, components: [root] } });
  const others = [...instancesById(entry.surface.tree())].filter(([id]) => id !== "root");
  return new Map([...found, ...others.filter(([, { component }]) => component !== "")]);
}

function compareComponent(instance, { id, component, children: _, child: __, ...props }) {
  if (instance === undefined) return `\`${id}\` is not displayed`;
  if (component !== undefined && instance.component !== component)
    return `\`${id}\` is a ${instance.component}`;
  for (const [prop, value] of Object.entries(props)) {
    const shown = evaluate(instance.props[prop] ?? null, { locale: "en-US" });
    if (!isDeepStrictEqual(shown, value))
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

export function modelOf(surface) {
  const { surfaces } = toA2uiDataModel({ s: surface.store });
  return surfaces.s ?? {};
}
