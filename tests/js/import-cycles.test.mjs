// Import cycles: no module imports itself through others, and no folder does. Type-only imports
// count too.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SPECIFIER = /^(?:import|export)\b[^;"]*?(?:\bfrom )?"(\.[^"]+)";/gm;
const LAZY_SPECIFIER = /\bimport\("(\.[^"]+)"\)/g;

/** Known cycles. The list can only shrink. */
const KNOWN = {
  "modules of src/js": [],
  "folders of src/js": [],
  "modules of www": [],
  "folders of www": [],
};

/** Returns the source files below a folder, as paths from the root of the repository. */
function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter(
      (path) => /\.ts$/.test(path) && !/\.d\.ts$|\/(?:dist|public|node_modules)\//.test(path),
    );
}

/** Returns the files that each file imports or re-exports from. */
function importGraph(files) {
  const known = new Set(files);
  return new Map(files.map((file) => [file, importsOf(file).filter((path) => known.has(path))]));
}

function importsOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(SPECIFIER), ...text.matchAll(LAZY_SPECIFIER)];
  return specifiers.map(([, path]) => normalize(join(dirname(file), path)).replace(/js$/, "ts"));
}

/** Returns the graph of folders. A file in the root folder counts as a folder of its own. */
function folderGraph(graph, folder) {
  const group = (file) => (dirname(file) === folder ? file : dirname(file));
  const groups = new Map();
  for (const [file, targets] of graph) {
    const others = targets.map(group).filter((other) => other !== group(file));
    groups.set(group(file), [...(groups.get(group(file)) ?? []), ...others]);
  }
  return groups;
}

/** Returns the strongly connected components with several nodes (Tarjan 1972). */
function cycles(graph) {
  const indices = new Map();
  const low = new Map();
  const stack = [];
  const components = [];
  const visit = (node) => {
    indices.set(node, indices.size);
    low.set(node, indices.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indices.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== indices.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) components.push(component.sort());
  };
  for (const node of graph.keys()) if (!indices.has(node)) visit(node);
  return components.sort();
}

for (const folder of ["src/js", "www"]) {
  const graph = importGraph(sources(folder));
  test(`${folder}: modules import each other without a cycle`, () => {
    assert.ok(graph.size > 20);
    assert.deepEqual(cycles(graph), KNOWN[`modules of ${folder}`]);
  });
  test(`${folder}: folders import each other without a cycle`, () => {
    assert.deepEqual(cycles(folderGraph(graph, folder)), KNOWN[`folders of ${folder}`]);
  });
}

test("finds cycles", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", ["e"]],
    ["e", []],
  ]);
  assert.deepEqual(cycles(graph), [["a", "b", "c"]]);
});
