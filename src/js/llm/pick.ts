/** Returns the value at a path in JSON of unknown shape, or `undefined`. */
export function valueAtPath(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as { [key: string | number]: unknown })[key];
  }
  return found;
}

/** Returns the string at a path, or `undefined`. */
export function pickString(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = valueAtPath(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** Returns the number at a path, or `undefined`. */
export function pickNumber(value: unknown, ...path: (string | number)[]): number | undefined {
  const found = valueAtPath(value, ...path);
  return typeof found === "number" ? found : undefined;
}
