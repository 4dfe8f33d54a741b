import type { Json } from "byname";

/** JSON as a person would write it: what fits on a line stands on one. */
export function written(value: Json, indent = "", taken = indent.length): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length + taken < 44) return spaced(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => inner + written(one, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  return `{\n${entries.map(([key, one]) => `${inner}${JSON.stringify(key)}: ${written(one, inner, inner.length + key.length + 4)}`).join(",\n")}\n${indent}}`;
}

function spaced(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
