// How case files are written: a value on one line where that is short enough.

const WIDTH = 100;

export function format(value, indent = "") {
  const short = oneLine(value);
  if (indent.length + short.length <= WIDTH || typeof value !== "object" || value === null) {
    return short;
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
