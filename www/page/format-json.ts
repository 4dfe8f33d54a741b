import type { Json } from "byname";

/** Formats JSON; a value that fits is written on one line. */
export function formatJson(value: Json, indent = "", column = indent.length): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length + column < 44)
    return formatInline(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => inner + formatJson(one, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  return `{\n${entries.map(([key, one]) => `${inner}${JSON.stringify(key)}: ${formatJson(one, inner, inner.length + key.length + 4)}`).join(",\n")}\n${indent}}`;
}

function formatInline(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatInline).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${formatInline(one)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
