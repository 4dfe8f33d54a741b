/** Ids of the basic catalog, of all versions. */
export const BASIC_CATALOG_IDS: readonly string[] = [
  "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
  "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  "https://a2ui.org/specification/v0_9/basic_catalog.json",
  "https://a2ui.org/specification/v0_8/standard_catalog_definition.json",
  "https://a2ui.org/catalogs/basic/v1/catalog.json",
  "a2ui.org:standard_catalog_0_8_0",
  "basic",
  "standard",
];

/** Returns whether two ids name the same catalog: all ids of the basic catalog do. */
export function isSameCatalog(a: string, b: string): boolean {
  return a === b || (BASIC_CATALOG_IDS.includes(a) && BASIC_CATALOG_IDS.includes(b));
}
