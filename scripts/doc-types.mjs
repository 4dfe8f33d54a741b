// Checks the blocks of the documentation that are not run against the declarations of the package:
// ```ts declares byname/llm   types and functions, each the same as the export of that name
// ```ts continues             goes on with the example before it
// ```ts uses, ```js uses      uses names that the text around it explains; `given` below says what they are
// ```tsx uses                 the same, with elements of React
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, say } from "./run.mjs";
import { files } from "./stamp.mjs";

const folder = "target/doc-types";

/** What stands for the module of the example before. */
const BEFORE = "#before";

/** What the blocks use and do not declare. */
const given = {
  surface: 'const surface: import("byname").Surface',
  catalog: 'const catalog: import("byname/catalog").TypedCatalog',
  engine: 'const engine: Parameters<typeof import("byname/llm").wllama>[0]',
  request: 'const request: import("byname/llm").LlmRequest',
  url: "const url: string",
  user: "const user: string",
  password: "const password: string",
};

/** The one function of a package that is not installed here. */
const neo4j = `declare module "neo4j-driver" {
  interface Answer { records: { toObject(): { [key: string]: any } }[] }
  const neo4j: {
    auth: { basic(user: string, password: string): object };
    driver(url: string, auth: object): { executeQuery(text: string, params: object): Promise<Answer> };
  };
  export default neo4j;
}
`;

/** The types that declarations name. */
const named = `import type {
  AppliedJson, Binding, Collision, DataContext, Diagnostic, Flow, Json, NodeMappings, PlanningContext,
} from "byname";
import type { ComponentType, ReactNode } from "react";
/** Whether each can stand for the other, and both have the same properties. */
type Same<A, B> = [A, B, keyof A] extends [B, A, keyof B] ? ([keyof B] extends [keyof A] ? true : false) : false;
`;

const options = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2022", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  allowJs: true,
  jsx: "react-jsx",
};

/** The blocks that are checked here, each as a module with the line of its fence. */
export function typedIn(markdown) {
  const blocks = [...markdown.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(({ 1: info, 2: code, index }, at) => {
    const line = markdown.slice(0, index).split("\n").length;
    const [language, how, from] = info.split(" ");
    if (!["ts", "tsx", "js"].includes(language)) return [];
    if (how === "declares") return [{ line, code: declared(code, from) }];
    if (how === "uses") return [{ line, code: used(code), as: language === "tsx" ? "tsx" : "ts" }];
    if (how !== "continues") return [];
    const before = blocks.slice(0, at).findLast(([, other]) => other === "js run");
    const module = `${before[2]}\nexport { ${constants(before[2])} };\n`;
    return [{ line, code: continued(code, before[2]), before: module }];
  });
}

function declared(code, from) {
  const names = [...code.matchAll(/^(interface|type|function) (\w+)(<)?/gm)];
  const same = names.map(([, kind, name, generic]) => {
    const args = generic ? "<{ stars: number }>" : "";
    if (kind === "function")
      return `export const same_${name}: typeof Said.${name} = from.${name};`;
    return `export const same_${name}: Same<Said.${name}${args}, from.${name}${args}> = true;`;
  });
  return `${named}import * as from from "${from}";\ndeclare namespace Said {\n${code}}\n${same.join("\n")}\n`;
}

function used(code) {
  const imported = [...code.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list.split(/\W+/),
  );
  const free = Object.keys(given).filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !imported.includes(name) &&
      !new RegExp(`const (\\{[^}]*)?\\b${name}\\b`).test(code),
  );
  return `${free.map((name) => `declare ${given[name]};`).join("\n")}\n${code}\nexport {};\n`;
}

/** An example that goes on with one in JavaScript, whose constants it uses. */
function continued(code, before) {
  const names = constants(before).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `import { ${names} } from "${BEFORE}";\n${code}`;
}

function constants(code) {
  return [...code.matchAll(/^const (\w+) =/gm)].map(([, name]) => name);
}

/** Compiles all of them. */
export async function checkDocTypes() {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const documents = [...files("README.md"), ...files("docs", ".md")];
  let count = 0;
  for (const path of documents) {
    for (const { line, code, before, as = "ts" } of typedIn(
      readFileSync(join(root, path), "utf8"),
    )) {
      const name = `${path.replaceAll("/", "-")}-${line}`;
      writeFileSync(
        join(root, folder, `${name}.${as}`),
        code.replace(BEFORE, `./${name}.before.mjs`),
      );
      if (before) writeFileSync(join(root, folder, `${name}.before.mjs`), before);
      count += 1;
    }
  }
  writeFileSync(join(root, folder, "neo4j.d.ts"), neo4j);
  const config = JSON.stringify({ compilerOptions: options, include: ["*.ts", "*.tsx"] });
  writeFileSync(join(root, folder, "tsconfig.json"), config);
  const advice =
    "an example of the documentation does not fit the types (its file says where it is from)";
  await run("tsc", ["-p", folder], { advice });
  say(`${count} examples fit the types`);
}
