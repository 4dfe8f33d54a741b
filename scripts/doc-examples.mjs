// Runs the examples of the documentation: every block that begins with ```js run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { mapConcurrently, printStatus, root, run } from "./run.mjs";
import { listFiles } from "./stamp.mjs";

const folder = "target/doc-examples";

/** Runs each block as a module, against the built package. */
export async function runDocExamples() {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const documents = [...listFiles("README.md"), ...listFiles("docs", ".md")];
  const examples = documents.flatMap((path) =>
    extractExamples(readFileSync(join(root, path), "utf8")).map((example) => ({
      path,
      ...example,
    })),
  );
  await mapConcurrently(examples, availableParallelism(), async ({ path, line, code }) => {
    const file = `${folder}/${path.replaceAll("/", "-")}-${line}.mjs`;
    // Empty lines at the start keep the line numbers of the document in error messages.
    writeFileSync(join(root, file), "\n".repeat(line) + code);
    const advice = `the example in ${path}, line ${line}, failed (see above)`;
    await run("node", [file], { advice });
  });
  printStatus(`${examples.length} examples of ${documents.length} documents passed`);
}

/** Returns the runnable blocks of a document, each with the line of its opening fence. */
export function extractExamples(markdown) {
  const examples = [];
  for (const match of markdown.matchAll(/^```js run\n(.*?)^```$/gms)) {
    const line = markdown.slice(0, match.index).split("\n").length;
    examples.push({ line, code: match[1] });
  }
  return examples;
}
