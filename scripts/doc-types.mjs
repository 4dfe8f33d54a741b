// Compiles the blocks of the documentation that are not run, against the declarations of the package:
// ```ts declares byname/llm   types and functions, each equal to the export of that name
// ```ts continues             continues the example before it
// ```ts uses, ```js uses      uses names that the surrounding text explains; `freeNames` declares them
// ```tsx uses                 the same, with JSX of React
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printStatus, root, run } from "./run.mjs";
import { listFiles } from "./stamp.mjs";

const folder = "target/doc-types";

/** Placeholder for the module of the example before. */
const BEFORE = "#before";

/** Declarations of names that blocks use and do not declare. */
const freeNames = {
  surface: 'const surface: import("byname").Surface',
  catalog: 'const catalog: import("byname/catalog").TypedCatalog',
  engine: 'const engine: Parameters<typeof import("byname/llm").wllama>[0]',
  request: 'const request: import("byname/llm").LlmRequest',
  url: "const url: string",
  user: "const user: string",
  password: "const password: string",
};

/** Declarations of packages that are not installed here. */
const neo4j = `declare module "neo4j-driver" {
  interface Answer { records: { toObject(): { [key: string]: any } }[] }
  const neo4j: {
    auth: { basic(user: string, password: string): object };
    driver(url: string, auth: object): import("byname/databases").BoltDriver & {
      close(): Promise<void>;
      executeQuery(text: string, params: object): Promise<Answer>;
    };
  };
  export default neo4j;
}
declare module "falkordb" {
  const FalkorDB: {
    connect(options: object): Promise<{ selectGraph(name: string): import("byname/databases").FalkorGraphClient }>;
  };
  export { FalkorDB };
}
declare module "@electric-sql/pglite" {
  interface Database {
    exec(text: string): Promise<unknown>;
    query(text: string, params: unknown[]): Promise<{ rows: { row: string }[] }>;
  }
  const PGlite: { create(options: object): Promise<Database> };
  export { PGlite };
}
declare module "@electric-sql/pglite-age" {
  const age: object;
  export { age };
}
declare module "@grafeo-db/js" {
  const grafeo: { GrafeoDB: { create(): import("byname/databases").GrafeoClient } };
  export default grafeo;
}
`;

/** Imports and types for the blocks with declarations. */
const declarationHeader = `import type {
  AppliedJson, Binding, Collision, DataContext, Diagnostic, Flow, InputError, Json, NodeMappings, PlanningContext,
} from "byname";
import type { ComponentType, ReactNode } from "react";
/** True if both types are assignable to each other and have the same properties. */
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

/** Returns the blocks to compile, each as a module with the line of its opening fence. */
export function extractTypedBlocks(markdown) {
  const blocks = [...markdown.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(({ 1: info, 2: code, index }, at) => {
    const line = markdown.slice(0, index).split("\n").length;
    const [language, how, from] = info.split(" ");
    if (!["ts", "tsx", "js"].includes(language)) return [];
    if (how === "declares") return [{ line, code: moduleOfDeclarations(code, from) }];
    if (how === "uses")
      return [{ line, code: moduleOfUses(code), as: language === "tsx" ? "tsx" : "ts" }];
    if (how !== "continues") return [];
    const before = blocks.slice(0, at).findLast(([, other]) => other === "js run");
    const module = `${before[2]}\nexport { ${constantNames(before[2])} };\n`;
    return [{ line, code: moduleOfContinuation(code, before[2]), before: module }];
  });
}

function moduleOfDeclarations(code, from) {
  const names = [...code.matchAll(/^(interface|type|function) (\w+)(<)?/gm)];
  const same = names.map(([, kind, name, generic]) => {
    const args = generic ? "<{ stars: number }>" : "";
    if (kind === "function")
      return `export const same_${name}: typeof Documented.${name} = from.${name};`;
    return `export const same_${name}: Same<Documented.${name}${args}, from.${name}${args}> = true;`;
  });
  return `${declarationHeader}import * as from from "${from}";\ndeclare namespace Documented {\n${code}}\n${same.join("\n")}\n`;
}

function moduleOfUses(code) {
  const imported = [...code.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list.split(/\W+/),
  );
  const missing = Object.keys(freeNames).filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !imported.includes(name) &&
      !new RegExp(`const (\\{[^}]*)?\\b${name}\\b`).test(code),
  );
  return `${missing.map((name) => `declare ${freeNames[name]};`).join("\n")}\n${code}\nexport {};\n`;
}

/** Returns a module that imports the constants of the JavaScript example before it. */
function moduleOfContinuation(code, before) {
  const names = constantNames(before).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `import { ${names} } from "${BEFORE}";\n${code}`;
}

function constantNames(code) {
  return [...code.matchAll(/^const (\w+) =/gm)].map(([, name]) => name);
}

/** Compiles all blocks. */
export async function checkDocTypes() {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const documents = [...listFiles("README.md"), ...listFiles("docs", ".md")];
  let count = 0;
  for (const path of documents) {
    for (const { line, code, before, as = "ts" } of extractTypedBlocks(
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
    "an example of the documentation does not compile (the name of its file contains document and line)";
  await run("tsc", ["-p", folder], { advice });
  printStatus(`${count} examples compile`);
}
