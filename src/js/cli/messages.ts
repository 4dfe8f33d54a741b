import { checkMessages } from "../catalog/define/check-messages.js";
import { TypedCatalog } from "../catalog/define/typed.js";
import { basicCatalog } from "../dom/catalog.js";
import { compileExpress } from "../express/compile.js";
import { receiveAll } from "../messages.js";
import { HamStore } from "../store.js";
import { Surfaces } from "../surfaces.js";
import type { Diagnostic, Json } from "../types.js";
import type { Command, Options } from "./command.js";
import { importModule, readText } from "./files.js";
import { type Format, formatOf } from "./format.js";
import { formatDiagnostics } from "./report.js";
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

export const check: Command = {
  name: "check",
  usage: "[FILE]",
  summary: "checks messages of a surface, HAM nodes, or Express",
  options: formatOption,
  optionHelp: formatHelp,
  async run([path], options) {
    const text = readText(path);
    const format = formatOf(text, options["format"]);
    const diagnostics = await diagnosticsOf(text, format, options);
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const name = path ?? "-";
    const found = formatDiagnostics(diagnostics, { name, text });
    const summary = `${name}: ${format}, ${countText(diagnostics)}`;
    return {
      text: found === "" ? summary : `${found}\n${summary}`,
      json: { format, ok: !failed, diagnostics: diagnostics as unknown as Json },
      failed,
    };
  },
};

async function diagnosticsOf(
  text: string,
  format: Format,
  options: Options,
): Promise<readonly Diagnostic[]> {
  if (format === "nodes") {
    const store = new HamStore();
    const { diagnostics } = store.apply(text);
    return [...diagnostics, ...store.check()];
  }
  const catalog = await catalogOf(options);
  if (format === "express") return compileExpress(text, { catalog }).diagnostics;
  const surfaces = new Surfaces({ catalog, a2ui: format === "a2ui" });
  const { diagnostics } = await receiveAll(surfaces, text, { onText: () => {} });
  if (format === "a2ui") return diagnostics;
  // Diagnostics of the text have offsets, which those of a surface lack.
  const located = checkMessages(catalog, text);
  const codes = new Set(located.map(({ code }) => code));
  return [...located, ...diagnostics.filter(({ code }) => !codes.has(code))];
}

function countText(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return "no problems";
  const count = (severity: string): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return `${count("error")} errors, ${count("warning")} warnings, ${count("info")} notes`;
}
