// Runs the examples of the documentation: every block that opens with ```js run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, say } from "./run.mjs";
import { files } from "./stamp.mjs";

const folder = "target/doc-examples";

/** Runs each block as a module of its own, against the built package. */
export async function runDocExamples() {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const documents = [...files("README.md"), ...files("docs", ".md")];
  const examples = documents.flatMap((path) =>
    examplesIn(readFileSync(join(root, path), "utf8")).map((example) => ({ path, ...example })),
  );
  for (const { path, line, code } of examples) {
    const file = `${folder}/${path.replaceAll("/", "-")}-${line}.mjs`;
    // Empty lines in front keep the line numbers of the document in error messages.
    writeFileSync(join(root, file), "\n".repeat(line) + code);
    const advice = `the example in ${path}, line ${line}, failed (see above)`;
    await run("node", [file], { advice });
  }
  say(`${examples.length} examples of ${documents.length} documents ran`);
}

/** The runnable blocks of a document, each with the line of its opening fence. */
export function examplesIn(markdown) {
  const examples = [];
  for (const match of markdown.matchAll(/^```js run\n(.*?)^```$/gms)) {
    const line = markdown.slice(0, match.index).split("\n").length;
    examples.push({ line, code: match[1] });
  }
  return examples;
}
