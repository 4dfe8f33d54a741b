import { assertFunction, assertMap, throwMisuse } from "../arguments.js";
import { unwrapNodes } from "../exported-nodes.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import { messageCheckOf } from "../message-check.js";
import type { Surface } from "../surface.js";
import type { Surfaces } from "../surfaces.js";
import type { Catalog, Diagnostic, HamNodes, Instance, Json } from "../types.js";
import { defineTool, maxCharactersOf } from "./define-tool.js";
import { pageRows, RANGE_PROPERTIES, rangeOf } from "./page.js";
import { argumentFailure, failureResult, withDiagnostics } from "./result.js";
import { fittingRow, itemsPart, type PartRows } from "./row-parts.js";
import { definitionsOf, problemsOf, withoutRepeats } from "./surface-problems.js";
import type { Tool, ToolsOptions } from "./types.js";

/** Options of `surfaceTools`. */
export interface SurfaceToolsOptions extends ToolsOptions {
  /** Components that the model may use. */
  catalog: Catalog;
}

/** Surfaces of the page, with the components that a model may use. */
interface SurfaceToolContext {
  readonly surfaces: Surfaces | Surface;
  readonly catalog: Catalog;
  readonly maxCharacters: number;
}

/** Returns the tools with which a model shows data: create, update by id, read, list problems. */
export function surfaceTools(surfaces: Surfaces | Surface, options: SurfaceToolsOptions): Tool[] {
  assertFunction(surfaces?.receive, "`receive` of the surfaces");
  const maxCharacters = maxCharactersOf(options, ["catalog"], "surfaceTools");
  const { catalog } = options;
  assertMap(catalog, "`catalog`");
  if (!isJsonObject(catalog.components)) throwMisuse("missing `components` in `catalog`");
  const context = { surfaces, catalog, maxCharacters };
  const tools = [describeComponents, createSurface, updateSurface, readSurface, listProblems];
  return tools.map((tool) => defineTool(tool(context), maxCharacters));
}

const SURFACE_ID = {
  type: "string",
  description: "id of the surface; may be left out if only one exists",
};
const NODES = {
  type: "object",
  description: "data by node id: a node replaces that of the same id, and `!id` deletes it",
};

function componentList({ catalog }: SurfaceToolContext): JsonObject {
  const id = { type: "string", minLength: 1, description: "unique id; one component is `root`" };
  const component = {
    type: "string",
    enum: Object.keys(catalog.components),
    description: "name in the catalog",
  };
  return {
    type: "array",
    description:
      "components by id, with their properties; one with a known id replaces the earlier one",
    items: { type: "object", properties: { id, component }, required: ["id", "component"] },
  };
}

const describeComponents = ({ catalog, maxCharacters }: SurfaceToolContext) => ({
  name: "describe_components",
  description: "Returns the components of the catalog with their properties.",
  properties: {
    names: {
      type: "array",
      items: { type: "string", enum: Object.keys(catalog.components) },
      description: "names of components; all by default",
    },
    ...RANGE_PROPERTIES,
  },
  run(args: JsonObject): JsonObject {
    const names = args["names"] as string[] | undefined;
    const rows = Object.entries(catalog.components)
      .filter(([name]) => names === undefined || names.includes(name))
      .map(([component, definition]) => ({ component, ...definition }) as unknown as Json);
    const call = (offset: number): string =>
      `call describe_components with ${JSON.stringify({ ...args, offset })}`;
    // Definitions may have values that JSON omits.
    const plain = JSON.parse(JSON.stringify(rows)) as Json[];
    return { ok: true, ...pageRows(plain, rangeOf(args), maxCharacters, call) };
  },
});

