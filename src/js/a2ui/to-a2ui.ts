import {
  assertBoolean,
  assertMessage,
  assertOptionTypes,
  assertString,
  throwMisuse,
} from "../arguments.js";
import { listNames } from "../catalog/check/suggestions.js";
import { pathsOf } from "../functions/template.js";
import { escapePointer, requireJsonText } from "../json-text.js";
import { isJsonObject, type JsonObject, stringOf, textOf } from "../json-value.js";
import type { Diagnostic, HamNodes, Json } from "../types.js";
import { ComponentPositions, isView } from "./component-positions.js";
import { applyUpdate, getOwn, SIGIL } from "./data-model.js";
import { type ModelChange, modelDiff } from "./model-diff.js";
import { ModelWriter } from "./model-writer.js";
import { invalidEdits, withoutEdits } from "./node-edits.js";
import { pointerOf } from "./node-ids.js";
import { isDeeper, isInterpolable, isReachable, maxDepth } from "./path-checks.js";
import {
  appendRow,
  changedValues,
  isFree,
  locationOf,
  type ResolvedModel,
  resolveModel,
  type ValueChange,
} from "./resolved-model.js";
import { withAtKeys } from "./spelling.js";
import { viewPath } from "./template-views.js";
import { diagnostic, type Message, sizeDiagnostic, type Translation } from "./translation.js";
import { unreachedNodes } from "./unreached-nodes.js";
import { hasAtKeys } from "./versions.js";

export interface ToA2uiOptions {
  /** Version in the translated messages; by default that of the source message. */
  version?: string;
  /**
   * Whether bindings and calls are written as `{"@path"}` and `{"@call"}`; by default only in
   * version `1.0`. Pass `atKeys` of the `FromA2ui` of an agent to write like that agent.
   */
  atKeys?: boolean;
}

/** Translates messages for a Surface to plain A2UI, in order. */
export class ToA2ui {
  readonly #options: ToA2uiOptions;
  #nodes: HamNodes = {};
  /** Components by id, as received and as last sent. */
  readonly #components = new Map<string, { source: Json; sent: string }>();
  readonly #positions = new ComponentPositions();
  /** Id of the component being translated. */
  #current = "";
  #resolved: ResolvedModel = resolveModel({});
  /** Nodes that components are bound to. */
  #boundNodes = new Set<string>();
  #reported = new Set<string>();
  /** Version of the last message that states one. */
  #version: string | undefined;

  constructor(options: ToA2uiOptions = {}) {
    const assertions = { version: assertString, atKeys: assertBoolean };
    assertOptionTypes(options, assertions, "the options of ToA2ui");
    this.#options = options;
  }

  /** Returns the current A2UI data model. */
  get model(): Json | undefined {
    return this.#resolved.model;
  }

