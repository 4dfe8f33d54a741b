import { isSameCatalog } from "../a2ui/basic-catalog.js";
import { assertMap, throwMisuse } from "../arguments.js";
import { quote } from "../catalog/check/suggestions.js";
import { TypedCatalog } from "../catalog/define/typed.js";
import { normalizeType } from "../catalog/prop-types.js";
import type {
  CatalogComponent,
  CatalogDefinition,
  FunctionDefinition,
  PropDefinition,
} from "../catalog/types.js";
import { type JsonObject, stringOf } from "../json-value.js";
import type { Catalog, Diagnostic, Json } from "../types.js";
import { definitionOf, isCatalogDocument } from "./catalog-document.js";
import { expressDiagnostic } from "./fault.js";
import type { Span } from "./syntax.js";

/** Catalog, or catalog document of A2UI. */
export type ExpressCatalog = Catalog | JsonObject;

/** Id of the basic catalog of A2UI v1.0, which a catalog without an id is compiled for. */
const BASIC_ID = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";

/** Catalog with its id. */
export interface NamedCatalog {
  readonly id: string;
  readonly catalog: TypedCatalog;
}

/** Component or function with the catalog that declares it. */
export interface Declared<T> {
  readonly definition: T;
  readonly owner: NamedCatalog;
}

/** Catalogs that a text is compiled for. */
export class Signatures {
  readonly catalogs: readonly NamedCatalog[];

  constructor(source: ExpressCatalog | readonly ExpressCatalog[]) {
    const list = Array.isArray(source) ? (source as ExpressCatalog[]) : [source as ExpressCatalog];
    if (list.length === 0) throwMisuse("expected at least one catalog");
    this.catalogs = list.map(namedCatalog);
  }

  /** Whether components must name their catalog, because there are several. */
  get isMixed(): boolean {
    return this.catalogs.length > 1;
  }

  /** Returns the components of this name, of one catalog if its id is given. */
  findComponents(name: string, catalogId?: string): Declared<CatalogComponent>[] {
    return this.#findDeclared((catalog) => catalog.components, name, catalogId);
  }

  /** Returns the functions of this name, of one catalog if its id is given. */
  findFunctions(name: string, catalogId?: string): Declared<FunctionDefinition>[] {
    return this.#findDeclared((catalog) => catalog.functions ?? {}, name, catalogId);
  }

  /** Returns whether an id is that of a catalog; all ids of the basic catalog name it. */
  hasCatalog(catalogId: string): boolean {
    return this.catalogs.some(({ id }) => isSameCatalog(id, catalogId));
  }

  componentNames(): string[] {
    return this.catalogs.flatMap(({ catalog }) => Object.keys(catalog.components));
  }

  functionNames(): string[] {
    return this.catalogs.flatMap(({ catalog }) => Object.keys(catalog.functions ?? {}));
  }

  #findDeclared<T>(
    part: (catalog: TypedCatalog) => { readonly [name: string]: unknown },
    name: string,
    catalogId: string | undefined,
  ): Declared<T>[] {
    return this.catalogs
      .filter(({ id }) => catalogId === undefined || isSameCatalog(id, catalogId))
      .filter(({ catalog }) => Object.hasOwn(part(catalog), name))
      .map((owner) => ({ definition: part(owner.catalog)[name] as T, owner }));
  }
}

/** Returns the error for a catalog id that names none of the catalogs. */
export function unknownCatalog(
  catalogId: string,
  span: Span,
  { catalogs }: Signatures,
): Diagnostic {
  const known = catalogs.flatMap(({ id }) => (id === BASIC_ID ? ["basic", id] : [id]));
  const ids = known.map((id) => JSON.stringify(id)).join(" or ");
  const help = `write ${ids}, or pass the catalog with this id`;
  return expressDiagnostic("EXP018", span, `unknown catalog ${quote(catalogId)}`, help);
}

/** Returns the names of the properties that may be written without their names, in order. */
export function positionalProps({ props }: CatalogComponent): string[] {
  const isPositional = (name: string): boolean => {
    const { positional = name !== "accessibility", type } = props[name] ?? {};
    return positional && type !== "checks";
  };
  return Object.keys(props).filter(isPositional);
}

/** Returns the parameters of a function, in order. */
export function parametersOf({ args = {} }: FunctionDefinition): [string, PropDefinition][] {
  return Object.entries(args).map(([name, type]) => [name, normalizeType(type)]);
}

function namedCatalog(source: ExpressCatalog): NamedCatalog {
  assertMap(source, "`catalog`");
  const catalog = typedCatalog(source);
  const named = catalog.id ?? stringOf((source as { catalogId?: Json }).catalogId);
  return { id: named ?? BASIC_ID, catalog };
}

function typedCatalog(source: ExpressCatalog): TypedCatalog {
  if (source instanceof TypedCatalog) return source;
  if (isCatalogDocument(source)) return new TypedCatalog(definitionOf(source));
  return new TypedCatalog(source as unknown as CatalogDefinition);
}
