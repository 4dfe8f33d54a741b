import { FromA2ui } from "../a2ui/from-a2ui.js";
import { ToA2ui } from "../a2ui/to-a2ui.js";
import type { Message } from "../a2ui/translation.js";
import { TypedCatalog } from "../catalog/define/typed.js";
import { basicCatalog } from "../dom/catalog.js";
import { compileExpress } from "../express/compile.js";
import { messagesToExpress } from "../express/to-express.js";
import { isJsonObject, stringOf } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { isExpress } from "./check/format.js";
import type { Command, Options } from "./command.js";
import { importModule, readText } from "./files.js";
import { convertGraph, GRAPH_FORMATS } from "./graph-convert.js";
import { nodeTableHelp, nodeTableOption } from "./graph-source.js";
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

const FORMATS = ["a2ui", "ham", "express"];

export const convert: Command = {
  name: "convert",
  usage: "[FILE]",
  summary: "converts surfaces between A2UI, HAM and Express, and graphs between formats",
  options: {
    to: { type: "string" },
    version: { type: "string" },
    catalog: { type: "string" },
    nodes: { type: "string" },
    ...nodeTableOption,
  },
  optionHelp: {
    to: `required: ${FORMATS.join(", ")} for a surface; ${GRAPH_FORMATS.join(", ")} for a graph`,
    version: "version of A2UI, such as v0.9",
    catalog: "module that exports the catalog of Express; the basic catalog by default",
    nodes: "file for the table of nodes, for csv; the table of edges is printed",
    ...nodeTableHelp,
  },
  async run([path], options) {
    const { to } = options;
    if (typeof to !== "string" || ![...FORMATS, ...GRAPH_FORMATS].includes(to)) {
      const found = to === undefined ? "" : `, found \`${to}\``;
      const known = [...FORMATS, ...GRAPH_FORMATS].map((name) => `\`${name}\``).join(", ");
      throw new UsageError(`expected the option \`--to\` with one of ${known}${found}`);
    }
    if (options["nodes"] !== undefined && to !== "csv")
      throw new UsageError("expected `--to csv` with the option `--nodes`");
    if (GRAPH_FORMATS.includes(to)) return convertGraph(path, to, options);
    const text = readText(path);
    const catalog = await catalogOf(options);
    const version = stringOf(options["version"]);
    const source = sourceMessages(text, path ?? "-", catalog);
    const { diagnostics } = source;
    const converted = convertMessages(source, to, version);
    diagnostics.push(...converted.diagnostics);
    const messages = converted.messages as Json[];
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const found = formatDiagnostics(diagnostics, { name: path ?? "-", text });
    const printed =
      to === "express"
        ? messagesToExpress(converted.messages, { catalog })
        : messages.map((message) => JSON.stringify(message)).join("\n");
    return {
      text: printed,
      ...(found !== "" && { notes: found }),
      json: {
        ...(to === "express" ? { express: printed } : { messages }),
        diagnostics: diagnostics as unknown as Json,
      },
      failed,
    };
  },
};

/** Messages of a file, and the diagnostics of their text. */
interface SourceMessages {
  messages: Message[];
  diagnostics: Diagnostic[];
}

/** Reads messages: JSON, or Express, which is compiled. */
function sourceMessages(text: string, name: string, catalog: TypedCatalog): SourceMessages {
  if (isExpress(text)) return compileExpress(text, { catalog });
  return { messages: messagesOf(text, name), diagnostics: [] };
}

/** Converts messages to A2UI or HAM; Express is printed from A2UI. */
function convertMessages(
  { messages }: SourceMessages,
  to: string,
  version: string | undefined,
): SourceMessages {
  const translator =
    to === "ham" ? new FromA2ui() : new ToA2ui(version === undefined ? {} : { version });
  const translations = messages.map((message) => translator.translate(message));
  return {
    messages: translations.flatMap((one) => one.messages),
    diagnostics: translations.flatMap((one) => one.diagnostics),
  };
}

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
