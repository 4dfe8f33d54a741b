import { throwMisuse } from "../arguments.js";
import type {
  FindQuery,
  NeighborQuery,
  PathQuery,
  PredicateTree,
  ShortestPathQuery,
} from "../gasl/types.js";
import type { Json } from "../types.js";
import type { ValueExpression } from "./condition.js";
import { quoteName } from "./names.js";
import { INNER_NODES, pathCondition } from "./path-condition.js";
import {
  type CypherStatement,
  type GraphLayout,
  limitOf,
  PatternWriter,
  whereOf,
} from "./pattern.js";
import {
  conjunctsOf,
  equalIds,
  isTrivial,
  relationInField,
  requiredTexts,
  splitPrefix,
} from "./predicate.js";

/** Pattern of rows with its condition, and the row that it returns. */
export interface RowPattern {
  /** Pattern with the condition. */
  text: string;
  match: string;
  condition: string;
  /** ` WITH DISTINCT …` if the pattern may find a row several times. */
  distinct: string;
  /** Variable of the node or relation. */
  name: string;
  /** Variables that the row needs. */
  variables: string;
  row: string;
  /** Returns the expression of a field for conditions, which an index can serve. */
  fieldOf: (field: string) => ValueExpression;
  /** Returns the expression of a field as the row has it. */
  outputOf: (field: string) => string;
  /** Expression to sort by for a stable order. */
  key: string;
}

export function findNodes(layout: GraphLayout, query: FindQuery): CypherStatement {
  const patterns = new PatternWriter(layout, query.caps);
  return returnRows(patterns, nodePattern(patterns, query.where as PredicateTree), query);
}

export function findEdges(layout: GraphLayout, query: FindQuery): CypherStatement {
  const patterns = new PatternWriter(layout, query.caps);
  return returnRows(patterns, edgePattern(patterns, query.where as PredicateTree), query);
}

function returnRows(
  patterns: PatternWriter,
  { text, row, key }: RowPattern,
  { limit, caps }: FindQuery,
): CypherStatement {
  const order = patterns.layout.stable ? ` ORDER BY ${key}` : "";
  return patterns.toStatement(`${text} RETURN ${row} AS row${order}${limitOf(limit, caps)}`);
}

/** Writes `MATCH (n:Label) WHERE …`. The suffix makes the variables of a second pattern unique. */
export function nodePattern(
  patterns: PatternWriter,
  where: PredicateTree,
  suffix = "",
): RowPattern {
  const name = `n${suffix}`;
  const [pattern, afterLabel] = patterns.nodePattern(name, where);
  const [unwind, isListed, rest] = patterns.listedIds(`${name}_id`, afterLabel, "id");
  const conditions = [patterns.nodeCondition(rest, name)];
  if (isListed !== undefined) conditions.unshift(isListed(patterns.nodeValue(name, "id").text));
  return {
    ...matchWhere(`${unwind}MATCH ${pattern}`, conditions, distinctOf(patterns, unwind, name)),
    name,
    variables: name,
    row: patterns.nodeRow(name),
    fieldOf: (field) => patterns.nodeValue(name, field),
    outputOf: (field) =>
      field === "id" ? patterns.nodeId(name) : patterns.nodeValue(name, field).text,
    key: patterns.nodeId(name),
  };
}

function matchWhere(match: string, tests: string[], distinct = "") {
  const condition = tests.filter((test) => test !== "true").join(" AND ");
  return { text: `${match}${whereOf(condition)}${distinct}`, match, condition, distinct };
}

function distinctOf(patterns: PatternWriter, unwind: string, variables: string): string {
  return unwind !== "" && patterns.isRepeated ? ` WITH DISTINCT ${variables}` : "";
}

