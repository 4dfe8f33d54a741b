import { assertDefinition } from "../definition.js";
import { generateExamples } from "../generated-examples.js";
import type { CatalogDefinition } from "../types.js";
import { TypedCatalog } from "./typed.js";

/**
 * Returns a catalog of typed components. Generates examples for the prompt if the definition has
 * none.
 */
export function defineCatalog<const D extends CatalogDefinition>(source: D): TypedCatalog<D> {
  assertDefinition(source, "defineCatalog");
  if (source.examples !== undefined) return new TypedCatalog(source);
  const examples = generateExamples(new TypedCatalog(source));
  return new TypedCatalog({ ...source, examples });
}