const createSurface = (context: SurfaceToolContext) => ({
  name: "create_surface",
  description:
    'Creates a surface with components and data. A property is a literal or a binding such as {"binding": {"node": "root", "key": "title"}}.',
  properties: {
    surfaceId: { type: "string", minLength: 1, description: "id of the new surface" },
    components: componentList(context),
    nodes: NODES,
  },
  required: ["surfaceId", "components"],
  run({ surfaceId, components, nodes }: JsonObject): JsonObject {
    const id = surfaceId as string;
    if (knownIds(context.surfaces).includes(id)) {
      const help = "call update_surface, or use another id";
      return argumentFailure([
        { field: "/surfaceId", message: `the surface \`${id}\` exists`, help },
      ]);
    }
    const [other] = isOne(context.surfaces) ? knownIds(context.surfaces) : [];
    if (other !== undefined) {
      const message = `the page has one surface, \`${other}\``;
      const help = `call update_surface with "surfaceId": ${JSON.stringify(other)}`;
      return argumentFailure([{ field: "/surfaceId", message, help }]);
    }
    const created = context.surfaces.receive({ createSurface: { surfaceId: id } });
    if (!created.ok) return withDiagnostics(created.diagnostics, { surfaceId: id });
    const result = send(context, id, { components, nodes });
    if (result["ok"] === true) return result;
    const next = "the surface exists; correct it with update_surface";
    return { ...result, next };
  },
});

const updateSurface = (context: SurfaceToolContext) => ({
  name: "update_surface",
  description: "Replaces components and data nodes of a surface by id. Others are kept.",
  properties: { surfaceId: SURFACE_ID, components: componentList(context), nodes: NODES },
  run({ surfaceId, components, nodes }: JsonObject): JsonObject {
    const found = findSurface(context, surfaceId);
    if ("failed" in found) return found.failed;
    if (components === undefined && nodes === undefined) {
      const help = "add `components`, `nodes` or both";
      return argumentFailure([{ field: "/nodes", message: "nothing to update", help }]);
    }
    return send(context, found.id, { components, nodes });
  },
});

/**
 * Sends nodes, then components. Returns their diagnostics and those of the surface as it is then.
 * Components are not sent if the nodes are rejected, so that the model sends both again.
 */
function send(
  context: SurfaceToolContext,
  surfaceId: string,
  { components, nodes }: { components?: Json | undefined; nodes?: Json | undefined },
): JsonObject {
  const { surfaces, catalog } = context;
  const found: Diagnostic[] = [];
  // Data come first, so that bindings find them.
  if (nodes !== undefined) {
    const message = { updateDataModel: { surfaceId, nodes: nodes as HamNodes } };
    const received = surfaces.receive(message);
    found.push(...received.diagnostics);
    if (!received.ok) {
      const applied = "nothing; send all of it again";
      return withDiagnostics(withoutRepeats(found), { surfaceId, applied });
    }
  }
  if (components !== undefined) {
    const message = { updateComponents: { surfaceId, components } } as object;
    found.push(...(surfaces as Surfaces).receive(message).diagnostics);
    const surface = surfaceOf(surfaces, surfaceId);
    // A surface with the same catalog has checked the message itself.
    if (surface?.catalog !== catalog)
      found.push(...(messageCheckOf(catalog)?.(JSON.stringify(message)) ?? []));
  }
  const current = surfaceOf(surfaces, surfaceId)?.diagnostics({ isDone: true }) ?? [];
  const result = withDiagnostics(withoutRepeats([...found, ...current]), { surfaceId });
  if (result["ok"] === true) return result;
  return { ...result, applied: "all but the parts with an error" };
}

const readSurface = (context: SurfaceToolContext) => ({
  name: "read_surface",
  description:
    "Returns the components of a surface as they are shown, with resolved properties, their definitions with bindings and templates, or the data nodes.",
  properties: {
    surfaceId: SURFACE_ID,
    part: {
      type: "string",
      enum: ["components", "definitions", "nodes"],
      description: "`components` by default",
    },
    id: { type: "string", description: "returns only the component or node with this id" },
    key: {
      type: "string",
      description:
        "with `id`: returns only this property of the node or definition, a list from `offset`",
    },
    ...RANGE_PROPERTIES,
  },
  run(args: JsonObject): JsonObject {
    const found = findSurface(context, args["surfaceId"]);
    if ("failed" in found) return found.failed;
    const { part = "components", id, key } = args as { part?: string; id?: string; key?: string };
    if (key !== undefined && (id === undefined || part === "components")) {
      const help = 'add `id`, and "part": "nodes" or "definitions"';
      return argumentFailure([{ field: "/key", message: "expected `id` with `key`", help }]);
    }
    const all = rowsOf(found.surface, part);
    const rows = id === undefined ? all : all.filter((row) => row["id"] === id);
    const [only] = rows;
    if (id !== undefined && only === undefined) {
      const known = [...new Set(all.map((row) => `\`${row["id"]}\``))].slice(0, 30).join(", ");
      const help = known === "" ? `the surface has no ${part}` : `the ids are ${known}`;
      return argumentFailure([{ field: "/id", message: `unknown id \`${id}\``, help }]);
    }
    const { maxCharacters } = context;
    const range = rangeOf(args);
    const { surfaceId } = args;
    const named = surfaceId === undefined ? {} : { surfaceId };
    const callWith = (given: JsonObject): string =>
      `call read_surface with ${JSON.stringify({ ...named, ...given })}`;
    const options: PartRows = { part, maxCharacters, call: callWith };
    const hasItems = id !== undefined && only !== undefined && part !== "components";
    const items = hasItems ? itemsPart(only, key, range, options) : undefined;
    if (items) return items["ok"] === true ? { ...items, surfaceId: found.id } : items;
    const shown = part === "components" ? rows : rows.map((row) => fittingRow(row, options));
    const call = (offset: number): string => callWith({ ...args, offset });
    const page = pageRows(shown, range, maxCharacters, call);
    return { ok: true, surfaceId: found.id, ...page };
  },
});

