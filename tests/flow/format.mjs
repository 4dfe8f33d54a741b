// Formatter of case files: writes a value on one line if it fits.

const WIDTH = 100;

export function format(value, indent = "") {
  const line = oneLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== "object" || value === null) {
    return line;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + format(item, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${format(each, inner)}`,
  );
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${oneLine(each)}`,
  );
  return entries.length > 0 ? `{${entries.join(", ")}}` : "{}";
}
