import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../types.js";
import { UsageError } from "./usage-error.js";

/** Bytes of the standard input, which can be read once. */
let standardInput: Uint8Array | undefined;

/** Returns the bytes of a file, or of the standard input for `-`. */
export function readBytes(path: string | undefined): Uint8Array {
  try {
    if (path !== undefined && path !== "-") return readFileSync(path);
    standardInput ??= readFileSync(0);
    return standardInput;
  } catch (error) {
    throw new UsageError(`\`${path ?? "-"}\` could not be read: ${(error as Error).message}`);
  }
}

/** Returns the text of a file, or of the standard input for `-`. */
export function readText(path: string | undefined): string {
  return new TextDecoder().decode(readBytes(path));
}

/** Writes a text to a file. */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`\`${path}\` could not be written: ${(error as Error).message}`);
  }
}

/** Returns the JSON of a file. */
export function readJson(path: string): Json {
  try {
    return JSON.parse(readText(path)) as Json;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`expected JSON in \`${path}\`: ${(error as Error).message}`);
  }
}

/** Imports a module of the user. Returns its default export, or the export with a name. */
export async function importModule(path: string, name: string): Promise<unknown> {
  let module: { [name: string]: unknown };
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new UsageError(`\`${path}\` could not be imported: ${(error as Error).message}`);
  }
  const value = module["default"] ?? module[name];
  if (value === undefined)
    throw new UsageError(`expected a default export or \`${name}\` in \`${path}\``);
  return value;
}
