import type { Message, Translation } from "../a2ui/translation.js";
import type { TypedCatalog } from "../catalog/define/typed.js";
import { BynameError } from "../errors.js";
import { compileExpress } from "../express/compile.js";
import { hasError } from "../express/fault.js";
import { readOptions } from "../express/options.js";
import { messagesToExpress } from "../express/to-express.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import type { Command, Options, Outcome } from "./command.js";
import { readText } from "./files.js";
import { type Format, formatOf } from "./format.js";
import { convertGraph, GRAPH_FORMATS } from "./graph-convert.js";
import { nodeTableHelp, nodeTableOption } from "./graph-source.js";
import { catalogOf, formatHelp, formatOption } from "./messages.js";
import { formatDiagnostics } from "./report.js";
import {
  fromA2ui,
  isOfV08,
  toA2ui,
  unchanged,
  WRITTEN_VERSIONS,
  withCatalogs,
  withSurfaces,
  withVersion,
} from "./surface-convert.js";
import { readMessages, type SourceMessage, type SurfaceSource } from "./surface-source.js";
import { UsageError } from "./usage-error.js";

const FORMATS = ["a2ui", "ham", "express"];

export const convert: Command = {
  name: "convert",
  usage: "[FILE]",
  summary: "converts surfaces between A2UI, HAM and Express, and graphs between formats",
  options: {
    to: { type: "string" },
    version: { type: "string" },
    nodes: { type: "string" },
    ...formatOption,
    ...nodeTableOption,
  },
  optionHelp: {
    to: `required: ${FORMATS.join(", ")} for a surface; ${GRAPH_FORMATS.join(", ")} for a graph`,
    version: `version of A2UI: ${WRITTEN_VERSIONS.join(", ")}; by default that of the input`,
    format: "format of the surface: a2ui, ham or express; recognised by default",
    catalog: formatHelp.catalog,
    nodes: "file for the table of nodes, for csv; the table of edges is printed",
    ...nodeTableHelp,
  },
  async run([path], options) {
    const to = targetOf(options);
    if (GRAPH_FORMATS.includes(to)) return convertGraph(path, to, options);
    const version = versionOf(options, to);
    const text = readText(path);
    const format = formatOf(text, options["format"]);
    const catalog = await catalogOf(options);
    const source = sourceOf(text, format, catalog);
    const name = path ?? "-";
    if (hasError([...source.diagnostics])) return failure(source.diagnostics, name, text);
    const isSame = format === to && version === undefined;
    const messages = isSame ? source.messages : withSurfaces(source.messages);
    const converted = convertMessages(messages, format, to, version);
    const diagnostics = [...source.diagnostics, ...converted.diagnostics];
    if (to === "express") diagnostics.push(...otherCatalogs(converted.messages, catalog));
    const found = formatDiagnostics(diagnostics, { name, text });
    const printed =
      to === "express"
        ? printExpress(converted.messages, catalog)
        : converted.messages.map((message) => JSON.stringify(message)).join("\n");
    if (typeof printed !== "string") return failure([...diagnostics, printed], name, text);
    return {
      text: printed,
      ...(found !== "" && { notes: found }),
      json: {
        ...(to === "express" ? { express: printed } : { messages: converted.messages as Json[] }),
        diagnostics: diagnostics as unknown as Json,
      },
      failed: hasError(diagnostics),
    };
  },
};

/** Returns the format that the options request. */
function targetOf(options: Options): string {
  const { to } = options;
  if (typeof to !== "string" || ![...FORMATS, ...GRAPH_FORMATS].includes(to)) {
    const found = to === undefined ? "" : `, found \`${to}\``;
    const known = [...FORMATS, ...GRAPH_FORMATS].map((name) => `\`${name}\``).join(", ");
    throw new UsageError(`expected the option \`--to\` with one of ${known}${found}`);
  }
  if (options["nodes"] !== undefined && to !== "csv")
    throw new UsageError("expected `--to csv` with the option `--nodes`");
  return to;
}

/** Returns the version of A2UI that the options request. */
function versionOf({ version }: Options, to: string): string | undefined {
  if (typeof version !== "string") return undefined;
  if (to !== "a2ui") throw new UsageError("expected `--to a2ui` with the option `--version`");
  if (WRITTEN_VERSIONS.includes(version)) return version;
  const known = WRITTEN_VERSIONS.map((name) => `\`${name}\``).join(", ");
  throw new UsageError(
    `expected the option \`--version\` with one of ${known}, found \`${version}\``,
  );
}

/** Prints messages of A2UI as Express. Returns an error for a message that it has no form for. */
function printExpress(messages: readonly Message[], catalog: TypedCatalog): string | Diagnostic {
  try {
    return messagesToExpress(messages, { catalog });
  } catch (error) {
    if (!(error instanceof BynameError)) throw error;
    const help = "remove it, or convert to `a2ui` or `ham`";
    return { code: "EXP019", severity: "error", message: error.message, help };
  }
}

/** Returns a warning about each catalog of the messages that Express is not printed for. */
function otherCatalogs(messages: readonly Message[], catalog: TypedCatalog): Diagnostic[] {
  const { signatures } = readOptions({ catalog }, "convert");
  const ids = messages.map(({ createSurface: body }) => isJsonObject(body) && body["catalogId"]);
  const named = new Set(ids.filter((id) => typeof id === "string"));
  return [...named]
    .filter((id) => !signatures.hasCatalog(id))
    .map((id) => ({
      code: "EXP018",
      severity: "warning",
      message: `unknown catalog \`${id}\`; the order of arguments is that of another catalog`,
      help: "pass the catalog with this id as `--catalog`",
    }));
}

/** Returns the result for an input with errors, which is not converted. */
function failure(diagnostics: readonly Diagnostic[], name: string, text: string): Outcome {
  const notes = formatDiagnostics(diagnostics, { name, text });
  return { text: "", notes, json: { diagnostics: diagnostics as unknown as Json }, failed: true };
}

/** Reads messages: JSON, or Express, which is compiled to A2UI. */
function sourceOf(text: string, format: Format, catalog: TypedCatalog): SurfaceSource {
  if (format !== "express") return readMessages(text, format);
  const { messages, diagnostics } = compileExpress(text, { catalog });
  return { messages: messages.map(withoutText), diagnostics };
}

function withoutText(message: Message): SourceMessage {
  return { message, locate: (diagnostics) => [...diagnostics] };
}

/** Converts messages of HAM, or of A2UI. Express is printed from A2UI. */
function convertMessages(
  source: readonly SourceMessage[],
  format: Format,
  to: string,
  version: string | undefined,
): Translation {
  if (format === "ham") {
    if (to === "express") return toA2ui(source, version);
    if (to === "a2ui") return withCatalogs(toA2ui(source, version));
    return { messages: source.map(({ message }) => message), diagnostics: [] };
  }
  if (to === "ham") return fromA2ui(source);
  if (version !== undefined) return withVersion(source, version);
  // Express is printed from the messages of v0.9 and v1.0.
  if (to === "express" && source.some(isOfV08)) return withVersion(source, "v0.9");
  return unchanged(source);
}
