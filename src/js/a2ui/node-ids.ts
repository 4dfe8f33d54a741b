import { escapePointer } from "../json-text.js";
import type { Binding, Json } from "../types.js";

/**
 * Id of the root node. The id of any other node is the JSON pointer of its object or list in the
 * A2UI data model. So `/user/name/first` is the binding `{ node: "/user/name", key: "first" }`.
 * List items are nodes of their own.
 */
export const ROOT = "root";

/** Returns the unescaped segments of a pointer or path. */
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

/** Returns whether a segment is a list index. */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(segment);
}

/**
 * Returns the binding of a path, or null for a relative path of several segments, which HAM cannot
 * express.
 */
export function bindingOf(path: string): Binding | null {
  if (path === "" || path === ".") return {};
  const segments = segmentsOf(path);
  const key = segments.at(-1);
  if (!path.startsWith("/")) return segments.length === 1 && key !== undefined ? { key } : null;
  if (key === undefined) return { node: ROOT };
  if (isIndex(key)) return { node: idOf(segments) };
  return { node: idOf(segments.slice(0, -1)), key };
}

export function bindingJson(binding: Binding | null): Json {
  return binding && { ...binding };
}