/** Returns the rows of a part of a surface. */
function rowsOf(surface: Surface, part: string): JsonObject[] {
  if (part === "nodes") return nodeRows(surface);
  return part === "definitions" ? definitionsOf(surface) : instanceRows(surface);
}

function nodeRows({ store }: Surface): JsonObject[] {
  return Object.entries(unwrapNodes(store.export())).map(([id, value]) => ({ id, value }));
}

/** Returns the instances in document order. */
function instanceRows(surface: Surface): JsonObject[] {
  const rows: JsonObject[] = [];
  const root = surface.tree();
  const open: { instance: Instance; parent: string | undefined }[] = [];
  if (root) open.push({ instance: root, parent: undefined });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, component, key, props, children } = next.instance;
    rows.push({
      id,
      component,
      ...(key !== id && { key }),
      ...(next.parent !== undefined && { parent: next.parent }),
      ...(Object.keys(props).length > 0 && { props: { ...props } }),
    });
    for (const child of [...children].reverse()) open.push({ instance: child, parent: key });
  }
  return rows;
}

const listProblems = (context: SurfaceToolContext) => ({
  name: "list_problems",
  description: "Returns the errors and warnings of a surface as it is now, each with its fix.",
  properties: { surfaceId: SURFACE_ID, ...RANGE_PROPERTIES },
  run(args: JsonObject): JsonObject {
    const found = findSurface(context, args["surfaceId"]);
    if ("failed" in found) return found.failed;
    const problems = problemsOf(found.surface, context.catalog) as unknown as Json[];
    const call = (offset: number): string =>
      `call list_problems with ${JSON.stringify({ ...args, offset })}`;
    const page = pageRows(problems, rangeOf(args), context.maxCharacters, call);
    return { ok: true, surfaceId: found.id, ...page };
  },
});

type FoundSurface = { id: string; surface: Surface } | { failed: JsonObject };

function findSurface({ surfaces }: SurfaceToolContext, given: Json | undefined): FoundSurface {
  const ids = knownIds(surfaces);
  const id = given === undefined && ids.length === 1 ? ids[0] : (given as string | undefined);
  const surface = id === undefined ? undefined : surfaceOf(surfaces, id);
  if (id !== undefined && surface !== undefined) return { id, surface };
  if (ids.length === 0) {
    const help = "call create_surface first";
    return { failed: failureResult("arguments", "there is no surface", { help }) };
  }
  const message = id === undefined ? "missing `surfaceId`" : `unknown surface \`${id}\``;
  const help = `use one of ${ids.map((one) => `\`${one}\``).join(", ")}`;
  return { failed: argumentFailure([{ field: "/surfaceId", message, help }]) };
}

function isOne(surfaces: Surfaces | Surface): surfaces is Surface {
  return "tree" in surfaces;
}

function knownIds(surfaces: Surfaces | Surface): string[] {
  if (!isOne(surfaces)) return [...surfaces].map(([id]) => id);
  // Throws for a surface that was disposed of.
  surfaces.diagnostics();
  const id = surfaces.info()?.surfaceId;
  return id === undefined ? [] : [id];
}

function surfaceOf(surfaces: Surfaces | Surface, id: string): Surface | undefined {
  if (!isOne(surfaces)) return surfaces.get(id);
  return surfaces.info()?.surfaceId === id ? surfaces : undefined;
}
