// The functions of Node that the runner of the conformance vectors uses, for a page.

export const existsSync = () => false;
export const readdirSync = () => [];

/** Reads a file from the server of the test. */
export function readFileSync(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.send();
  if (request.status !== 200) throw new Error(`${url} is missing`);
  return request.responseText;
}

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
