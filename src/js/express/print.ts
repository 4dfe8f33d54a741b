import { throwMisuse } from "../arguments.js";
import { isJsonObject, type JsonObject, stringOf, textOf } from "../json-value.js";
import type { Json } from "../types.js";
import { segmentsOf } from "./message-builder.js";
import { ComponentPrinter } from "./print-component.js";
import { isIdentifier, printDataValue, printValue } from "./print-value.js";
import type { Signatures } from "./signatures.js";

/** Reserved names, which are not variables. */
const RESERVED_NAMES = ["true", "false", "null", "_", "surface", "deleteSurface", "Event"];
/** Keys that a path can contain. */
const PATH_STEP = /^[A-Za-z0-9_]+$/;
/** Keys that a path of this package can contain too. */
const WIDE_STEP = /^[\p{L}\p{N}_.~-]+$/u;

/** Prints messages of A2UI as statements of Express. */
export function printMessages(messages: readonly JsonObject[], signatures: Signatures): string {
  return messages.flatMap((message) => printMessage(message, signatures)).join("\n");
}

function printMessage(message: JsonObject, signatures: Signatures): string[] {
  const { createSurface, updateComponents, updateDataModel, deleteSurface } = message;
  if (isJsonObject(createSurface)) return printSurface(createSurface, false, signatures);
  if (isJsonObject(updateComponents)) return printSurface(updateComponents, true, signatures);
  if (isJsonObject(updateDataModel)) {
    const { surfaceId, path = "/", value = null } = updateDataModel;
    // Without a surface, the statements are about that of the statements before.
    const line = surfaceId === undefined ? [] : [surfaceLine(surfaceId, [])];
    return [...line, ...printData(stringOf(path) ?? "/", value)];
  }
  if (isJsonObject(deleteSurface)) {
    return [`deleteSurface(${printValue(deleteSurface["surfaceId"] ?? "")})`];
  }
  const { callRendererFunction } = message;
  if (isJsonObject(callRendererFunction)) return [printCall(callRendererFunction, signatures)];
  const found = Object.keys(message).filter((key) => key !== "version");
  return throwMisuse(`expected a message of A2UI v0.9 or v1.0, found \`${found.join("`, `")}\``);
}

function printSurface(body: JsonObject, isUpdate: boolean, signatures: Signatures): string[] {
  const components = Array.isArray(body["components"])
    ? body["components"].filter(isJsonObject)
    : [];
  const ids = components.map(({ id }) => textOf(id));
  const options: string[] = [];
  const [only] = signatures.catalogs;
  const { catalogId, sendDataModel, dataModel, surfaceId } = body;
  if (typeof catalogId === "string" && !signatures.isMixed && catalogId !== only?.id)
    options.push(printValue(catalogId));
  if (typeof sendDataModel === "boolean") options.push(`sendDataModel=${sendDataModel}`);
  if (isUpdate && ids.includes("root")) options.push("update=true");
  const printer = new ComponentPrinter(signatures, variableNames(ids));
  return [
    surfaceLine(surfaceId, options),
    ...(dataModel === undefined ? [] : printModel(dataModel)),
    ...components.map((one) => printer.printComponent(one)),
  ];
}

function surfaceLine(surfaceId: Json | undefined, options: readonly string[]): string {
  return `surface(${[printValue(surfaceId ?? ""), ...options].join(", ")})`;
}

/** Returns a variable for each id: the id itself, or another name if the id is not an identifier. */
function variableNames(ids: readonly string[]): Map<string, string> {
  const used = new Set(ids);
  const names = new Map<string, string>();
  /** Last suffix of each name, so that equal names are not searched from the first one. */
  const counts = new Map<string, number>();
  for (const id of ids) {
    let name = id;
    if (!isIdentifier(id) || RESERVED_NAMES.includes(id)) {
      const base = id.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)|^$/, "_") || "_";
      name = base === "_" || RESERVED_NAMES.includes(base) ? `${base}1` : base;
      let count = counts.get(base) ?? 1;
      while (used.has(name)) {
        count += 1;
        name = `${base}_${count}`;
      }
      counts.set(base, count);
      used.add(name);
    }
    names.set(id, name);
  }
  return names;
}

/** Prints a whole data model: one assignment for each value other than an object. */
function printModel(model: Json): string[] {
  if (!isJsonObject(model)) return [`$/ = ${printDataValue(model)}`];
  const leaves: [string, Json][] = [];
  if (!addLeaves(model, "$", leaves)) return [`$/ = ${printDataValue(model)}`];
  return leaves.map(([path, value]) => `${path} = ${printDataValue(value)}`);
}

/** Prints an update of the data model. */
function printData(path: string, value: Json): string[] {
  const steps = segmentsOf(path);
  if (steps.length === 0) {
    const lines = printModel(value);
    // One deep path would update that path alone, and not replace the model.
    if (lines.length !== 1 || !isJsonObject(value)) return lines;
    return Object.entries(value).flatMap(([key, one]) =>
      PATH_STEP.test(key) ? [`$/${key} = ${printDataValue(one)}`] : lines,
    );
  }
  // An assignment to a shorter path would replace other values.
  if (!steps.every((step) => WIDE_STEP.test(step)))
    throwMisuse(`expected a path of letters, digits and \`_\`, found \`${path}\``);
  return [`$/${steps.join("/")} = ${printDataValue(value)}`];
}

/** Adds the paths and values of an object. Returns false if a path cannot name one of its keys. */
function addLeaves(object: JsonObject, path: string, leaves: [string, Json][]): boolean {
  const { length } = leaves;
  for (const [key, value] of Object.entries(object)) {
    if (!PATH_STEP.test(key)) {
      leaves.length = length;
      return false;
    }
    const at = `${path}/${key}`;
    const isNested = isJsonObject(value) && Object.keys(value).length > 0;
    if (!isNested || !addLeaves(value, at, leaves)) leaves.push([at, value]);
  }
  return true;
}

function printCall(body: JsonObject, signatures: Signatures): string {
  const { functionCallId, callFunction } = body;
  const call = isJsonObject(callFunction) ? callFunction : {};
  const printer = new ComponentPrinter(signatures, new Map());
  const hasOwnId = typeof functionCallId === "string" && !/^call_\d+$/.test(functionCallId);
  return printer.printCall(call, hasOwnId ? [`functionCallId=${printValue(functionCallId)}`] : []);
}
