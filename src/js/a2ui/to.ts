import { assertMessage, assertOptionTypes, assertString, throwMisuse } from "../arguments.js";
import { pathsOf } from "../functions/expression.js";
import { escapePointer, requireJsonText } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, HamNodes, Json } from "../types.js";
import {
  applyTo,
  changesOf,
  isFree,
  type ModelChange,
  placeOf,
  type Shown,
  show,
  takeRow,
  type ValueChange,
  valuesOf,
  withValue,
} from "./model.js";
import { pointerOf } from "./names.js";
import { deepest, isDeeper, isInterpolable, isNamed } from "./path.js";
import { type Message, type Translation, tooMuch, trouble } from "./translation.js";

export interface ToA2uiOptions {
  /** The version that the messages name; by default that of the message that is translated. */
  version?: string;
}

/** Turns messages for a Surface into those of plain A2UI, in order. */
export class ToA2ui {
  readonly #options: ToA2uiOptions;
  #nodes: HamNodes = {};
  /** As they came, by id, and as they were last sent. */
  readonly #components = new Map<string, { given: Json; sent: string }>();
  #shown: Shown = show({});
  /** The nodes that components name. */
  #bound = new Set<string>();
  #told = new Set<string>();

  constructor(options: ToA2uiOptions = {}) {
    assertOptionTypes(options, { version: assertString }, "the options of ToA2ui");
    this.#options = options;
  }

  /** The data model as A2UI has it now. */
  get model(): Json | undefined {
    return this.#shown.model;
  }

  /** The messages that do the same: an update of data may be several, and move what components are bound to. */
  translate(message: Message): Translation {
    assertMessage(message);
    if (!isJsonObject(message))
      throwMisuse("a message to translate is an object: parse its text first");
    if (isDeeper(message, deepest)) {
      return { messages: [], diagnostics: [tooMuch("the message is nested too deep", "")] };
    }
    const found: Diagnostic[] = [];
    // What the caller changes afterwards has to be known as another value.
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...others } =
      JSON.parse(requireJsonText(message)) as Message;
    const { version } = this.#options;
    const rest = version === undefined ? others : { ...others, version };
    if (isJsonObject(updateDataModel)) {
      const { nodes, ...body } = updateDataModel;
      const own = isJsonObject(nodes) ? this.#own(nodes) : undefined;
      if (isJsonObject(nodes)) applyTo(this.#nodes, nodes);
      const changes = own ? this.#take(own) : this.#data(found);
      const messages = changes.map((one) => ({ ...rest, updateDataModel: { ...body, ...one } }));
      // Values and rows beside others move nothing that a component names.
      const again = own ? new Map<string, Json>() : this.#changed("updateComponents", [], found);
      if (again.size > 0) {
        const components = [...again.values()];
        messages.push({ ...rest, updateComponents: { ...body, components } } as never);
      }
      return { messages, diagnostics: found };
    }
    if (isJsonObject(updateComponents))
      return this.#build("updateComponents", updateComponents, rest, found);
    if (isJsonObject(createSurface)) {
      this.#forget();
      return this.#build("createSurface", createSurface, rest, found);
    }
    if (deleteSurface !== undefined) this.#forget();
    return { messages: [{ ...message, ...rest }], diagnostics: found };
  }

