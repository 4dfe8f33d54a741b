import type { AggregateColumn, DeriveQuery, PredicateTree, RowSource } from "../gasl/types.js";
import type { Dialect } from "./dialect.js";
import { edgePattern, nodePattern, type RowPattern } from "./find.js";
import { quoteName } from "./names.js";
import {
  type CypherStatement,
  type GraphLayout,
  limitOf,
  PatternWriter,
  whereOf,
} from "./pattern.js";
import { largeInteger } from "./predicate.js";

function patternOf(patterns: PatternWriter, { kind, where }: RowSource, suffix = ""): RowPattern {
  const write = kind === "nodes" ? nodePattern : edgePattern;
  return write(patterns, where as PredicateTree, suffix);
}

/**
 * Writes the statement of a derived query. `sourceFields` are the fields of the rows that name
 * their sources.
 */
export function deriveRows(
  layout: GraphLayout,
  query: DeriveQuery,
  sourceFields: readonly string[],
): CypherStatement {
  const patterns = new PatternWriter(layout, query.caps);
  const left = patternOf(patterns, query);
  const { text, match, condition, name, variables, row, fieldOf, outputOf, key } = left;
  const cap = limitOf(undefined, query.caps);
  switch (query.what) {
    case "count":
      // FalkorDB counts parallel relations once in `count(*)`.
      return patterns.toStatement(`${text} RETURN count(${name}) AS row`);
    case "group":
      return patterns.toStatement(
        `${text} ${writeGroups(query.by, query.aggregates, outputOf, sourceFields, layout.dialect, name)}${cap}`,
      );
    case "rank": {
      // Numbers come before texts, other values and missing ones, as in memory. Booleans and lists
      // have no order.
      const value = outputOf(query.by);
      const number = layout.dialect.toNumber("value");
      const { order } = query;
      const keys = `number IS NULL, number ${order}, ordered IS NULL, ordered ${order}, value IS NULL`;
      const ordered =
        "CASE WHEN value IN [true, false] OR value = [] + value THEN null ELSE value END";
      const values = `WITH ${variables}, ${value} AS value WITH ${variables}, value, ${number} AS number, ${ordered} AS ordered`;
      const first = `ORDER BY ${keys} LIMIT ${query.limit}`;
      // AGE cannot sort a WITH by its own columns; others build rows only after the limit.
      return patterns.toStatement(
        layout.dialect.isComplete
          ? `${text} ${values} ${first} RETURN ${row} AS row`
          : `${text} ${values} RETURN ${row} AS row ${first}`,
      );
    }
    case "fields": {
      const limit = limitOf(query.limit, query.caps);
      const values = query.fields.map(([from, to]) => `${quoteName(to)}: ${outputOf(from)}`);
      const sources = sourceMap(sourceFields, outputOf);
      const named = `{values: {${values.join(", ")}}, sources: [${sources}]}`;
      return patterns.toStatement(`${text} RETURN ${named} AS row${limit}`);
    }
    case "distinct": {
      const limit = limitOf(query.limit, query.caps);
      const grouped = writeGroups(query.fields, [], outputOf, sourceFields, layout.dialect, name);
      return patterns.toStatement(`${text} ${grouped}${limit}`);
    }
    case "page": {
      // Plain ids can be served by an index, and `stable` says that all rows have one.
      const id = patterns.layout.stable ? fieldOf("id").text : key;
      const large = layout.sendsBigInts ? largeInteger(query.after) : undefined;
      const afters = [query.after, large]
        .filter((one) => one !== undefined)
        .map((one) => patterns.writer.after(id, ">", one));
      const after = afters.length > 1 ? `(${afters.join(" OR ")})` : (afters[0] ?? "");
      const where = whereOf(after, condition);
      const skip = Number.isSafeInteger(query.offset) ? ` SKIP ${query.offset}` : "";
      const limit = Number.isSafeInteger(query.limit) ? ` LIMIT ${query.limit}` : "";
      return patterns.toStatement(
        `${match}${where}${left.distinct} RETURN ${row} AS row ORDER BY ${id}${skip}${limit}`,
      );
    }
    case "join":
      return writeJoin(patterns, query.on, left, query.right, cap);
  }
}

/** Maximum number of sources of a group. */
const MAX_SOURCES = 100;

function sourceMap(fields: readonly string[], valueOfField: (field: string) => string): string {
  return fields.length === 0
    ? ""
    : `{${fields.map((field) => `${field}: ${valueOfField(field)}`).join(", ")}}`;
}

/**
 * Writes groups of rows with their aggregates, the numbers of values left out, and their first
 * sources.
 */
