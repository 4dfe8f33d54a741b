// The functions of Node that the runner of the conformance vectors uses, for a page. A page has no files.

export const existsSync = () => false;
export const readdirSync = () => [];
export const readFileSync = () => "";

/** Returns whether two JSON values are equal. The order of keys does not matter. */
export function isDeepStrictEqual(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isDeepStrictEqual(a[name], b[name]))
  );
}
