import type { Json } from "byname";

/** Returns the known names that the templates of a value use, the longest match each. */
export function templateNames(value: Json | undefined, known: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const queue: (Json | undefined)[] = [value];
  for (let next = queue.shift(); queue.length > 0 || next !== undefined; next = queue.shift()) {
    if (typeof next === "string") for (const name of namesInText(next, known)) found.add(name);
    else if (typeof next === "object" && next !== null) queue.push(...Object.values(next));
  }
  return [...found];
}

function namesInText(text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(/\$\$|\$\{([^}]*)\}?|\$([\w.\-[\]]+)/g)].flatMap((match) => {
    const words = match[1] ?? match[2];
    if (words === undefined) return [];
    let name = words;
    while (name !== "" && !known.has(name)) name = name.slice(0, -1).replace(/[.[\]-]+$/, "");
    // The rest continues the name, so it is another one.
    const rest = words.slice(name.length);
    return name === "" || /^\w/.test(rest) ? [] : [name];
  });
}
