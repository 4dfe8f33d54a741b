// Values of the reference model: JSON, with literals that look like pointers wrapped in `Literal`.

/** A text inside a list or map that begins with the sigil but is not a pointer (rule 5). */
export class Literal {
  constructor(text) {
    this.text = text;
  }
}

export function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLiteral(value);
}

export function isLiteral(value) {
  return value instanceof Literal;
}

/** Rebuilds a value with every leaf replaced; own properties only, with any name. */
export function mapLeaves(value, leaf) {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, leaf));
  if (!isMap(value)) return leaf(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLeaves(item, leaf)]),
  );
}

/** Returns the value for get(), with literals as plain strings. */
export function asText(value) {
  return mapLeaves(value, (leaf) => (isLiteral(leaf) ? leaf.text : leaf));
}

/** Wraps inner texts that begin with the sigil, for a value from outside the document. */
export function markLiterals(value, sigil) {
  if (typeof value !== "object" || value === null) return value;
  return mapLeaves(value, (leaf) =>
    typeof leaf === "string" && leaf.startsWith(sigil) ? new Literal(leaf) : leaf,
  );
}

export function equal(a, b) {
  if (isLiteral(a) || isLiteral(b)) return isLiteral(a) && isLiteral(b) && a.text === b.text;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at]));
  }
  if (!isMap(a)) return a === b;
  if (!isMap(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  return Object.keys(a).every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** Returns whether rule 28 accepts a value. */
export function isWritable(value) {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return isWellFormed(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (typeof value !== "object" || value === null) return value !== undefined;
  return Object.entries(value).every(([key, item]) => isWellFormed(key) && isWritable(item));
}

function isWellFormed(text) {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
