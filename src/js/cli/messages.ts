import { FromA2ui } from "../a2ui/from-a2ui.js";
import { ToA2ui } from "../a2ui/to-a2ui.js";
import { TypedCatalog } from "../catalog/define/typed.js";
import { basicCatalog } from "../dom/catalog.js";
import { isJsonObject } from "../json-value.js";
import { receiveAll } from "../messages.js";
import { HamStore } from "../store.js";
import { Surfaces } from "../surfaces.js";
import type { Diagnostic, Json } from "../types.js";
import type { Command, Options } from "./command.js";
import { importModule, readText } from "./files.js";
import { formatDiagnostics } from "./report.js";
import { UsageError } from "./usage-error.js";

/** Format of the input of `check` and `convert`. */
type Format = "a2ui" | "ham" | "nodes";

/** Returns the catalog of the option `--catalog`, or the basic one. */
export async function catalogOf(options: Options): Promise<TypedCatalog> {
  const path = options["catalog"];
  if (typeof path !== "string") return basicCatalog;
  const catalog = await importModule(path, "catalog");
  if (catalog instanceof TypedCatalog) return catalog;
  throw new UsageError(`expected \`${path}\` to export the result of \`defineCatalog\``);
}

/** Returns the format that an option names, or that of the text. */
function formatOf(text: string, name: string | boolean | undefined): Format {
  if (name === "a2ui" || name === "ham" || name === "nodes") return name;
  if (name !== undefined)
    throw new UsageError(`expected the format \`a2ui\`, \`ham\` or \`nodes\`, found \`${name}\``);
  const isMessage = /"(?:createSurface|updateComponents|surfaceUpdate|updateDataModel)"/.test(text);
  if (!isMessage && !/"(?:beginRendering|dataModelUpdate|deleteSurface)"/.test(text))
    return "nodes";
  const isA2ui = /"(?:version|surfaceUpdate|dataModelUpdate|beginRendering|path|@path)"\s*:/;
  return isA2ui.test(text) ? "a2ui" : "ham";
}

const formatOption = { format: { type: "string" }, catalog: { type: "string" } } as const;
const formatHelp = {
  format: "a2ui, ham or nodes (a map of ids to values); recognised by default",
  catalog: "module that exports a catalog; the basic catalog by default",
};

export const check: Command = {
  name: "check",
  usage: "[FILE]",
  summary: "checks messages of a surface, or HAM nodes",
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
  const surfaces = new Surfaces({ catalog: await catalogOf(options), a2ui: format === "a2ui" });
  const { diagnostics } = await receiveAll(surfaces, text, { onText: () => {} });
  return diagnostics;
}

function countText(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return "no problems";
  const count = (severity: string): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return `${count("error")} errors, ${count("warning")} warnings, ${count("info")} notes`;
}

export const convert: Command = {
  name: "convert",
  usage: "[FILE]",
  summary: "converts messages between A2UI and HAM, one message per line",
  options: { to: { type: "string" }, version: { type: "string" } },
  optionHelp: { to: "a2ui or ham; required", version: "version of A2UI, such as v0.9" },
  async run([path], options) {
    const text = readText(path);
    const { to } = options;
    if (to !== "a2ui" && to !== "ham")
      throw new UsageError("expected the option `--to a2ui` or `--to ham`");
    const version = options["version"];
    const translator =
      to === "ham"
        ? new FromA2ui()
        : new ToA2ui(typeof version === "string" ? { version } : undefined);
    const messages: Json[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const message of messagesOf(text, path ?? "-")) {
      const translation = translator.translate(message);
      messages.push(...(translation.messages as Json[]));
      diagnostics.push(...translation.diagnostics);
    }
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const found = formatDiagnostics(diagnostics, { name: path ?? "-" });
    const lines = messages.map((message) => JSON.stringify(message));
    return {
      text: lines.join("\n"),
      ...(found !== "" && { notes: found }),
      json: { messages, diagnostics: diagnostics as unknown as Json },
      failed,
    };
  },
};

/** Returns the messages of a text: JSON with one or a list of them, or one per line. */
function messagesOf(text: string, name: string): { [key: string]: Json }[] {
  const parse = (part: string): Json => {
    try {
      return JSON.parse(part) as Json;
    } catch (error) {
      throw new UsageError(`expected JSON in \`${name}\`: ${(error as Error).message}`);
    }
  };
  const isComplete = /^\s*\[/.test(text) || text.trim().split("\n").length === 1;
  const parsed = isComplete
    ? [parse(text)].flat()
    : text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map(parse);
  return parsed.map((one) => {
    if (!isJsonObject(one)) throw new UsageError(`expected messages in \`${name}\`, one per line`);
    return one;
  });
}
