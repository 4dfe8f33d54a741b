// Values of the reference model: JSON, with text that is held as a literal wrapped in `Held`.

/** Text inside a list or map that is no pointer although it begins with the sigil (rule 5). */
export class Held {
  constructor(text) {
    this.text = text;
  }
}

export function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isHeld(value);
}

export function isHeld(value) {
  return value instanceof Held;
}

/** Rebuilds a value with every leaf replaced; own properties only, whatever their names. */
export function mapLeaves(value, leaf) {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, leaf));
  if (!isMap(value)) return leaf(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLeaves(item, leaf)]),
  );
}

/** What get() shows: held text looks like a pointer there. */
export function asText(value) {
  return mapLeaves(value, (leaf) => (isHeld(leaf) ? leaf.text : leaf));
}

/** A value from outside the document: inner text that begins with the sigil is held. */
export function hold(value, sigil) {
  if (typeof value !== "object" || value === null) return value;
  return mapLeaves(value, (leaf) =>
    typeof leaf === "string" && leaf.startsWith(sigil) ? new Held(leaf) : leaf,
  );
}

export function equal(a, b) {
  if (isHeld(a) || isHeld(b)) return isHeld(a) && isHeld(b) && a.text === b.text;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at]));
  }
  if (!isMap(a)) return a === b;
  if (!isMap(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  return Object.keys(a).every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** What rule 28 lets in. */
export function isWritable(value) {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return isWhole(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (typeof value !== "object" || value === null) return value !== undefined;
  return Object.entries(value).every(([key, item]) => isWhole(key) && isWritable(item));
}

function isWhole(text) {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
