import {
  assertFunction,
  assertOptionTypes,
  assertString,
  describeType,
  throwMisuse,
} from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import type {
  DegreeQuery,
  FindQuery,
  GraphAdapter,
  PathQuery,
  PredicateTree,
  ShortestPathQuery,
} from "./types.js";

/** Parametrised openCypher for the client of the host. */
export interface CypherStatement {
  text: string;
  /** All values of the query; the text contains none. */
  params: { [name: string]: Json };
}

export interface CypherOptions {
  /** Runs a statement and returns its rows, each an object with the returned columns. */
  run: (statement: CypherStatement, signal: AbortSignal) => Promise<{ [name: string]: Json }[]>;
  /** Property with the id of a node; `id` by default. */
  idKey?: string;
  /** Field with the label of a node, such as `entity_type`. */
  labelField?: string;
  /** Field with the type of a relation; `type` by default. */
  typeField?: string;
}

const OPTION_ASSERTIONS = {
  run: assertFunction,
  idKey: assertString,
  labelField: assertString,
  typeField: assertString,
};

/** Prefixes of fields of a path. */
const PATH_PARTS = new Set(["start", "source", "end", "target", "edge", "node"]);

/** Valid labels, types and keys. They are quoted as well. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Creates an adapter for a database with openCypher, such as Neo4j with `neo4j-driver`. It runs the
 * same commands as a graph in memory; values are parameters, never text.
 */
export function cypherAdapter(options: CypherOptions): GraphAdapter {
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `cypherAdapter`", ["run"]);
  const write = (body: (text: StatementBuilder) => string): CypherStatement => {
    const text = new StatementBuilder(options);
    return { text: body(text), params: text.params };
  };
  const rows = async (statement: CypherStatement, signal: AbortSignal) => {
    const answer: unknown = await options.run(statement, signal);
    const areRows =
      Array.isArray(answer) && answer.every((row) => isJsonObject(row) && "row" in row);
    if (areRows) return answer.map((row) => toPlainRow(row["row"] ?? null));
    const help = "with `neo4j-driver`, return `records.map((one) => one.toObject())`";
    throw new Error(
      `expected \`run\` to return a list of objects with \`row\`, found ${describeType(answer)}: ${help}`,
    );
  };
  return {
    findNodes: (query, signal) =>
      rows(
        write((text) => text.nodes(query)),
        signal,
      ),
    findEdges: (query, signal) =>
      rows(
        write((text) => text.edges(query)),
        signal,
      ),
    findPaths: (query, signal) =>
      rows(
        write((text) => text.paths(query)),
        signal,
      ),
    async findShortestPaths(query, signal) {
      if (query.weight !== undefined) {
        return { unsupported: "openCypher has no shortest paths with weights; leave WEIGHT out" };
      }
      return rows(
        write((text) => text.shortestPaths(query)),
        signal,
      );
    },
    measureDegree: (query, signal) =>
      rows(
        write((text) => text.degrees(query)),
        signal,
      ),
    async getNode(id) {
      const where = { field: "id", op: "=", value: id };
      const statement = write((text) => text.nodes({ where, limit: 1, caps: {} }));
      return (await rows(statement, new AbortController().signal))[0] ?? null;
    },
  };
}

/** Test of one field. */
type FieldTest = Extract<PredicateTree, { field: string }>;

/** Variable of a Cypher statement, such as `a` in `(a)-[r]->(b)`. */
interface StatementVariable {
  name: string;
  kind: "node" | "edge";
}

/** Builder of one statement. */
class StatementBuilder {
  readonly params: { [name: string]: Json } = {};
  readonly #idKey: string;
  readonly #labelField: string | undefined;
  readonly #typeField: string;
  #ignoreCase = true;

  constructor({ idKey = "id", labelField, typeField = "type" }: CypherOptions) {
    this.#idKey = idKey;
    this.#labelField = labelField;
    this.#typeField = typeField;
  }

