import { segmentsOf } from "../a2ui/node-ids.js";
import { checkPath, maxDepth } from "../a2ui/path-checks.js";
import { deletesByNull } from "../a2ui/versions.js";
import { describeType, throwMisuse } from "../arguments.js";
import { asObject, type JsonObject, textOf } from "../json-value.js";
import type { Json } from "../types.js";
import { OwnedModel } from "./owned-model.js";

/**
 * Moves the updates that follow `createSurface` into it, also those between messages of other
 * surfaces, but not those after a call. Express creates a surface with its components and its data.
 */
export function mergeMessages(messages: readonly object[]): JsonObject[] {
  const merged: JsonObject[] = [];
  const all: CreatedSurface[] = [];
  const created = new Map<Json | undefined, CreatedSurface>();
  for (const given of messages) {
    const message = toPrintable(given, maxDepth) as JsonObject;
    const update = asObject(message["updateComponents"]) ?? asObject(message["updateDataModel"]);
    const surface = update && created.get(update["surfaceId"]);
    if (surface !== undefined) {
      surface.addUpdate(message);
      continue;
    }
    const begun = asObject(message["createSurface"]);
    if (begun) {
      const createSurface = { ...begun };
      const added = new CreatedSurface(createSurface);
      all.push(added);
      created.set(begun["surfaceId"], added);
      merged.push({ ...message, createSurface });
      continue;
    }
    merged.push(message);
    if (update === undefined) created.clear();
  }
  for (const surface of all) surface.finish();
  return merged;
}

/**
 * Returns a value without undefined properties, as in JSON text. Throws for functions and symbols,
 * which have no text in Express, and for deep nesting.
 */
function toPrintable(value: unknown, levels: number): Json {
  if (typeof value === "function" || typeof value === "symbol")
    throwMisuse(`expected JSON in a message, found ${describeType(value)}`);
  if (typeof value !== "object" || value === null) return (value ?? null) as Json;
  if (levels === 0)
    throwMisuse(`expected at most ${maxDepth} levels of nesting in a message, found more`);
  if (Array.isArray(value)) return value.map((item) => toPrintable(item, levels - 1));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toPrintable(item, levels - 1)]));
}

/** Content of `createSurface` with its updates. */
class CreatedSurface {
  readonly #body: JsonObject;
  /** Components by id, once an update has some. */
  #components: Map<Json | undefined, Json> | undefined;
  readonly #model: OwnedModel;

  constructor(body: JsonObject) {
    this.#body = body;
    this.#model = new OwnedModel(body["dataModel"]);
  }

  addUpdate({ version, updateComponents, updateDataModel }: JsonObject): void {
    const components = asObject(updateComponents)?.["components"];
    if (Array.isArray(components)) this.#addComponents(components);
    const data = asObject(updateDataModel);
    if (data === undefined) return;
    const { path = "/", value } = data;
    const segments = segmentsOf(textOf(path));
    const before = segments.length === 0 ? undefined : this.#model.value;
    const error = checkPath(before, segments, "");
    if (error !== undefined) throwMisuse(`${error.message} in the path \`${textOf(path)}\``);
    const isDeletion = value === null && deletesByNull(version);
    this.#model.set(segments, isDeletion ? undefined : value);
  }

  #addComponents(components: readonly Json[]): void {
    const first = this.#body["components"];
    const before = Array.isArray(first) ? first : [];
    const known = this.#components ?? byId(new Map(), before);
    this.#components = byId(known, components);
  }

  /** Writes the components and the data into the message. */
  finish(): void {
    if (this.#components) this.#body["components"] = [...this.#components.values()];
    const model = this.#model.value;
    if (model === undefined) delete this.#body["dataModel"];
    else this.#body["dataModel"] = model;
  }
}

function byId(
  known: Map<Json | undefined, Json>,
  components: readonly Json[],
): Map<Json | undefined, Json> {
  for (const one of components) known.set(asObject(one)?.["id"], one);
  return known;
}
