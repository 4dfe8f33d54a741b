/** Start of a path in other notations: JSONPath, URI fragments, and `.` or `..` of files. */
const OTHER_NOTATION = /^(?:\$(?=[.[]|$)|#|\.{1,2}(?=\/))/;

/** Returns whether a path is written in the notation of another language. */
export function hasOtherNotation(path: string): boolean {
  return OTHER_NOTATION.test(path);
}

/** Returns how to write a path: absolute, or relative to the item of a template. */
export function pathHelp(path: string, isTop: boolean): string {
  if (path.split("/").includes(".."))
    return "write the path from the root, such as `/user/name`; A2UI paths have no `..`";
  const isJsonPath = path.startsWith("$");
  const rest = path.replace(OTHER_NOTATION, "").replace(/^[./]+/, "");
  const steps = isJsonPath
    ? rest.replaceAll(/\['?([^\]']*)'?\]/g, ".$1").replaceAll(".", "/")
    : rest;
  const bare = steps.replace(/^\/+/, "");
  return `write \`${isTop || isJsonPath || path.startsWith("#") ? "/" : ""}${bare}\``;
}