  nodes({ where, limit, caps }: FindQuery): string {
    this.#ignoreCase = caps["case_sensitive"] !== true;
    const condition = this.#condition(where as PredicateTree, (field) => [
      nodeVariable("n"),
      field,
    ]);
    return `MATCH (n) WHERE ${condition} RETURN ${this.#nodeRow("n")} AS row${this.#limit(limit, caps)}`;
  }

  edges({ where, limit, caps }: FindQuery): string {
    this.#ignoreCase = caps["case_sensitive"] !== true;
    const condition = this.#condition(where as PredicateTree, (field) => {
      const [first, rest] = splitPrefix(field);
      if (first === "source" || first === "start") return [nodeVariable("a"), rest];
      if (first === "target" || first === "end") return [nodeVariable("b"), rest];
      if (field === "source") return [nodeVariable("a"), "id"];
      if (field === "target") return [nodeVariable("b"), "id"];
      return [{ name: "r", kind: "edge" }, field];
    });
    const row = `r {.*, id: elementId(r), source: a.${this.#id()}, target: b.${this.#id()}, ${quoteName(this.#typeField)}: type(r)}`;
    return `MATCH (a)-[r]->(b) WHERE ${condition} RETURN ${row} AS row${this.#limit(limit, caps)}`;
  }

  paths(query: PathQuery): string {
    this.#ignoreCase = query.caps["case_sensitive"] !== true;
    const { maxLength, direction, limit, caps } = query;
    if (!Number.isInteger(maxLength) || maxLength < 1)
      throwMisuse("expected the length of a path to be a positive integer");
    const [back, on] = arrowOf(direction);
    const conditionOn = (tree: Json, variable: StatementVariable) =>
      this.#condition(tree as PredicateTree, (field) => [variable, field]);
    const edge: StatementVariable = { name: "e", kind: "edge" };
    const conditions = [
      "a <> b",
      // A simple path has no repeated node.
      "all(i IN range(0, size(nodes(p)) - 2) WHERE NOT nodes(p)[i] IN nodes(p)[i + 1..])",
      conditionOn(query.start, nodeVariable("a")),
      conditionOn(query.end, nodeVariable("b")),
      `all(e IN relationships(p) WHERE ${conditionOn(query.edge, edge)})`,
      `all(n IN nodes(p)[1..-1] WHERE ${conditionOn(query.node, nodeVariable("n"))})`,
      this.#pathFilter((query as unknown as { finished?: PredicateTree }).finished),
    ];
    return `MATCH p = (a)${back}[*1..${maxLength}]${on}(b) WHERE ${conditions.join(" AND ")} RETURN ${this.#pathRow()} AS row${this.#limit(limit, caps)}`;
  }

  /** Writes the search for one shortest path of each pair of start and end. */
  shortestPaths(query: ShortestPathQuery): string {
    this.#ignoreCase = query.caps["case_sensitive"] !== true;
    const { maxLength, direction, limit, caps } = query;
    const [back, on] = arrowOf(direction);
    const conditionOn = (tree: Json, variable: StatementVariable) =>
      this.#condition(tree as PredicateTree, (field) => [variable, field]);
    const ends = [
      "a <> b",
      conditionOn(query.start, nodeVariable("a")),
      conditionOn(query.end, nodeVariable("b")),
    ];
    const edge: StatementVariable = { name: "e", kind: "edge" };
    const conditions = [
      `all(e IN relationships(p) WHERE ${conditionOn(query.edge, edge)})`,
      `all(n IN nodes(p)[1..-1] WHERE ${conditionOn(query.node, nodeVariable("n"))})`,
      this.#pathFilter((query as unknown as { finished?: PredicateTree }).finished),
    ];
    const most = maxLength === null ? "" : `1..${maxLength}`;
    return `MATCH (a), (b) WHERE ${ends.join(" AND ")} MATCH p = shortestPath((a)${back}[*${most}]${on}(b)) WHERE ${conditions.join(" AND ")} RETURN ${this.#pathRow()} AS row${this.#limit(limit, caps)}`;
  }

  /** Writes the degrees of nodes. A loop is counted at both ends. */
  degrees({ measure, ids, weight, caps }: DegreeQuery): string {
    const nodes = ids === undefined ? "" : ` WHERE n.${this.#id()} IN ${this.#param(ids)}`;
    const sum = (edge: string) =>
      weight === undefined
        ? `count(${edge})`
        : `sum(CASE WHEN ${edge} IS NULL THEN 0 ELSE coalesce(${edge}.${quoteName(weight)}, 1) END)`;
    const outgoing = `OPTIONAL MATCH (n)-[o]->() WITH n, ${sum("o")} AS outs`;
    const incoming = `OPTIONAL MATCH (n)<-[i]-() WITH n, outs, ${sum("i")} AS ins`;
    const value = { degree: "outs + ins", in_degree: "ins", out_degree: "outs" }[measure];
    const row = `{id: n.${this.#id()}, ${measure}: ${value}}`;
    return `MATCH (n)${nodes} ${outgoing} ${incoming} RETURN ${row} AS row${this.#limit(undefined, caps)}`;
  }

  #pathRow(): string {
    return `{start: a.${this.#id()}, end: b.${this.#id()}, nodes: [n IN nodes(p) | n.${this.#id()}], edges: [e IN relationships(p) | elementId(e)], length: length(p)}`;
  }

  /** Returns the condition on complete paths: every edge, every inner node, both ends. */
  #pathFilter(tree: PredicateTree | undefined): string {
    if (tree === undefined) return "true";
    return this.#walk(tree, ({ field, op, value }) => {
      const other = otherField(value);
      if (other === undefined)
        return this.#everyValue(field, "", (left) => this.#test(left, op, value));
      const [part, rest] = splitPart(field);
      const [otherPart, otherRest] = splitPart(other);
      // Fields of one edge, one inner node or one end are compared with each other.
      if (part === otherPart && field !== "length" && other !== "length")
        return this.#everyRow(part, "", (row) =>
          this.#compare(this.#value(row, rest), op, this.#value(row, otherRest)),
        );
      return this.#everyValue(field, "", (left) =>
        this.#everyValue(other, "2", (right) => this.#compare(left, op, right)),
      );
    });
  }

  /** Returns a test of all values that a field has in a path. */
  #everyValue(field: string, suffix: string, test: (value: string) => string): string {
    if (field === "length") return test("length(p)");
    const [part, rest] = splitPart(field);
    return this.#everyRow(part, suffix, (row) => test(this.#value(row, rest)));
  }

  /** Returns a test of all rows of a part of a path; without a part, of both ends. */
  #everyRow(part: string, suffix: string, test: (row: StatementVariable) => string): string {
    const every = (list: string, row: StatementVariable) =>
      `all(${row.name} IN ${list} WHERE ${test(row)})`;
    if (part === "start" || part === "source") return test(nodeVariable("a"));
    if (part === "end" || part === "target") return test(nodeVariable("b"));
    if (part === "edge") return every("relationships(p)", { name: `e${suffix}`, kind: "edge" });
    if (part === "node") return every("nodes(p)[1..-1]", nodeVariable(`n${suffix}`));
    return `(${test(nodeVariable("a"))} AND ${test(nodeVariable("b"))})`;
  }

  #condition(
    tree: PredicateTree,
    variableOf: (field: string) => [StatementVariable, string],
  ): string {
    return this.#walk(tree, ({ field, op, value }) => {
      const left = this.#value(...variableOf(field));
      const other = otherField(value);
      if (other === undefined) return this.#test(left, op, value);
      return this.#compare(left, op, this.#value(...variableOf(other)));
    });
  }

  #walk(tree: PredicateTree, leaf: (test: FieldTest) => string): string {
    const joined = (all: PredicateTree[], word: string, none: string) =>
      all.length === 0 ? none : `(${all.map((one) => this.#walk(one, leaf)).join(` ${word} `)})`;
    if ("all" in tree) return joined(tree.all, "AND", "true");
    if ("any" in tree) return joined(tree.any, "OR", "false");
    // Unknown (null) counts as false, and its negation as true.
    if ("not" in tree) return `NOT coalesce(${this.#walk(tree.not, leaf)}, false)`;
    return leaf(tree);
  }

  #test(value: string, op: string, expected: Json | undefined): string {
    switch (op) {
      case "EXISTS":
      case "IS NOT NULL":
        return `${value} IS NOT NULL`;
      case "IS NULL":
        return `${value} IS NULL`;
      case "!=":
        return `coalesce(${value} <> ${this.#param(expected)}, true)`;
      case "NOT IN":
        return `NOT coalesce(${value} IN ${this.#param(expected)}, false)`;
      case "CONTAINS":
      case "STARTS_WITH":
      case "ENDS_WITH":
        return this.#textTest(value, op, this.#param(expected));
      case "=":
      case ">":
      case ">=":
      case "<":
      case "<=":
      case "IN":
        return `coalesce(${value} ${op} ${this.#param(expected)}, false)`;
      default:
        return throwMisuse(`unknown operator \`${op}\``);
    }
  }

  /** Compares two values of the database; a missing one fails. */
  #compare(left: string, op: string, right: string): string {
    switch (op) {
      case "CONTAINS":
      case "STARTS_WITH":
      case "ENDS_WITH":
        return this.#textTest(left, op, right);
      case "!=":
        return `coalesce(${left} <> ${right}, false)`;
      case "=":
      case ">":
      case ">=":
      case "<":
      case "<=":
        return `coalesce(${left} ${op} ${right}, false)`;
      default:
        return throwMisuse(`unknown operator \`${op}\``);
    }
  }

  #textTest(left: string, op: string, right: string): string {
    const fold = (text: string) =>
      this.#ignoreCase ? `toLower(toString(${text}))` : `toString(${text})`;
    return `coalesce(${fold(left)} ${op.replace("_", " ")} ${fold(right)}, false)`;
  }

  #value({ name, kind }: StatementVariable, field: string): string {
    if (kind === "edge") {
      if (field === "id") return `elementId(${name})`;
      return field === this.#typeField ? `type(${name})` : `${name}.${quoteName(field)}`;
    }
    if (field === this.#labelField) return `labels(${name})[0]`;
    return field === "id" ? `${name}.${this.#id()}` : `${name}.${quoteName(field)}`;
  }

  #nodeRow(name: string): string {
    const label = this.#labelField;
    const labelled = label === undefined ? "" : `, ${quoteName(label)}: labels(${name})[0]`;
    return `${name} {.*, id: ${name}.${this.#id()}${labelled}}`;
  }

  #id(): string {
    return quoteName(this.#idKey);
  }

  #param(value: Json | undefined): string {
    const name = `p${Object.keys(this.params).length}`;
    this.params[name] = value ?? null;
    return `$${name}`;
  }

  /**
   * Requests one row more than the limit, so that the caller sees that there is more. Some drivers,
   * such as `neo4j-driver`, send numbers as floats, which LIMIT rejects.
   */
  #limit(limit: number | undefined, caps: FindQuery["caps"]): string {
    const limits = [limit, caps["max_results"]].filter((one) => typeof one === "number");
    return limits.length === 0 ? "" : ` LIMIT toInteger(${this.#param(Math.min(...limits) + 1)})`;
  }
}

