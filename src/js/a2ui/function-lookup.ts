import { assertMap } from "../arguments.js";
import type { CatalogDefinition, FunctionDefinition } from "../catalog/types.js";
import type { Functions } from "../functions/call-context.js";
import { isBasicFunction } from "../functions/evaluate.js";
import type { Json } from "../types.js";
import { BASIC_CATALOG_IDS } from "./basic-catalog.js";

/** Catalogs by the ids that agents name. */
export interface Catalogs {
  readonly [catalogId: string]: CatalogDefinition;
}

/** Throws unless a value is an object of catalogs. */
export function assertCatalogs(value: unknown, what: string): void {
  assertMap(value, what);
  for (const [id, one] of Object.entries(value as object))
    assertMap((one as CatalogDefinition | undefined)?.components, `\`components\` of \`${id}\``);
}

/** Parts of a surface that decide which catalog a name belongs to. */
export interface CatalogScope {
  surfaceId: string | undefined;
  /** Default catalog of the surface. */
  catalogId: string | undefined;
  version: string | undefined;
}

export type CatalogResult =
  | { ok: true; id: string; catalog: CatalogDefinition }
  | { ok: false; message: string };

/** Location in which a called function runs: the page or the agent. */
export type FunctionTarget =
  | { kind: "page" | "agent"; catalog?: CatalogDefinition; definition?: FunctionDefinition }
  | { kind: "unknown"; code: "CATALOG_ERROR" | "EXPRESSION_ERROR"; message: string };

export interface FunctionInCatalog {
  catalog: CatalogDefinition;
  definition: FunctionDefinition;
}

/** Looks up catalogs and functions of a page by the names in messages. */
export class FunctionLookup {
  readonly #catalogs: Catalogs | undefined;
  readonly functions: Functions;

  constructor(catalogs: Catalogs | undefined, functions: Functions) {
    this.#catalogs = catalogs;
    this.functions = functions;
  }

  /** Whether the page states its catalogs, so that components and calls can be checked. */
  get hasCatalogs(): boolean {
    return this.#catalogs !== undefined;
  }

  /** Returns the catalog that a component or call names, by default that of the surface. */
  findCatalog(ownId: Json | undefined, scope: CatalogScope): CatalogResult {
    const id = typeof ownId === "string" ? ownId : scope.catalogId;
    if (id === undefined) {
      const message = `Surface ${scope.surfaceId ?? ""} has no default catalogId`;
      return { ok: false, message };
    }
    const catalogs = this.#catalogs ?? {};
    const key = Object.hasOwn(catalogs, id)
      ? id
      : BASIC_CATALOG_IDS.includes(id)
        ? BASIC_CATALOG_IDS.find((one) => Object.hasOwn(catalogs, one))
        : undefined;
    const catalog = key === undefined ? undefined : catalogs[key];
    if (catalog === undefined) return { ok: false, message: `Catalog not found: ${id}` };
    return { ok: true, id, catalog };
  }

  /** Returns where a called function runs. Without catalogs, every function is one of the page. */
  findTarget(name: string, ownId: Json | undefined, scope: CatalogScope): FunctionTarget {
    if (!this.hasCatalogs || name === "@index") return { kind: "page" };
    const isV09 = scope.version?.startsWith("v0.") ?? false;
    if (isV09 && scope.catalogId === undefined) return { kind: "page" };
    const found = this.findCatalog(isV09 ? undefined : ownId, scope);
    if (!found.ok) return { kind: "unknown", code: "CATALOG_ERROR", message: found.message };
    const { catalog } = found;
    const { functions = {} } = catalog;
    const definition = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (definition === undefined) {
      const message = `Function not found: ${name}`;
      return { kind: "unknown", code: "EXPRESSION_ERROR", message };
    }
    const isOfPage = definition.allowedCallers !== "agentOnly" && this.isImplemented(name);
    return { kind: isOfPage ? "page" : "agent", catalog, definition };
  }

  /** Returns the definitions of a function: that of the surface's catalog, else all. */
  definitionsOf(name: string, scope: CatalogScope): FunctionInCatalog[] {
    const found = this.findCatalog(undefined, scope);
    const own = found.ok ? this.allDefinitionsOf(name, [found.catalog]) : [];
    return own.length > 0 ? own : this.allDefinitionsOf(name);
  }

  /** Returns the definitions of a function in all catalogs. */
  allDefinitionsOf(
    name: string,
    catalogs: readonly CatalogDefinition[] = Object.values(this.#catalogs ?? {}),
  ): FunctionInCatalog[] {
    return catalogs.flatMap((catalog) => {
      const { functions = {} } = catalog;
      const definition = Object.hasOwn(functions, name) ? functions[name] : undefined;
      return definition === undefined ? [] : [{ catalog, definition }];
    });
  }

  /** Returns whether the page or byname implements a function. */
  isImplemented(name: string): boolean {
    return Object.hasOwn(this.functions, name) || isBasicFunction(name) || name === "openUrl";
  }
}