/** Writes `MATCH (a:Label)-[r:TYPE]->(b:Label) WHERE …`. */
export function edgePattern(
  patterns: PatternWriter,
  where: PredicateTree,
  suffix = "",
): RowPattern {
  const { layout, writer } = patterns;
  const [a, r, b] = [`a${suffix}`, `r${suffix}`, `b${suffix}`] as const;
  const tree = relationInField(where, layout.typeField);
  const [types, afterTypes] = patterns.relationTypes(tree);
  const fieldOf = (source: string, target: string) => (field: string) => {
    const [part, name] = splitPrefix(field);
    if (part === "source" || part === "start") return patterns.nodeValue(source, name);
    if (part === "target" || part === "end") return patterns.nodeValue(target, name);
    if (field === "source") return patterns.nodeValue(source, "id");
    if (field === "target") return patterns.nodeValue(target, "id");
    return patterns.edgeValue(r, field);
  };
  const conditionOn = (one: PredicateTree, fields: (field: string) => ValueExpression) =>
    writer.writeCondition(patterns.withElementIds(one, isEndId), (field) => {
      const end = (id: string) => {
        const isSource = id.startsWith("source") || id.startsWith("start");
        return isSource === (fields === asStored) ? a : b;
      };
      return patterns.assignedId(field, end) ?? fields(field);
    });
  const asStored = fieldOf(a, b);
  const variables = `${a}, ${r}, ${b}`;
  const outputOf = (field: string) => {
    if (field === "source") return patterns.nodeId(a);
    return field === "target" ? patterns.nodeId(b) : asStored(field).text;
  };
  const common = { name: r, variables, fieldOf: asStored, outputOf, key: patterns.edgeId(r) };
  if (layout.directed || !mentionsEnds(tree)) {
    const labelOf = (end: string) =>
      layout.labelField === undefined ? undefined : `${end}.${layout.labelField}`;
    const [source, afterSource] = patterns.nodePattern(a, afterTypes, labelOf("source"));
    const [target, afterTarget] = patterns.nodePattern(b, afterSource, labelOf("target"));
    const [unwind, isListed, rest, end] = patterns.listedEnds(`${r}_id`, afterTarget);
    const conditions = [conditionOn(rest, asStored)];
    if (isListed !== undefined) conditions.unshift(isListed(asStored(end).text));
    const match = `${unwind}MATCH ${source}-[${r}${types}]->${target}`;
    const row = patterns.edgeRow(r, a, b);
    const distinct = distinctOf(patterns, unwind, variables);
    return { ...matchWhere(match, conditions, distinct), row, ...common };
  }
  // The condition holds for either orientation; the row has the one for which it holds.
  const stored = conditionOn(afterTypes, asStored);
  const exchanged = conditionOn(afterTypes, fieldOf(b, a));
  const label = layout.nodeLabel === undefined ? "" : `:${quoteName(layout.nodeLabel)}`;
  const match = `MATCH (${a}${label})-[${r}${types}]->(${b}${label})`;
  const row = `CASE WHEN ${stored} THEN ${patterns.edgeRow(r, a, b)} ELSE ${patterns.edgeRow(r, b, a)} END`;
  return { ...matchWhere(match, [`(${stored} OR ${exchanged})`]), row, ...common };
}

/** Returns whether a field of a relation is the id of one of its ends. */
function isEndId(field: string): boolean {
  return /^(source|target|(source|target|start|end)\.id)$/.test(field);
}

function mentionsEnds(tree: PredicateTree): boolean {
  if ("all" in tree) return tree.all.some(mentionsEnds);
  if ("any" in tree) return tree.any.some(mentionsEnds);
  if ("not" in tree) return mentionsEnds(tree.not);
  const fields = [tree.field, (tree.value as { field?: string } | undefined)?.field];
  const isEnd = (field: string | undefined) =>
    field !== undefined && /^(source|target|start|end)(\.|$)/.test(field);
  return fields.some(isEnd);
}

