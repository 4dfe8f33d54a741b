import { TypedCatalog } from "../catalog/define/typed.js";
import { basicCatalog } from "../dom/catalog.js";
import type { Options } from "./command.js";
import { importModule } from "./files.js";
import { UsageError } from "./usage-error.js";

/** Returns the catalog of the option `--catalog`, or the basic one. */
export async function catalogOf(options: Options): Promise<TypedCatalog> {
  const path = options["catalog"];
  if (typeof path !== "string") return basicCatalog;
  const catalog = await importModule(path, "catalog");
  if (catalog instanceof TypedCatalog) return catalog;
  throw new UsageError(`expected \`${path}\` to export the result of \`defineCatalog\``);
}

export const formatOption = { format: { type: "string" }, catalog: { type: "string" } } as const;
export const formatHelp: { readonly format: string; readonly catalog: string } = {
  format: "a2ui, ham, nodes (a map of ids to values) or express; recognised by default",
  catalog: "module that exports a catalog; the basic catalog by default",
};