  /**
   * Returns the equivalent messages. A data update may become several, and may change the paths of
   * components.
   */
  translate(message: Message): Translation {
    assertMessage(message);
    if (!isJsonObject(message))
      throwMisuse("`translate` expects an object: parse the text of the message first");
    if (isDeeper(message, maxDepth)) {
      return { messages: [], diagnostics: [sizeDiagnostic("the message is nested too deep", "")] };
    }
    const diagnostics: Diagnostic[] = [];
    // Copies the message, because the caller may change it later.
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...others } =
      JSON.parse(requireJsonText(message)) as Message;
    const { version } = this.#options;
    const rest = version === undefined ? others : { ...others, version };
    this.#version = stringOf(rest["version"]) ?? this.#version;
    if (isJsonObject(updateDataModel)) {
      const { nodes: complete, edits, ...body } = updateDataModel;
      const get = (id: string): Json | undefined => getOwn(this.#nodes, id);
      const [invalid] = isJsonObject(edits) ? invalidEdits(edits, get) : [];
      if (invalid !== undefined) return { messages: [], diagnostics: [invalidEdit(invalid)] };
      const nodes = isJsonObject(edits) ? withoutEdits(edits, get) : complete;
      const scalars = isJsonObject(nodes) ? this.#scalarChanges(nodes) : undefined;
      if (isJsonObject(nodes)) applyUpdate(this.#nodes, nodes);
      const changes = scalars ? this.#applyValues(scalars) : this.#dataChanges(diagnostics);
      const messages = changes.map((one) => ({ ...rest, updateDataModel: { ...body, ...one } }));
      // Scalar changes and appended rows move no bound node.
      const changed = scalars
        ? new Map<string, Json>()
        : this.#changedComponents("updateComponents", [], diagnostics);
      if (changed.size > 0) {
        const components = [...changed.values()];
        messages.push({ ...rest, updateComponents: { ...body, components } } as never);
      }
      return { messages, diagnostics };
    }
    if (isJsonObject(updateComponents))
      return this.#translateComponents("updateComponents", updateComponents, rest, diagnostics);
    if (isJsonObject(createSurface)) {
      this.#reset();
      return this.#translateComponents("createSurface", createSurface, rest, diagnostics);
    }
    if (deleteSurface !== undefined) this.#reset();
    return { messages: [{ ...message, ...rest }], diagnostics };
  }

  /** Returns a warning about nodes that nothing reaches, which the data model of A2UI cannot have. */
  diagnostics(): Diagnostic[] {
    // Ids that begin with a slash are paths of the data model; views of lists contain only pointers.
    const paths = Object.keys(this.#nodes).filter((id) => /^(?:\/|items?:)/.test(id));
    const lost = unreachedNodes(this.#nodes, ["root", ...this.#boundNodes, ...paths]);
    if (lost.length === 0) return [];
    const text = `nodes that neither \`root\` nor a component reaches are left out: ${listNames(lost)}`;
    const help = `point to each of them, such as \`"${SIGIL}${lost[0]}"\`, or bind a component to it`;
    return [diagnostic("A2UI024", text, help, "")];
  }

  #reset(): void {
    this.#nodes = {};
    this.#components.clear();
    this.#positions.clear();
    this.#resolved = resolveModel({});
    this.#boundNodes.clear();
    this.#reported.clear();
  }

  #translateComponents(
    name: string,
    body: JsonObject,
    rest: Message,
    diagnostics: Diagnostic[],
  ): Translation {
    const { components } = body;
    if (!Array.isArray(components)) return { messages: [{ ...rest, [name]: body }], diagnostics };
    const ids = components.map((one) => (isJsonObject(one) ? textOf(one["id"]) : ""));
    const onlyAdds = this.#onlyAddsComponents(components, ids);
    for (const [at, source] of components.entries()) {
      if (isJsonObject(source)) this.#components.set(ids[at] as string, { source, sent: "" });
    }
    const moved = this.#positions.add(components);
    // The new components may be bound to nodes that no component used before.
    const { surfaceId } = body;
    const data = onlyAdds ? [] : this.#dataChanges(diagnostics);
    const changed = this.#changedComponents(
      name,
      ids,
      diagnostics,
      onlyAdds ? new Set([...ids, ...moved]) : this.#components.keys(),
    );
    const result = components.map((one, at) => changed.get(ids[at] as string) ?? one);
    const messageIds = new Set(ids);
    const others = [...changed].filter(([id]) => !messageIds.has(id)).map(([, one]) => one);
    const messages: Message[] = [
      { ...rest, [name]: { ...body, components: [...result, ...others] } },
    ];
    const named = surfaceId === undefined ? {} : { surfaceId };
    for (const one of data) messages.push({ ...rest, updateDataModel: { ...named, ...one } });
    return { messages, diagnostics };
  }

