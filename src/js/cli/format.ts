import { UsageError } from "./usage-error.js";

/** Format of the input of `check` and `convert`. */
export type Format = "a2ui" | "ham" | "nodes" | "express";

/** Returns the format that an option names, or that of the text. */
export function formatOf(text: string, name: string | boolean | undefined): Format {
  if (name === "a2ui" || name === "ham" || name === "nodes" || name === "express") return name;
  if (name !== undefined) {
    const known = "`a2ui`, `ham`, `nodes` or `express`";
    throw new UsageError(`expected the format ${known}, found \`${name}\``);
  }
  if (isExpress(text)) return "express";
  const isMessage = /"(?:createSurface|updateComponents|surfaceUpdate|updateDataModel)"/.test(text);
  if (!isMessage && !/"(?:beginRendering|dataModelUpdate|deleteSurface)"/.test(text))
    return "nodes";
  const isA2ui = /"(?:version|surfaceUpdate|dataModelUpdate|beginRendering|path|@path)"\s*:/;
  return isA2ui.test(text) ? "a2ui" : "ham";
}

/** Returns whether a text contains statements of Express, and no JSON. */
export function isExpress(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false;
  return /<a2ui[\s>]/i.test(text) || /^\s*(?:surface\(|(?:\$[\w/]+|\w+) *=(?!=))/m.test(text);
}
