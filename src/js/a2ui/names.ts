import { escapePointer } from "../json-text.js";
import type { Binding } from "../types.js";

/**
 * How the data model of A2UI is named in HAM: the id of a node is the JSON pointer of the object or list that it holds, `root` for
 * the whole model. So `/user/name/first` is the binding `{ node: "/user/name", key: "first" }`. Items of lists are nodes of their own.
 */
export const ROOT = "root";

/** The parts of a pointer or path, unescaped. */
export function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(segments: readonly string[]): string {
  return `/${segments.map(escapePointer).join("/")}`;
}

export function idOf(segments: readonly string[]): string {
  return segments.length === 0 ? ROOT : pointerOf(segments);
}

/** Whether it may be the place of an item in a list. */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(segment);
}

/** The binding of a path; null where HAM has none: a relative path of several steps. */
export function bindingOf(path: string): Binding | null {
  if (path === "" || path === ".") return {};
  const segments = segmentsOf(path);
  const key = segments.at(-1);
  if (!path.startsWith("/")) return segments.length === 1 && key !== undefined ? { key } : null;
  if (key === undefined) return { node: ROOT };
  if (isIndex(key)) return { node: idOf(segments) };
  return { node: idOf(segments.slice(0, -1)), key };
}