  /**
   * Returns whether components are only added, and all nodes that they name are resolved or
   * missing. Then nothing else changes.
   */
  #onlyAddsComponents(components: readonly Json[], ids: readonly string[]): boolean {
    if (!components.every(isJsonObject) || ids.some((id) => this.#components.has(id))) return false;
    const named = components.flatMap(boundNodeIds);
    const { locations, model } = this.#resolved;
    const isResolved = (id: string): boolean =>
      locations.has(id) || (!Object.hasOwn(this.#nodes, id) && isFree(model, locationOf(id)));
    if (!named.every(isResolved)) return false;
    for (const id of named) this.#boundNodes.add(id);
    return true;
  }

  /** Returns the changed values if the update needs no complete comparison, else undefined. */
  #scalarChanges(update: JsonObject): ValueChange[] | undefined {
    const values = changedValues(update, this.#nodes, this.#resolved);
    if (values) return values;
    // A node that a component is bound to is resolved even if no list contains it.
    if (Object.keys(update).some((id) => this.#boundNodes.has(id))) return undefined;
    const row = appendRow(update, this.#resolved);
    return row && [row];
  }

  /** Applies scalar changes to the model. */
  #applyValues(values: ValueChange[]): ModelChange[] {
    const writer = new ModelWriter(this.#resolved.model ?? {});
    for (const { segments, value } of values) writer.set(segments, value);
    this.#resolved.model = writer.model;
    return values.map(({ segments, value }) => ({ path: pointerOf(segments), value }));
  }

  /** Resolves the data model again and returns the changes. */
  #dataChanges(diagnostics: Diagnostic[]): ModelChange[] {
    const before = this.#resolved.model;
    this.#boundNodes = new Set(
      [...this.#components.values()].flatMap(({ source }) => boundNodeIds(source)),
    );
    // Clears the missing items first, because `resolve` throws for a model that is too large.
    this.#resolved.missing.clear();
    this.#resolved = resolveModel(this.#nodes, this.#boundNodes);
    this.#reportNodes(
      "A2UI002",
      this.#resolved.cyclic,
      "contains itself, which JSON cannot express",
      "remove the cycle; A2UI renders null there",
      diagnostics,
    );
    this.#reportNodes(
      "A2UI003",
      this.#resolved.shared,
      "has several parents, and A2UI copies it",
      "avoid user input in it, because a change of one copy does not update the others",
      diagnostics,
    );
    return modelDiff(before, this.#resolved.model);
  }

  #reportNodes(
    code: string,
    ids: Set<string>,
    text: string,
    help: string,
    diagnostics: Diagnostic[],
  ): void {
    for (const id of ids) {
      if (this.#reported.has(`${code} ${id}`)) continue;
      this.#reported.add(`${code} ${id}`);
      const pointer = `/updateDataModel/nodes/${escapePointer(id)}`;
      diagnostics.push(diagnostic(code, `the node \`${id}\` ${text}`, help, pointer));
    }
  }

  /**
   * Returns the components whose translation changed because a bound node moved. Their positions
   * follow those of the message itself.
   */
  #changedComponents(
    name: string,
    ids: readonly string[],
    diagnostics: Diagnostic[],
    candidates: Iterable<string> = this.#components.keys(),
  ): Map<string, Json> {
    const locations = new Map(ids.map((id, at) => [id, at]));
    const result = new Map<string, Json>();
    let next = ids.length;
    for (const id of candidates) {
      const one = this.#components.get(id);
      if (!one) continue;
      const componentDiagnostics: Diagnostic[] = [];
      const pointer = `/${name}/components/${locations.get(id) ?? next}`;
      this.#current = id;
      const resolved = this.#resolveBindings(one.source, pointer, componentDiagnostics);
      const component = this.#spellForVersion(resolved);
      const text = JSON.stringify(component);
      if (text === one.sent) continue;
      one.sent = text;
      result.set(id, component);
      diagnostics.push(...componentDiagnostics);
      if (!locations.has(id)) next += 1;
    }
    return result;
  }

  /** Returns a component in the spelling of the version. */
  #spellForVersion(component: Json): Json {
    const isCurrent = hasAtKeys(this.#version);
    const { atKeys = isCurrent } = this.#options;
    return atKeys ? withAtKeys(component, isCurrent) : component;
  }

  #resolveBindings(value: Json, pointer: string, diagnostics: Diagnostic[]): Json {
    if (Array.isArray(value)) {
      return value.map((one, at) => this.#resolveBindings(one, `${pointer}/${at}`, diagnostics));
    }
    if (!isJsonObject(value)) return value;
    const { binding, template, ...rest } = value;
    if (isJsonObject(binding)) {
      const { componentId = template, ...others } = rest;
      const path =
        this.#pathInView(binding, componentId) ?? this.#pathOf(binding, pointer, diagnostics);
      if (path === null) return null;
      return { ...others, ...(componentId === undefined ? {} : { componentId }), path };
    }
    const result = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#resolveBindings(one, `${pointer}/${escapePointer(name)}`, diagnostics),
      ]),
    );
    const { call, args } = result;
    if (call !== "formatString" || !isJsonObject(args) || typeof args["value"] !== "string")
      return result;
    const { values, ...others } = args;
    return {
      ...result,
      args: {
        ...others,
        value: this.#translateTemplate(args["value"], values, pointer, diagnostics),
      },
    };
  }

