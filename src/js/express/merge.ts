import { withValueAt } from "../a2ui/data-model.js";
import { segmentsOf } from "../a2ui/node-ids.js";
import { checkPath } from "../a2ui/path-checks.js";
import { deletesByNull } from "../a2ui/versions.js";
import { throwMisuse } from "../arguments.js";
import { asObject, type JsonObject, textOf } from "../json-value.js";
import type { Json } from "../types.js";

/**
 * Moves the updates that follow `createSurface` into it, also those between messages of other
 * surfaces, but not those after a call. Express creates a surface with its components and its data.
 */
export function mergeMessages(messages: readonly object[]): JsonObject[] {
  const merged: JsonObject[] = [];
  const created = new Map<Json | undefined, JsonObject>();
  for (const message of structuredClone(messages) as JsonObject[]) {
    const update = asObject(message["updateComponents"]) ?? asObject(message["updateDataModel"]);
    const surface = update && created.get(update["surfaceId"]);
    if (surface !== undefined) {
      addUpdate(surface, message);
      continue;
    }
    merged.push(message);
    const begun = asObject(message["createSurface"]);
    if (begun) created.set(begun["surfaceId"], begun);
    else if (update === undefined) created.clear();
  }
  return merged;
}

function addUpdate(
  created: JsonObject,
  { version, updateComponents, updateDataModel }: JsonObject,
): void {
  const components = asObject(updateComponents)?.["components"];
  if (Array.isArray(components))
    created["components"] = mergeById(created["components"], components);
  const data = asObject(updateDataModel);
  if (data === undefined) return;
  const { path = "/", value } = data;
  const before = created["dataModel"];
  const segments = segmentsOf(textOf(path));
  const error = checkPath(segments.length === 0 ? undefined : before, segments, "");
  if (error !== undefined) throwMisuse(`${error.message} in the path \`${textOf(path)}\``);
  const isDeletion = value === null && deletesByNull(version);
  const model = withValueAt(before, segments, isDeletion ? undefined : value);
  if (model === undefined) delete created["dataModel"];
  else created["dataModel"] = model;
}

function mergeById(first: Json | undefined, second: Json[]): Json[] {
  const all = new Map<Json | undefined, Json>();
  for (const one of [...(Array.isArray(first) ? first : []), ...second])
    all.set(asObject(one)?.["id"], one);
  return [...all.values()];
}
