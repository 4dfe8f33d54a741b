import { pathsOf } from "../functions/expression.js";
import type { Diagnostic, HamNodes, Json } from "../types.js";
import { difference, modelOf, nodesOf, withValue } from "./model.js";
import { bindingOf, segmentsOf } from "./names.js";
import { type Fields, isFields, type Message, type Translation, trouble } from "./translation.js";

export interface FromA2uiOptions {
  /** The store that takes the translation: what users typed there is then kept when an agent updates something beside it. */
  store?: { export(): HamNodes };
}

/** Turns the messages of an A2UI agent, v0.9 or v1.0, into messages for a Surface, in order. */
export class FromA2ui {
  readonly #store: FromA2uiOptions["store"];
  #nodes: HamNodes = {};

  constructor(options: FromA2uiOptions = {}) {
    this.#store = options.store;
  }

  /** The messages that do the same: one, or two where a surface is created with its data. */
  translate(message: Message): Translation {
    const found: Diagnostic[] = [];
    const { createSurface, updateComponents, updateDataModel, deleteSurface, ...rest } = message;
    if (isFields(updateDataModel)) {
      const { path, value, ...others } = updateDataModel;
      const nodes = this.#update(typeof path === "string" ? path : "/", value);
      return { messages: [{ ...rest, updateDataModel: { ...others, nodes } }], diagnostics: found };
    }
    if (isFields(updateComponents)) {
      const made = withComponents(updateComponents, "/updateComponents", found);
      return { messages: [{ ...rest, updateComponents: made }], diagnostics: found };
    }
    if (isFields(createSurface)) {
      const { dataModel, ...others } = createSurface;
      const made = withComponents(others, "/createSurface", found);
      const messages: Message[] = [{ ...rest, createSurface: made }];
      this.#nodes = {};
      if (dataModel !== undefined) {
        const { surfaceId } = createSurface;
        const named = surfaceId === undefined ? {} : { surfaceId };
        const nodes = this.#update("/", dataModel);
        messages.push({ ...rest, updateDataModel: { ...named, nodes } });
      }
      return { messages, diagnostics: found };
    }
    if (deleteSurface !== undefined) this.#nodes = {};
    return { messages: [message], diagnostics: found };
  }

  #update(path: string, value: Json | undefined): HamNodes {
    const before = this.#store?.export() ?? this.#nodes;
    const model = withValue(modelOf(before), segmentsOf(path), value);
    this.#nodes = nodesOf(model);
    return difference(before, this.#nodes);
  }
}

function withComponents(body: Fields, pointer: string, found: Diagnostic[]): Fields {
  const { components } = body;
  if (!Array.isArray(components)) return body;
  const made = components.map((one, at) => dynamic(one, `${pointer}/components/${at}`, found));
  return { ...body, components: made };
}

/** Every `{path}` becomes a binding, whatever holds it: a property, an argument, the context of an action. */
function dynamic(value: Json, pointer: string, found: Diagnostic[]): Json {
  if (Array.isArray(value)) return value.map((one, at) => dynamic(one, `${pointer}/${at}`, found));
  if (!isFields(value)) return value;
  if (typeof value["path"] === "string") return bound(value, value["path"], pointer, found);
  const made = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, dynamic(one, `${pointer}/${name}`, found)]),
  );
  const { call, args } = made;
  const template = isFields(args) ? args["value"] : undefined;
  if (call !== "formatString" || typeof template !== "string") return made;
  return { ...made, args: { ...(args as Fields), ...interpolated(template, pointer, found) } };
}

/** The template stays; the paths that it names stand beside it, bound. */
function interpolated(template: string, pointer: string, found: Diagnostic[]): Fields {
  const values = pathsOf(template).map(({ path }): [string, Json] => [
    path,
    bound({}, path, `${pointer}/args/value`, found),
  ]);
  return values.length === 0 ? {} : { values: Object.fromEntries(values) };
}

function bound(value: Fields, path: string, pointer: string, found: Diagnostic[]): Json {
  const binding = bindingOf(path);
  if (binding === null) {
    found.push(
      trouble(
        "A2UI001",
        `the relative path \`${path}\` has no binding in HAM`,
        "bind to the absolute path, or show the inner object by a template of its own",
        pointer,
      ),
    );
    return null;
  }
  const { path: _, componentId, ...rest } = value;
  const template = componentId === undefined ? {} : { template: componentId };
  return { ...rest, binding: { ...binding }, ...template };
}