  /** Returns the template with paths instead of the names of values. */
  #translateTemplate(
    text: string,
    values: Json | undefined,
    pointer: string,
    diagnostics: Diagnostic[],
  ): string {
    const named = isJsonObject(values) ? values : {};
    return pathsOf(text).reduceRight((result, { path, from, to }) => {
      const value = Object.hasOwn(named, path) ? named[path] : undefined;
      const other = isJsonObject(value) && typeof value["path"] === "string" ? value["path"] : null;
      if (other === null || !isInterpolable(other)) {
        const [text, help] =
          other === null
            ? ["is not a path", "bind the value to a node, because A2UI interpolates only paths"]
            : [
                `is at \`${other}\`, which A2UI cannot interpolate`,
                "use keys of letters, digits, `.`, `_` and `-`, or render it in a separate component",
              ];
        diagnostics.push(diagnostic("A2UI004", `\`\${${path}}\` ${text}`, help, pointer));
        return result;
      }
      return result.slice(0, from) + other + result.slice(to);
    }, text);
  }

  /** Returns the path of A2UI that a view of a list contains, or undefined outside of views. */
  #pathInView({ node, key }: JsonObject, template: Json | undefined): string | undefined {
    if (isView(node, template)) return viewPath(node, template);
    if (node !== undefined || typeof key !== "string") return undefined;
    if (!this.#positions.isInView(this.#current)) return undefined;
    if (template !== undefined) return viewPath(key, template);
    // In v0.8 an absolute path means the item if that has the property.
    return key.startsWith("/") && this.#isOfItem(key) ? key.slice(1) : key;
  }

  /** Returns whether an absolute path in a view leads to its item. */
  #isOfItem(path: string): boolean {
    return Object.entries(this.#nodes).some(([id, node]) => {
      if (!id.startsWith("item:") || !isJsonObject(node)) return false;
      const item = id.slice(id.lastIndexOf(":/") + 1);
      const target = Object.hasOwn(node, path) ? node[path] : undefined;
      return typeof target === "string" && target.startsWith(`*${item}/`);
    });
  }

  #pathOf(binding: JsonObject, pointer: string, diagnostics: Diagnostic[]): string | null {
    const { node, key } = binding;
    const keySegments = typeof key === "string" ? [key] : [];
    const location =
      typeof node === "string"
        ? (this.#resolved.locations.get(node) ?? locationOf(node))
        : undefined;
    const steps = [...(location ?? []), ...keySegments];
    const unreachable = steps.find((step) => !isReachable(step));
    if (unreachable !== undefined) {
      const text = `A2UI has no path through the key \`${unreachable}\``;
      diagnostics.push(diagnostic("A2UI008", text, "rename the key", pointer));
      return null;
    }
    if (location !== undefined) return pointerOf(steps);
    // Outside of templates, a binding without a node begins at the root.
    if (this.#positions.isTop(this.#current)) return pointerOf(steps);
    return keySegments.length === 0 ? "." : keySegments.map(escapePointer).join("");
  }
}

function invalidEdit(key: string): Diagnostic {
  const text = `the edit \`${key}\` does not fit its node, so its message is left out`;
  const help = `set the complete node first: \`"${key.slice(1)}": …\``;
  const pointer = `/updateDataModel/edits/${escapePointer(key)}`;
  return diagnostic("HAM041", text, help, pointer, "error");
}

/** Returns the ids of nodes that a component is bound to. */
function boundNodeIds(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isJsonObject(value) && isJsonObject(value["binding"])) {
    const { node } = value["binding"];
    const isData = !isView(node, value["componentId"] ?? value["template"]);
    return typeof node === "string" && isData ? [node] : [];
  }
  return Object.values(value).flatMap(boundNodeIds);
}