/** Writes the search for simple paths. It begins with the end that the condition restricts. */
export function findPaths(layout: GraphLayout, query: PathQuery): CypherStatement {
  const { maxLength, limit, caps } = query;
  if (!Number.isInteger(maxLength) || maxLength < 1)
    throwMisuse("expected the length of a path to be a positive integer");
  const patterns = new PatternWriter(layout, caps);
  const { text, ends, steps } = pathParts(patterns, query, `*1..${maxLength}`, finishedOf(query));
  const anchor = isFixed(query.start as PredicateTree, layout)
    ? `MATCH ${ends.start.pattern}${whereOf(ends.start.condition)} `
    : isFixed(query.end as PredicateTree, layout)
      ? `MATCH ${ends.end.pattern}${whereOf(ends.end.condition)} `
      : "";
  const tests = [
    "a <> b",
    // A simple path has no repeated node.
    maxLength === 1
      ? ""
      : patterns.writer.every(
          "i",
          "range(0, size(nodes(p)) - 2)",
          "NOT nodes(p)[i] IN nodes(p)[i + 1..size(nodes(p))]",
        ),
    ends.start.condition,
    ends.end.condition,
    ...steps,
  ];
  const where = whereOf(...tests);
  return patterns.toStatement(
    `${anchor}MATCH p = ${text}${where} RETURN ${pathRow(patterns)} AS row${limitOf(limit, caps)}`,
  );
}

/** Returns whether a condition names the ids of nodes, which an index finds. */
function isFixed(tree: PredicateTree, layout: GraphLayout): boolean {
  const isEquality = (one: PredicateTree) =>
    "field" in one && (one.op === "=" || one.op === "IN") && one.field !== layout.labelField;
  return requiredTexts(tree, "id") !== undefined || conjunctsOf(tree).some(isEquality);
}

/** Returns the condition on complete paths. */
function finishedOf(query: PathQuery | ShortestPathQuery): PredicateTree | undefined {
  return (query as { finished?: PredicateTree }).finished;
}

/** Writes the pattern of paths, the conditions on their ends, and those on their other parts. */
function pathParts(
  patterns: PatternWriter,
  query: PathQuery | ShortestPathQuery,
  length: string,
  finished: PredicateTree | undefined,
) {
  const { layout } = patterns;
  const edges = relationInField(query.edge as PredicateTree, layout.typeField);
  const [types, rest] = patterns.relationTypes(edges);
  const [back, on] = arrowOf(layout.directed ? query.direction : "any");
  const [start, startRest] = patterns.nodePattern("a", query.start as PredicateTree);
  const [end, endRest] = patterns.nodePattern("b", query.end as PredicateTree);
  const all = (list: string, name: string, tree: PredicateTree, condition: () => string) =>
    isTrivial(tree) ? "" : patterns.writer.every(name, list, condition());
  const inner = query.node as PredicateTree;
  const steps = [
    all("relationships(p)", "e", rest, () => patterns.edgeCondition(rest, "e")),
    all(INNER_NODES, "n", inner, () => patterns.nodeCondition(inner, "n")),
    isTrivial(finished) ? "" : pathCondition(patterns, finished as PredicateTree),
  ];
  return {
    text: `${start}${back}[${types}${length}]${on}${end}`,
    ends: {
      start: { pattern: start, condition: patterns.nodeCondition(startRest, "a") },
      end: { pattern: end, condition: patterns.nodeCondition(endRest, "b") },
    },
    steps: steps.filter((one) => one !== "" && one !== "true"),
  };
}