function writeGroups(
  by: readonly (string | [from: string, to: string])[],
  aggregates: AggregateColumn[],
  outputOf: RowPattern["outputOf"],
  sourceFields: readonly string[],
  { toNumber }: Dialect,
  variable: string,
): string {
  const fields = by.map((field) => (typeof field === "string" ? [field, field] : field));
  const names = fields.map((_, index) => `k${index}`);
  const inputs = [
    ...fields.map(([from], index) => `${outputOf(from as string)} AS k${index}`),
    ...sourceFields.map((field) => `${outputOf(field)} AS s_${field}`),
  ];
  const computed = aggregates.map((one, index) => writeAggregate(one, index, outputOf, toNumber));
  const source = sourceMap(sourceFields, (field) => `s_${field}`);
  const sources = source === "" ? [] : [`collect(DISTINCT ${source}) AS sources`];
  const columns = [
    ...fields.map(([, to], index) => `${quoteName(to as string)}: k${index}`),
    ...aggregates.map(({ as }, index) => `${quoteName(as)}: ${computed[index]?.value}`),
  ];
  const left = computed.map(({ leftOut }) => leftOut).join(", ");
  const values = [...inputs, ...computed.flatMap((one) => one.inputs)];
  // FalkorDB counts parallel relations once in a `count(*)` right after the pattern.
  const first = `WITH ${(values.length === 0 ? [variable] : values).join(", ")} `;
  const outputs = [...names, ...computed.flatMap(({ results }) => results), ...sources];
  const counted = outputs.length === names.length ? [...names, "count(*) AS rows"] : outputs;
  const more = sources.length > 0 ? `, sources: sources[0..${MAX_SOURCES}]` : "";
  return `${first}WITH ${counted.join(", ")} RETURN {values: {${columns.join(", ")}}, left_out: [${left}]${more}} AS row`;
}

/** Parts of a statement that compute an aggregate. */
interface ComputedAggregate {
  /** Values of each row. */
  inputs: string[];
  /** Aggregates of a group. */
  results: string[];
  /** Expressions of the result, and of the number of values that it leaves out. */
  value: string;
  leftOut: string;
}

function writeAggregate(
  { function: name, of }: AggregateColumn,
  index: number,
  outputOf: RowPattern["outputOf"],
  toNumber: Dialect["toNumber"],
): ComputedAggregate {
  const [value, number] = [`v${index}`, `w${index}`];
  const all = `count(${value}) AS c${index}`;
  const numbers = `count(${number}) AS d${index}`;
  const leftOut = `c${index} - d${index}`;
  const result = (text: string) => `${text} AS a${index}`;
  if (of === undefined) {
    return { inputs: [], results: [result("count(*)")], value: `a${index}`, leftOut: "0" };
  }
  const text = outputOf(of);
  const ofValues = (aggregated: string): ComputedAggregate => ({
    inputs: [`${text} AS ${value}`],
    results: [result(aggregated)],
    value: `a${index}`,
    leftOut: "0",
  });
  const inputs = [`${text} AS ${value}`, `${toNumber(text)} AS ${number}`];
  const ofNumbers = (aggregated: string, shown: string): ComputedAggregate => ({
    inputs,
    results: [result(aggregated), all, numbers],
    value: shown,
    leftOut,
  });
  switch (name) {
    case "count":
      return ofValues(`count(${value})`);
    case "distinct":
      return ofValues(`count(DISTINCT ${value})`);
    case "list":
      return ofValues(`collect(${value})`);
    case "sum":
      return ofNumbers(`sum(${number})`, `coalesce(a${index}, 0)`);
    case "avg":
      return ofNumbers(`avg(${number})`, `a${index}`);
    case "min":
    case "max":
      // If there are numbers, other values are left out.
      return {
        inputs,
        results: [
          result(`${name}(${number})`),
          `${name}(${value}) AS b${index}`,
          ...[all, numbers],
        ],
        value: `CASE WHEN d${index} > 0 THEN a${index} ELSE b${index} END`,
        leftOut: `CASE WHEN d${index} > 0 THEN ${leftOut} ELSE 0 END`,
      };
  }
}

/** Writes pairs of rows with equal values as `{left, right}`. */
function writeJoin(
  patterns: PatternWriter,
  [leftField, rightField]: [string, string],
  left: RowPattern,
  source: RowSource,
  cap: string,
): CypherStatement {
  const right = patternOf(patterns, source, "2");
  const isEqual = `${right.fieldOf(rightField).text} = ${left.fieldOf(leftField).text}`;
  const where = right.condition === "" ? "" : ` AND ${right.condition}`;
  const distinct =
    right.distinct === "" ? "" : ` WITH DISTINCT ${left.variables}, ${right.variables}`;
  return patterns.toStatement(
    `${left.text} ${right.match} WHERE ${isEqual}${where}${distinct} WITH ${left.row} AS left, ${right.row} AS right RETURN {left: left, right: right} AS row${cap}`,
  );
}
