import { fileURLToPath } from "node:url";
import { readText } from "./files.js";

/** Returns the version of this package. */
export function versionOf(): string {
  const path = fileURLToPath(new URL("../../package.json", import.meta.url));
  return (JSON.parse(readText(path)) as { version: string }).version;
}