/** Writes the search for one shortest path of each pair of start and end. */
export function findShortestPaths(
  layout: GraphLayout,
  query: ShortestPathQuery,
): CypherStatement | { unsupported: string } {
  const { maxLength, limit, caps } = query;
  const { shortestPath, filtersShortestPaths } = layout.dialect;
  if (query.weight !== undefined)
    return { unsupported: "openCypher has no shortest paths with weights; leave WEIGHT out" };
  if (shortestPath === undefined)
    return { unsupported: "the database has no search for shortest paths" };
  if (shortestPath === "with" && (!layout.directed || query.direction === "any"))
    return { unsupported: "the database follows shortest paths in one direction only" };
  const patterns = new PatternWriter(layout, caps);
  const length = maxLength === null ? "*" : `*1..${maxLength}`;
  // The maximum length is in the pattern.
  const others = conjunctsOf(finishedOf(query) ?? { all: [] }).filter(
    (one) => !("field" in one && one.field === "length"),
  );
  const { text, ends, steps } = pathParts(patterns, query, length, { all: others });
  if (steps.length > 0 && !filtersShortestPaths) {
    return {
      unsupported:
        "the database tests the condition on edges and inner nodes after the search; only the type of the edges can be given",
    };
  }
  const pairs = `MATCH ${ends.start.pattern}${whereOf(ends.start.condition)} MATCH ${ends.end.pattern}${whereOf("a <> b", ends.end.condition)}`;
  const plain = text.replace(ends.start.pattern, "(a)").replace(ends.end.pattern, "(b)");
  const found =
    shortestPath === "match"
      ? `MATCH p = shortestPath(${plain})${whereOf(...steps)}`
      : `WITH a, b, shortestPath(${plain}) AS p WHERE p IS NOT NULL`;
  return patterns.toStatement(
    `${pairs} ${found} RETURN ${pathRow(patterns)} AS row${limitOf(limit, caps)}`,
  );
}

/** Returns a path as a row; `sources` has the fields of its edges that name sources. */
function pathRow(patterns: PatternWriter): string {
  const fields = SOURCE_FIELDS.map((field) => `${field}: ${patterns.property("e", field)}`).join(
    ", ",
  );
  const sources = `[e IN relationships(p) | {${fields}}]`;
  const nodes = `[n IN nodes(p) | ${patterns.nodeId("n")}]`;
  const edges = `[e IN relationships(p) | ${patterns.edgeId("e")}]`;
  const ends = `start: ${patterns.nodeId("a")}, end: ${patterns.nodeId("b")}`;
  return `{${ends}, nodes: ${nodes}, edges: ${edges}, length: length(p), sources: ${sources}}`;
}

/** Fields that name the sources of a row, as in a graph in memory. */
export const SOURCE_FIELDS = [
  ...["source_id", "source_ids", "chunk_id"],
  ...["doc_id", "file_path", "description"],
];

/** Returns the parts of a pattern before and after the brackets of a relation. */
export function arrowOf(direction: PathQuery["direction"]): [string, string] {
  if (direction === "any") return ["-", "-"];
  return direction === "in" ? ["<-", "-"] : ["-", "->"];
}

/** Writes the search for the nodes next to some nodes. */
export function findNeighbors(layout: GraphLayout, query: NeighborQuery): CypherStatement {
  const patterns = new PatternWriter(layout, query.caps);
  const edges = relationInField(query.edge as PredicateTree, layout.typeField);
  const [types, rest] = patterns.relationTypes(edges);
  const [back, on] = arrowOf(layout.directed ? query.direction : "any");
  const common = layout.nodeLabel === undefined ? "" : `:${quoteName(layout.nodeLabel)}`;
  const { text: id } = patterns.nodeValue("a", "id");
  const ids = [
    ...new Set((query.ids as Json[]).flatMap((one) => equalIds(one, layout.sendsBigInts))),
  ];
  const known = ids.some((one) => layout.dialect.elementIdPattern.test(String(one)));
  const list = patterns.writer.addParam(ids);
  // With a common label an index finds each start; without one, all nodes are read once.
  const [unwind, test] =
    common === "" ? ["", `IN ${list}`] : [`UNWIND ${list} AS start `, "= start"];
  const element = known ? ` OR (${id} IS NULL AND ${layout.dialect.elementId("a")} ${test})` : "";
  const isStart = known ? `(${id} ${test}${element})` : `${id} ${test}`;
  const pattern = `${unwind}MATCH (a${common})${back}[r${types}]${on}(b${common})`;
  const where = whereOf(isStart, patterns.edgeCondition(rest, "r"));
  return patterns.toStatement(
    `${pattern}${where} WITH DISTINCT b RETURN ${patterns.nodeRow("b")} AS row${limitOf(undefined, query.caps)}`,
  );
}
