import type { DegreeQuery, PredicateTree, RowSource, ValuesQuery } from "../gasl/types.js";
import { edgePattern, nodePattern, SOURCE_FIELDS } from "./find.js";
import { quoteName } from "./names.js";
import { type CypherStatement, type GraphLayout, limitOf, PatternWriter } from "./pattern.js";

/** Number of nodes and relations whose keys are listed. */
const SAMPLE_SIZE = 10_000;

/** Writes the list of the keys of some nodes or relations. A key of temporal values is a list of one. */
export function listKeys(layout: GraphLayout, kind: RowSource["kind"]): CypherStatement {
  const patterns = new PatternWriter(layout, {});
  const [match, name] =
    kind === "nodes" ? [nodePattern(patterns, ALL_ROWS).text, "n"] : ["MATCH ()-[r]->()", "r"];
  const { temporalText } = layout.dialect;
  const keys = `${match} WITH ${name} LIMIT ${SAMPLE_SIZE} UNWIND keys(${name}) AS key`;
  if (temporalText === undefined) return patterns.toStatement(`${keys} RETURN DISTINCT key AS row`);
  const row = `CASE WHEN ${temporalText("value")} <> value THEN [key] ELSE key END`;
  return patterns.toStatement(
    `${keys} WITH key, ${name}[key] AS value RETURN DISTINCT ${row} AS row`,
  );
}

const ALL_ROWS: PredicateTree = { all: [] };

/** Writes the list of the distinct values of a field. */
export function listValues(layout: GraphLayout, query: ValuesQuery): CypherStatement {
  const patterns = new PatternWriter(layout, query.caps);
  const write = query.of === "nodes" ? nodePattern : edgePattern;
  const { text, fieldOf } = write(patterns, { field: query.field, op: "IS NOT NULL" });
  const { text: value } = fieldOf(query.field);
  return patterns.toStatement(`${text} RETURN DISTINCT ${value} AS row LIMIT ${query.limit}`);
}

/** Writes the degrees of nodes. A loop is counted at both ends. */
export function measureDegree(
  layout: GraphLayout,
  { measure, ids, weight, caps }: DegreeQuery,
): CypherStatement {
  const patterns = new PatternWriter(layout, caps);
  const where: PredicateTree = ids === undefined ? ALL_ROWS : { field: "id", op: "IN", value: ids };
  const { text } = nodePattern(patterns, where);
  const sum = (edge: string) =>
    weight === undefined
      ? `count(${edge})`
      : `sum(CASE WHEN ${edge} IS NULL THEN 0 ELSE coalesce(${edge}.${quoteName(weight)}, 1) END)`;
  const outgoing = `OPTIONAL MATCH (n)-[o]->() WITH n, ${sum("o")} AS outs`;
  const incoming = `OPTIONAL MATCH (n)<-[i]-() WITH n, ${measure === "in_degree" ? "" : "outs, "}${sum("i")} AS ins`;
  const [steps, value] = {
    degree: [`${outgoing} ${incoming}`, "outs + ins"],
    in_degree: [incoming, "ins"],
    out_degree: [outgoing, "outs"],
  }[measure] as [string, string];
  const sources = SOURCE_FIELDS.map((field) => `${field}: n.${field}`).join(", ");
  const row = `{\`id\`: ${patterns.nodeId("n")}, ${quoteName(measure)}: ${value}, sources: [{${sources}}]}`;
  return patterns.toStatement(`${text} ${steps} RETURN ${row} AS row${limitOf(undefined, caps)}`);
}
