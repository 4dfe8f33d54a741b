import { pathsOf } from "../functions/expression.js";
import type { Diagnostic, HamNodes, Json } from "../types.js";
import { changesOf, placeOf, type Shown, show } from "./model.js";
import { pointerOf } from "./names.js";
import { deepest, isDeeper } from "./path.js";
import {
  type Fields,
  isFields,
  type Message,
  type Translation,
  tooMuch,
  trouble,
} from "./translation.js";

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
  #told = new Set<string>();

  constructor(options: ToA2uiOptions = {}) {
    this.#options = options;
  }

  /** The data model as A2UI has it now. */
  get model(): Json | undefined {
    return this.#shown.model;
  }

  /** The messages that do the same: an update of data may be several, and move what components are bound to. */
  translate(message: Message): Translation {
    if (isDeeper(message, deepest)) {
      return { messages: [], diagnostics: [tooMuch("the message is nested too deep", "")] };
    }
    const found: Diagnostic[] = [];
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...others } = message;
    const { version } = this.#options;
    const rest = version === undefined ? others : { ...others, version };
    if (isFields(updateDataModel)) {
      const { nodes, ...body } = updateDataModel;
      if (isFields(nodes)) this.#apply(nodes);
      const messages = this.#data(body, found).map((one) => ({ ...rest, updateDataModel: one }));
      const again = this.#changed(found);
      if (again.length > 0) {
        messages.push({ ...rest, updateComponents: { ...body, components: again } } as never);
      }
      return { messages, diagnostics: found };
    }
    if (isFields(updateComponents))
      return this.#build("updateComponents", updateComponents, rest, found);
    if (isFields(createSurface)) {
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
    this.#told.clear();
  }

  #apply(update: Fields): void {
    for (const key of Object.keys(update))
      if (key.startsWith("!")) delete this.#nodes[key.slice(1)];
    for (const [key, value] of Object.entries(update)) {
      if (!key.startsWith("!")) this.#nodes = { ...this.#nodes, [key]: value };
    }
  }

  #build(name: string, body: Fields, rest: Message, found: Diagnostic[]): Translation {
    const { components } = body;
    if (!Array.isArray(components))
      return { messages: [{ ...rest, [name]: body }], diagnostics: found };
    for (const one of components) {
      if (isFields(one)) this.#components.set(String(one["id"]), { given: one, sent: "" });
    }
    // What they name may stand in the data already, where nobody needed it so far.
    const { surfaceId } = body;
    const data = this.#data(surfaceId === undefined ? {} : { surfaceId }, found);
    const again = new Map(this.#changed(found).map((one) => [String((one as Fields)["id"]), one]));
    const made = components.map((one) => again.get(String((one as Fields)["id"])) ?? one);
    const own = new Set(components.map((one) => String((one as Fields)["id"])));
    const others = [...again].filter(([id]) => !own.has(id)).map(([, one]) => one);
    const messages: Message[] = [
      { ...rest, [name]: { ...body, components: [...made, ...others] } },
    ];
    messages.push(...data.map((one) => ({ ...rest, updateDataModel: one })));
    return { messages, diagnostics: found };
  }

  /** What is different in the data model. */
  #data(body: Fields, found: Diagnostic[]): Fields[] {
    const before = this.#shown.model;
    const bound = [...this.#components.values()].flatMap(({ given }) => nodesIn(given));
    this.#shown = show(this.#nodes, bound);
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
    return changesOf(before, this.#shown.model).map((one) => ({ ...body, ...one }));
  }

  #tell(code: string, ids: Set<string>, words: string, help: string, found: Diagnostic[]): void {
    for (const id of ids) {
      if (this.#told.has(`${code} ${id}`)) continue;
      this.#told.add(`${code} ${id}`);
      found.push(
        trouble(code, `the node \`${id}\` ${words}`, help, `/updateDataModel/nodes/${id}`),
      );
    }
  }

  /** The components that say something else than they last did, because what they are bound to has moved. */
  #changed(found: Diagnostic[]): Json[] {
    const made: Json[] = [];
    for (const [id, one] of this.#components) {
      const component = this.#plain(one.given, `/updateComponents/components/${id}`, found);
      const text = JSON.stringify(component);
      if (text === one.sent) continue;
      one.sent = text;
      made.push(component);
    }
    return made;
  }

  #plain(value: Json, pointer: string, found: Diagnostic[]): Json {
    if (Array.isArray(value)) {
      return value.map((one, at) => this.#plain(one, `${pointer}/${at}`, found));
    }
    if (!isFields(value)) return value;
    const { binding, template, ...rest } = value;
    if (isFields(binding)) {
      const path = this.#pathOf(binding);
      const { componentId = template, ...others } = rest;
      return { ...others, ...(componentId === undefined ? {} : { componentId }), path };
    }
    const made = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#plain(one, `${pointer}/${name}`, found),
      ]),
    );
    const { call, args } = made;
    if (call !== "formatString" || !isFields(args) || typeof args["value"] !== "string")
      return made;
    const { values, ...others } = args;
    return {
      ...made,
      args: { ...others, value: this.#template(args["value"], values, pointer, found) },
    };
  }

  /** A template with paths in place of the names of values. */
  #template(text: string, values: Json | undefined, pointer: string, found: Diagnostic[]): string {
    const named = isFields(values) ? values : {};
    return pathsOf(text).reduceRight((made, { path, from, to }) => {
      const value = Object.hasOwn(named, path) ? named[path] : undefined;
      const other = isFields(value) && typeof value["path"] === "string" ? value["path"] : null;
      if (other === null) {
        const help = "A2UI interpolates paths alone: bind the value to a node";
        found.push(trouble("A2UI004", `\`\${${path}}\` is no path`, help, pointer));
        return made;
      }
      return made.slice(0, from) + other + made.slice(to);
    }, text);
  }

  #pathOf(binding: Fields): string {
    const { node, key } = binding;
    if (typeof node !== "string") return typeof key === "string" ? key : ".";
    const place = this.#shown.places.get(node) ?? placeOf(node);
    return pointerOf(typeof key === "string" ? [...place, key] : place);
  }
}

/** The nodes that a component names. */
function nodesIn(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isFields(value) && isFields(value["binding"])) {
    const { node } = value["binding"];
    return typeof node === "string" ? [node] : [];
  }
  return Object.values(value).flatMap(nodesIn);
}
