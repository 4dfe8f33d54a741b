/** Start of a path in other notations: JSONPath, URI fragments, and `.` or `..` of files. */
const OTHER_START = /^(?:\$(?=[./[]|$)|#|\.{1,2}(?=\/))/;
/** Path in the form of an expression in a text, `${/name}` or `{{name}}`. */
const EXPRESSION = /^(?:\$\{([^{}]*)\}|\{\{([^{}]*)\}\})$/;
/** Index in brackets. */
const INDEX = /\[\d+\]/;

/** Returns whether a path is written in the notation of another language. */
export function hasOtherNotation(path: string): boolean {
  return [OTHER_START, EXPRESSION, INDEX, /^\s/].some((one) => one.test(path));
}

/** Returns how to write a path: absolute, or relative to the item of a template. */
export function pathHelp(path: string, isTop: boolean): string {
  const [, dollar, doubled] = EXPRESSION.exec(path.trim()) ?? [];
  const inner = (dollar ?? doubled ?? path).trim();
  if (inner.split("/").includes(".."))
    return "write the path from the root, such as `/user/name`; A2UI paths have no `..`";
  const rest = inner.replace(OTHER_START, "");
  const isJsonPath = /^\$(?!\/)/.test(inner) || INDEX.test(inner);
  const steps = isJsonPath
    ? rest.replaceAll(/\['?([^\]']*)'?\]/g, ".$1").replaceAll(".", "/")
    : rest;
  const isAbsolute = isTop || /^[$#/]/.test(inner);
  return `write \`${isAbsolute ? "/" : ""}${steps.replace(/^[./]+/, "")}\``;
}