/** Converts the integer objects of drivers, such as the default of `neo4j-driver`, to numbers. */
function toPlainRow(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toPlainRow);
  if (ArrayBuffer.isView(value)) return Array.from(value as never, Number);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const { low, high, ...others } = value;
    const halves = typeof low === "number" && typeof high === "number";
    if (halves && Object.keys(others).length === 0) return high * 2 ** 32 + (low >>> 0);
    // Other classes, such as dates, are serialised by `toJSON` or `toString`.
    const isJson = typeof value["toJSON"] === "function";
    const text = isJson ? "[object" : String(value);
    return text.startsWith("[object") ? value : text;
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlainRow(part)]));
}

/** Returns the parts of a pattern before and after the brackets of a relation. */
function arrowOf(direction: PathQuery["direction"]): [string, string] {
  if (direction === "any") return ["-", "-"];
  return direction === "in" ? ["<-", "-"] : ["-", "->"];
}

function nodeVariable(name: string): StatementVariable {
  return { name, kind: "node" };
}

/** Returns the other field of a comparison, or undefined for a value. */
function otherField(value: FieldTest["value"]): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const { field } = value;
  return typeof field === "string" ? field : undefined;
}

/** Splits `edge.weight` into the part of a path and its field; a field of both ends has no part. */
function splitPart(field: string): [string, string] {
  const [first, rest] = splitPrefix(field);
  return PATH_PARTS.has(first) ? [first, rest] : ["", field];
}

/** Splits `source.name` into `source` and `name`. */
function splitPrefix(field: string): [string, string] {
  const dot = field.indexOf(".");
  return dot < 0 ? ["", field] : [field.slice(0, dot), field.slice(dot + 1)];
}

/** Quotes a valid name in backticks. Throws for any other. */
function quoteName(name: string): string {
  if (!NAME.test(name))
    throwMisuse(`invalid Cypher name ${JSON.stringify(name)}: use letters, digits and _`);
  return `\`${name}\``;
}
