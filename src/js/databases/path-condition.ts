import type { PredicateTree } from "../gasl/types.js";
import type { PatternWriter } from "./pattern.js";
import { otherField, splitPart } from "./predicate.js";

/** Nodes of a path without its ends. Grafeo ignores an end of -1. */
export const INNER_NODES = "nodes(p)[1..size(nodes(p)) - 1]";

/**
 * Writes a condition on complete paths: every edge, every inner node, both ends. `NOT` applies to
 * each edge and node, as in a graph in memory.
 */
export function pathCondition(
  patterns: PatternWriter,
  tree: PredicateTree,
  expected = true,
): string {
  const part = commonPart(tree);
  if (part !== undefined && part !== "length") {
    return everyRow(patterns, part, "", (name) =>
      partCondition(patterns, part, tree, name, expected),
    );
  }
  const { writer } = patterns;
  return writer.writeTree(
    tree,
    ({ field, op, value }, holds) => {
      const inner = commonPart({ field, op, value } as PredicateTree);
      const other = otherField(value);
      if (inner !== undefined && inner !== "length")
        return pathCondition(patterns, { field, op, value } as PredicateTree, holds);
      if (other === undefined)
        return writer.writeTest({ text: "length(p)", kind: "number" }, op, value, holds);
      return everyValue(patterns, field, "", (left) =>
        everyValue(patterns, other, "2", (right) => writer.writeComparison(left, op, right, holds)),
      );
    },
    expected,
  );
}

/** Returns the part of a path that all tests of a condition are about, or undefined for several. */
function commonPart(tree: PredicateTree): string | undefined {
  if ("not" in tree) return commonPart(tree.not);
  if ("field" in tree) {
    const [part] = splitPart(tree.field);
    const other = otherField(tree.value);
    return other === undefined || splitPart(other)[0] === part ? part : undefined;
  }
  const parts = new Set(("all" in tree ? tree.all : tree.any).map(commonPart));
  return parts.size === 1 ? [...parts][0] : undefined;
}

/** Writes the condition on one row of a part; its fields have the prefix of the part. */
function partCondition(
  patterns: PatternWriter,
  part: string,
  tree: PredicateTree,
  name: string,
  expected: boolean,
): string {
  const stripped = withoutPrefix(tree);
  return part === "edge"
    ? patterns.edgeCondition(stripped, name, expected)
    : patterns.nodeCondition(stripped, name, expected);
}

function withoutPrefix(tree: PredicateTree): PredicateTree {
  if ("all" in tree) return { all: tree.all.map(withoutPrefix) };
  if ("any" in tree) return { any: tree.any.map(withoutPrefix) };
  if ("not" in tree) return { not: withoutPrefix(tree.not) };
  const other = otherField(tree.value);
  const value = other === undefined ? tree.value : { field: splitPart(other)[1] };
  return { ...tree, field: splitPart(tree.field)[1], ...(value !== undefined && { value }) };
}

/** Writes a test of all rows of a part of a path; without a part, of both ends. */
function everyRow(
  patterns: PatternWriter,
  part: string,
  suffix: string,
  test: (name: string) => string,
): string {
  const every = (list: string, name: string) => patterns.writer.every(name, list, test(name));
  if (part === "start") return test("a");
  if (part === "end") return test("b");
  if (part === "edge") return every("relationships(p)", `e${suffix}`);
  if (part === "node") return every(INNER_NODES, `n${suffix}`);
  return `(${test("a")} AND ${test("b")})`;
}

/** Writes a test of all values that a field has in a path. */
function everyValue(
  patterns: PatternWriter,
  field: string,
  suffix: string,
  test: (value: string) => string,
): string {
  const [part, name] = splitPart(field);
  if (part === "length") return test("length(p)");
  return everyRow(patterns, part, suffix, (row) => {
    const value = part === "edge" ? patterns.edgeValue(row, name) : patterns.nodeValue(row, name);
    return test(value.text);
  });
}