  #forget(): void {
    this.#nodes = {};
    this.#components.clear();
    this.#shown = show({});
    this.#bound.clear();
    this.#told.clear();
  }

  #build(name: string, body: JsonObject, rest: Message, found: Diagnostic[]): Translation {
    const { components } = body;
    if (!Array.isArray(components))
      return { messages: [{ ...rest, [name]: body }], diagnostics: found };
    const ids = components.map((one) => (isJsonObject(one) ? String(one["id"]) : ""));
    const isMore = this.#isMore(components, ids);
    for (const [at, given] of components.entries()) {
      if (isJsonObject(given)) this.#components.set(ids[at] as string, { given, sent: "" });
    }
    // What they name may stand in the data already, where nobody needed it so far.
    const { surfaceId } = body;
    const data = isMore ? [] : this.#data(found);
    const again = this.#changed(name, ids, found, isMore ? new Set(ids) : this.#components.keys());
    const made = components.map((one, at) => again.get(ids[at] as string) ?? one);
    const own = new Set(ids);
    const others = [...again].filter(([id]) => !own.has(id)).map(([, one]) => one);
    const messages: Message[] = [
      { ...rest, [name]: { ...body, components: [...made, ...others] } },
    ];
    const named = surfaceId === undefined ? {} : { surfaceId };
    for (const one of data) messages.push({ ...rest, updateDataModel: { ...named, ...one } });
    return { messages, diagnostics: found };
  }

  /** Whether components only come beside others, and what they name stands in the data model already or nowhere: then nothing else is different. */
  #isMore(components: readonly Json[], ids: readonly string[]): boolean {
    if (!components.every(isJsonObject) || ids.some((id) => this.#components.has(id))) return false;
    const named = components.flatMap(nodesIn);
    const { places, model } = this.#shown;
    const isKnown = (id: string): boolean =>
      places.has(id) || (!Object.hasOwn(this.#nodes, id) && isFree(model, placeOf(id)));
    if (!named.every(isKnown)) return false;
    for (const id of named) this.#bound.add(id);
    return true;
  }

  /** All that an update makes different, where not all of the model has to be looked at for it. */
  #own(update: JsonObject): ValueChange[] | undefined {
    const values = valuesOf(update, this.#nodes, this.#shown);
    if (values) return values;
    // What a component names is shown whether a list has it or not.
    if (Object.keys(update).some((id) => this.#bound.has(id))) return undefined;
    const row = takeRow(update, this.#shown);
    return row && [row];
  }

  /** Takes values that are all that is different. */
  #take(values: ValueChange[]): ModelChange[] {
    return values.map(({ segments, value }) => {
      this.#shown.model = withValue(this.#shown.model, segments, value);
      return { path: pointerOf(segments), value };
    });
  }

  /** What is different in the data model. */
  #data(found: Diagnostic[]): ModelChange[] {
    const before = this.#shown.model;
    this.#bound = new Set([...this.#components.values()].flatMap(({ given }) => nodesIn(given)));
    // Where that is too much, nothing is known of lists any more.
    this.#shown.waiting.clear();
    this.#shown = show(this.#nodes, this.#bound);
    this.#tell(
      "A2UI002",
      this.#shown.cyclic,
      "holds itself, which JSON cannot",
      "A2UI shows null there",
      found,
    );
    this.#tell(
      "A2UI003",
      this.#shown.shared,
      "stands in several places, of which A2UI makes copies",
      "what a user changes in one copy does not show in the others",
      found,
    );
    return changesOf(before, this.#shown.model);
  }

  #tell(code: string, ids: Set<string>, words: string, help: string, found: Diagnostic[]): void {
    for (const id of ids) {
      if (this.#told.has(`${code} ${id}`)) continue;
      this.#told.add(`${code} ${id}`);
      const pointer = `/updateDataModel/nodes/${escapePointer(id)}`;
      found.push(trouble(code, `the node \`${id}\` ${words}`, help, pointer));
    }
  }

  /** The components that say something else than they last did, because what they are bound to has moved: after those that the message itself brings. */
  #changed(
    name: string,
    ids: readonly string[],
    found: Diagnostic[],
    among: Iterable<string> = this.#components.keys(),
  ): Map<string, Json> {
    const places = new Map(ids.map((id, at) => [id, at]));
    const made = new Map<string, Json>();
    let next = ids.length;
    for (const id of among) {
      const one = this.#components.get(id);
      if (!one) continue;
      const troubles: Diagnostic[] = [];
      const pointer = `/${name}/components/${places.get(id) ?? next}`;
      const component = this.#plain(one.given, pointer, troubles);
      const text = JSON.stringify(component);
      if (text === one.sent) continue;
      one.sent = text;
      made.set(id, component);
      for (const trouble of troubles) found.push(trouble);
      if (!places.has(id)) next += 1;
    }
    return made;
  }

  #plain(value: Json, pointer: string, found: Diagnostic[]): Json {
    if (Array.isArray(value)) {
      return value.map((one, at) => this.#plain(one, `${pointer}/${at}`, found));
    }
    if (!isJsonObject(value)) return value;
    const { binding, template, ...rest } = value;
    if (isJsonObject(binding)) {
      const path = this.#pathOf(binding, pointer, found);
      if (path === null) return null;
      const { componentId = template, ...others } = rest;
      return { ...others, ...(componentId === undefined ? {} : { componentId }), path };
    }
    const made = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#plain(one, `${pointer}/${escapePointer(name)}`, found),
      ]),
    );
    const { call, args } = made;
    if (call !== "formatString" || !isJsonObject(args) || typeof args["value"] !== "string")
      return made;
    const { values, ...others } = args;
    return {
      ...made,
      args: { ...others, value: this.#template(args["value"], values, pointer, found) },
    };
  }

  /** A template with paths in place of the names of values. */
  #template(text: string, values: Json | undefined, pointer: string, found: Diagnostic[]): string {
    const named = isJsonObject(values) ? values : {};
    return pathsOf(text).reduceRight((made, { path, from, to }) => {
      const value = Object.hasOwn(named, path) ? named[path] : undefined;
      const other = isJsonObject(value) && typeof value["path"] === "string" ? value["path"] : null;
      if (other === null || !isInterpolable(other)) {
        const [words, help] =
          other === null
            ? ["is no path", "A2UI interpolates paths alone: bind the value to a node"]
            : [
                `is at \`${other}\`, which no text of A2UI can name`,
                "use keys of letters, digits, `.`, `_` and `-`, or show it in a component of its own",
              ];
        found.push(trouble("A2UI004", `\`\${${path}}\` ${words}`, help, pointer));
        return made;
      }
      return made.slice(0, from) + other + made.slice(to);
    }, text);
  }

  #pathOf(binding: JsonObject, pointer: string, found: Diagnostic[]): string | null {
    const { node, key } = binding;
    const own = typeof key === "string" ? [key] : [];
    const place =
      typeof node === "string" ? (this.#shown.places.get(node) ?? placeOf(node)) : undefined;
    const steps = [...(place ?? []), ...own];
    const unnamed = steps.find((step) => !isNamed(step));
    if (unnamed !== undefined) {
      const words = `A2UI has no path through the key \`${unnamed}\``;
      found.push(trouble("A2UI008", words, "give the key another name", pointer));
      return null;
    }
    if (place !== undefined) return pointerOf(steps);
    return own.length === 0 ? "." : own.map(escapePointer).join("");
  }
}

/** The nodes that a component names. */
function nodesIn(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isJsonObject(value) && isJsonObject(value["binding"])) {
    const { node } = value["binding"];
    return typeof node === "string" ? [node] : [];
  }
  return Object.values(value).flatMap(nodesIn);
}
