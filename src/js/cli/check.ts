import { isJsonObject } from "../json-value.js";
import { filterEventStream } from "../messages/event-filter.js";
import { Activities } from "../messages/frames/activities.js";
import { isMessage, MESSAGE_KEYS } from "../messages/frames/frame.js";
import { readTransport } from "../messages/frames/read-frame.js";
import { messageListOf } from "../messages/snapshots/growth.js";
import { receiveAll } from "../messages.js";
import { HamStore } from "../store.js";
import { Surfaces } from "../surfaces.js";
import type { Diagnostic, Json } from "../types.js";
import { checkExpress } from "./check/express-check.js";
import { isHtml, misspelledFormat } from "./check/format.js";
import { positionOf } from "./check/json-position.js";
import { atPointerText, textLocation } from "./check/places.js";
import { readSources } from "./check/sources.js";
import { checkSurfaces } from "./check/surface-check.js";
import type { Command, Options } from "./command.js";
import { readText } from "./files.js";
import { type Format, formatOf } from "./format.js";
import { catalogOf, formatHelp, formatOption } from "./messages.js";
import { formatDiagnostics, printable } from "./report.js";

export const check: Command = {
  name: "check",
  usage: "[FILE]",
  summary: "checks messages of a surface, HAM nodes, or Express",
  options: {
    ...formatOption,
    strict: { type: "boolean" },
  },
  optionHelp: {
    ...formatHelp,
    strict: "warnings are errors for the exit code",
  },
  async run([path], options) {
    const text = readText(path);
    const recognised = checkedFormat(text, options["format"]);
    const isNamed = options["format"] !== undefined;
    const framed =
      isNamed || recognised === "express" || !MESSAGE_NAME.test(text)
        ? undefined
        : await framedDiagnostics(text, recognised, options);
    const format = framed === undefined ? recognised : framed.format;
    const found = framed?.diagnostics ?? (await diagnosticsOf(text, format, options));
    const diagnostics = inTextOrder(found);
    const isFailure = ({ severity }: Diagnostic): boolean =>
      severity === "error" || (severity === "warning" && options["strict"] === true);
    const failed = diagnostics.some(isFailure);
    const name = path ?? "-";
    const printed = formatDiagnostics(diagnostics, { name, text });
    const summary = `${printable(name)}: ${format}, ${countText(diagnostics)}`;
    return {
      text: printed === "" ? summary : `${printed}\n${summary}`,
      json: { format, ok: !failed, diagnostics: diagnostics as unknown as Json },
      failed,
    };
  },
};

/** Returns the format that an option names, or that of the text, also with misspelled messages. */
function checkedFormat(text: string, name: string | boolean | undefined): Format | "html" {
  const format = formatOf(text, name);
  if (format !== "nodes" || name !== undefined) return format;
  return misspelledFormat(text) ?? (isHtml(text) ? "html" : "nodes");
}

async function diagnosticsOf(
  text: string,
  format: Format | "html",
  options: Options,
): Promise<readonly Diagnostic[]> {
  if (format === "html") return [htmlDiagnostic];
  if (format === "nodes") return checkNodes(text, options["format"] === undefined);
  const catalog = await catalogOf(options);
  if (format === "express") return checkExpress(text, catalog);
  // Offsets stay valid, because other text is replaced by spaces.
  const messages = filterEventStream(text);
  if (!hasFrames(messages)) return checkSurfaces(messages, format, catalog);
  const surfaces = new Surfaces({ catalog, a2ui: format === "a2ui" });
  return (await receiveAll(surfaces, text, { onText: () => {} })).diagnostics;
}

/**
 * Returns the diagnostics of messages inside other values or with typographic quotes, which a page
 * reads too. Returns undefined for all other texts.
 */
async function framedDiagnostics(
  text: string,
  recognised: Format | "html",
  options: Options,
): Promise<{ format: Format; diagnostics: readonly Diagnostic[] } | undefined> {
  const isListed = (value: unknown): boolean =>
    Array.isArray(value) ||
    (isJsonObject(value as Json) &&
      !isMessage(value as Json) &&
      messageListOf(value as Json) !== undefined);
  const isNested = readSources(filterEventStream(text)).messages.some(({ value }) =>
    isListed(value),
  );
  if (recognised !== "nodes" && !isNested) return undefined;
  const format = recognised === "ham" ? "ham" : "a2ui";
  const surfaces = new Surfaces({ catalog: await catalogOf(options), a2ui: format === "a2ui" });
  const { diagnostics } = await receiveAll(surfaces, text, { onText: () => {} });
  return [...surfaces].length > 0 ? { format, diagnostics } : undefined;
}

/** Name of a message, or the media type of messages that are encoded. */
const MESSAGE_NAME = new RegExp(`${MESSAGE_KEYS.join("|")}|a2ui`);

/** Returns whether a text contains frames of a transport, whose messages have no offsets. */
function hasFrames(text: string): boolean {
  return readSources(text).messages.some(
    ({ value }) => isJsonObject(value) && readTransport(value, new Activities()) !== undefined,
  );
}

/** Returns the diagnostics of HAM nodes. A recognised file must have the node `root`. */
function checkNodes(text: string, isRecognised: boolean): Diagnostic[] {
  const store = new HamStore();
  const { diagnostics } = store.apply(text);
  const state = store.check().map((one) => atPointerText(one, text, positionOfNode(text, one)));
  const hasError = diagnostics.some(({ severity }) => severity === "error");
  if (hasError || !isRecognised || store.export()["root"] !== undefined)
    return [...diagnostics, ...state];
  const orphans = state.filter(({ code }) => code === "HAM026");
  if (orphans.length === 0) return [...diagnostics, ...state];
  const missing: Diagnostic = {
    code: "HAM026",
    severity: "error",
    message: "missing node `root`, so no node is reachable",
    help: 'name the top node `root`; write messages as {"createSurface": …}; or pass `--format nodes` for a part of the nodes',
    location: textLocation(0),
  };
  return [...diagnostics, missing, ...state.filter(({ code }) => code !== "HAM026")];
}

function positionOfNode(text: string, { location }: Diagnostic): number | undefined {
  return location?.kind === "pointer" ? positionOf(text, location.pointer) : undefined;
}

const htmlDiagnostic: Diagnostic = {
  code: "HAM035",
  severity: "error",
  message: "expected messages, nodes or Express, found HTML",
  help: "check the address or the file; a server may have returned an error page",
  location: textLocation(0),
};

/** Returns the diagnostics in the order of their offsets; those without one are last. */
function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const offsetOf = ({ location }: Diagnostic): number =>
    location?.kind === "text" ? location.start : Number.MAX_SAFE_INTEGER;
  return [...diagnostics].sort((a, b) => offsetOf(a) - offsetOf(b));
}

function countText(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return "no problems";
  const count = (severity: string): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return `${count("error")} errors, ${count("warning")} warnings, ${count("info")} notes`;
}
