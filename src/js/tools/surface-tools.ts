import { assertFunction, assertMap, throwMisuse } from "../arguments.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import { messageCheckOf } from "../message-check.js";
import type { Surface } from "../surface.js";
import type { Surfaces } from "../surfaces.js";
import type { Catalog, Diagnostic, HamNodes, Instance, Json } from "../types.js";
import { defineTool, maxCharactersOf } from "./define-tool.js";
import { pageRows, RANGE_PROPERTIES, rangeOf } from "./page.js";
import { argumentFailure, failureResult, withDiagnostics } from "./result.js";
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
    const created = context.surfaces.receive({ createSurface: { surfaceId: id } });
    if (!created.ok) return withDiagnostics(created.diagnostics, { surfaceId: id });
    const result = send(context, id, { components, nodes });
    const next = "the surface exists; correct it with update_surface";
    return result["ok"] === true ? result : { ...result, next };
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

/** Sends components and nodes. Returns their diagnostics and those of the surface as it is then. */
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
    found.push(...surfaces.receive(message).diagnostics);
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
  return withDiagnostics(withoutRepeats([...found, ...current]), { surfaceId });
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byText = new Map(
    diagnostics.map((one) => [`${one.code} ${one.message} ${one.severity}`, one]),
  );
  return [...byText.values()];
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
    ...RANGE_PROPERTIES,
  },
  run(args: JsonObject): JsonObject {
    const found = findSurface(context, args["surfaceId"]);
    if ("failed" in found) return found.failed;
    const { part = "components", id } = args;
    const all = rowsOf(found.surface, part as string);
    const rows = id === undefined ? all : all.filter((row) => row["id"] === id);
    if (id !== undefined && rows.length === 0) {
      const known = [...new Set(all.map((row) => `\`${row["id"]}\``))].slice(0, 30).join(", ");
      const help = known === "" ? `the surface has no ${part}` : `the ids are ${known}`;
      return argumentFailure([{ field: "/id", message: `unknown id \`${id}\``, help }]);
    }
    const call = (offset: number): string =>
      `call read_surface with ${JSON.stringify({ ...args, offset })}`;
    const page = pageRows(rows, rangeOf(args), context.maxCharacters, call);
    return { ok: true, surfaceId: found.id, ...page };
  },
});

/** Returns the rows of a part of a surface. */
function rowsOf(surface: Surface, part: string): JsonObject[] {
  if (part === "nodes") return nodeRows(surface);
  return part === "definitions" ? definitionRows(surface) : instanceRows(surface);
}

/** Returns the components as `update_surface` takes them. */
function definitionRows(surface: Surface): JsonObject[] {
  const messages = surface.export() as { [name: string]: { components?: JsonObject[] } }[];
  return messages.flatMap((message) =>
    ["createSurface", "updateComponents"].flatMap((name) => message[name]?.components ?? []),
  );
}

function nodeRows({ store }: Surface): JsonObject[] {
  return Object.entries(store.export()).map(([id, value]) => ({ id, value }));
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
    const problems = found.surface.diagnostics({ isDone: true }) as unknown as Json[];
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
  const help = `the surfaces are ${ids.map((one) => `\`${one}\``).join(", ")}`;
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
