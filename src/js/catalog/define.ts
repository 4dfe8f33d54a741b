import { needDefinition } from "./definition.js";
import { madeExamples } from "./examples.js";
import { TypedCatalog } from "./typed.js";
import type { CatalogDefinition } from "./types.js";

/** A catalog of typed components. Examples for the prompt are made where none are given. */
export function defineCatalog<const D extends CatalogDefinition>(given: D): TypedCatalog<D> {
  needDefinition(given, "defineCatalog");
  if (given.examples !== undefined) return new TypedCatalog(given);
  const examples = madeExamples(new TypedCatalog(given));
  return new TypedCatalog({ ...given, examples });
}
