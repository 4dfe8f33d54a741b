// Searches values, errors and texts for a secret.

/** Returns the paths at which a value contains a secret: also of errors, their causes and properties. */
export function findSecret(value, secret, path = "$", visited = new Set()) {
  if (typeof value === "string")
    return formsOf(secret).some((one) => value.includes(one)) ? [path] : [];
  if (typeof value !== "object" || value === null || visited.has(value)) return [];
  visited.add(value);
  return Reflect.ownKeys(value).flatMap((name) => {
    const at = `${path}.${String(name)}`;
    const inName = findSecret(String(name), secret, `${at} (name)`);
    return [...inName, ...findSecret(Reflect.get(value, name), secret, at, visited)];
  });
}

/** Returns a secret as JSON, JSON pointers and addresses contain it. */
function formsOf(secret) {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    escaped.replaceAll("/", "\\/"),
    secret.replaceAll("~", "~0").replaceAll("/", "~1"),
    encodeURIComponent(secret),
    btoa(secret),
  ];
}
