import type { FindQuery, PredicateTree } from "../gasl/types.js";
import type { Json } from "../types.js";
import { ConditionWriter, type ValueExpression } from "./condition.js";
import type { Dialect } from "./dialect.js";
import { quoteName } from "./names.js";
import {
  conjunctsOf,
  equalValues,
  type FieldTest,
  requiredTexts,
  withoutTest,
} from "./predicate.js";

/** Parametrised openCypher for the client of the host. */
export interface CypherStatement {
  text: string;
  /** All values of the query; the text contains none. */
  params: { [name: string]: Json };
}

/** Layout of a graph in a database. */
export interface GraphLayout {
  dialect: Dialect;
  /** Property with the id of a node. */
  idKey: string;
  /** Field with the label of a node. */
  labelField: string | undefined;
  /** Field with the type of a relation. */
  typeField: string;
  /** Label that all nodes have. */
  nodeLabel: string | undefined;
  /** Whether relations have a direction. */
  directed: boolean;
  /** Whether rows are sorted by id. */
  stable: boolean;
  /** Whether texts that are numbers are compared as numbers. */
  coerce: boolean;
}

/** Writer of the parts of one statement. */
export class PatternWriter {
  readonly layout: GraphLayout;
  readonly writer: ConditionWriter;

  constructor(layout: GraphLayout, caps: FindQuery["caps"]) {
    this.layout = layout;
    const ignoreCase = caps["case_sensitive"] !== true;
    const { toNumber } = layout.dialect;
    this.writer = new ConditionWriter({ ignoreCase, coerce: layout.coerce, toNumber });
  }

  toStatement(text: string): CypherStatement {
    return { text, params: this.writer.params };
  }

  /**
   * Returns a node pattern with the label that a condition requires, and the rest of the condition.
   * A label in the pattern lets the database use its index.
   */
  nodePattern(
    name: string,
    tree: PredicateTree,
    field = this.layout.labelField,
  ): [string, PredicateTree] {
    const common = this.layout.nodeLabel;
    const required = field === undefined ? undefined : requiredTexts(tree, field);
    const [label, ...others] = required?.texts ?? [];
    if (label !== undefined && others.length === 0)
      return [`(${name}:${quoteName(label)})`, withoutTest(tree, required?.test)];
    return [common === undefined ? `(${name})` : `(${name}:${quoteName(common)})`, tree];
  }

  /** Returns the types in a relation pattern, such as `:A|B`, and the rest of the condition. */
  relationTypes(tree: PredicateTree, field = this.layout.typeField): [string, PredicateTree] {
    const required = requiredTexts(tree, field);
    if (required === undefined) return ["", tree];
    const types = required.texts.map(quoteName).join("|");
    return [`:${types}`, withoutTest(tree, required.test)];
  }

  /**
   * Returns `UNWIND … AS name ` for the list of ids that a condition requires, with the test of an
   * id, and the rest of the condition. An index then finds one node after the other; without a
   * common label there is none, and the list stays in the condition.
   */
  listedIds(
    name: string,
    tree: PredicateTree,
    field: string,
  ): [string, ((id: string) => string) | undefined, PredicateTree] {
    const test = this.layout.nodeLabel === undefined ? undefined : listTest(tree, field);
    if (test === undefined) return ["", undefined, tree];
    const { elementIdPattern } = this.layout.dialect;
    const values = (test.value as Json[]).filter((one) => one !== null).flatMap(equalValues);
    if (values.some((one) => typeof one === "string" && elementIdPattern.test(one)))
      return ["", undefined, tree];
    const list = this.writer.addParam([...new Set(values)]);
    return [`UNWIND ${list} AS ${name} `, (id) => `${id} = ${name}`, withoutTest(tree, test)];
  }

  /** Returns the same for the ids of one end of relations, and the field of the end. */
  listedEnds(
    name: string,
    tree: PredicateTree,
  ): [string, ((id: string) => string) | undefined, PredicateTree, string] {
    for (const end of ["source", "target", "source.id", "target.id"]) {
      const [unwind, isListed, rest] = this.listedIds(name, tree, end);
      if (isListed !== undefined) return [unwind, isListed, rest, end];
    }
    return ["", undefined, tree, "source"];
  }

  nodeValue(name: string, field: string): ValueExpression {
    const { idKey, labelField } = this.layout;
    if (field === labelField) return { text: this.labelOf(name), kind: "label", variable: name };
    if (field === "id") return { text: `${name}.${quoteName(idKey)}`, kind: "id" };
    return { text: `${name}.${quoteName(field)}`, kind: "property" };
  }

  edgeValue(name: string, field: string): ValueExpression {
    if (field === "id") return { text: this.edgeId(name), kind: "id" };
    if (field === this.layout.typeField) return { text: `type(${name})`, kind: "type" };
    return { text: `${name}.${quoteName(field)}`, kind: "property" };
  }

  /** Returns the condition on a node, whose id may be the one that the database assigned. */
  nodeCondition(tree: PredicateTree, name: string, expected = true): string {
    const isId = (field: string) => field === "id";
    return this.writer.writeCondition(
      this.withElementIds(tree, isId),
      (field) =>
        this.elementIdField(field) === undefined
          ? this.nodeValue(name, field)
          : { text: this.layout.dialect.elementId(name), kind: "id" },
      expected,
    );
  }

  edgeCondition(tree: PredicateTree, name: string, expected = true): string {
    return this.writer.writeCondition(tree, (field) => this.edgeValue(name, field), expected);
  }

  /** Returns the field whose id of the database a test is about, or undefined for other fields. */
  elementIdField(field: string): string | undefined {
    return field.startsWith(ELEMENT_ID) ? field.slice(ELEMENT_ID.length) : undefined;
  }

  /** Adds to tests of an id that looks like one of the database the test of that id. */
  withElementIds(tree: PredicateTree, isId: (field: string) => boolean): PredicateTree {
    const each = (all: PredicateTree[]) => all.map((one) => this.withElementIds(one, isId));
    if ("all" in tree) return { all: each(tree.all) };
    if ("any" in tree) return { any: each(tree.any) };
    if ("not" in tree) return { not: this.withElementIds(tree.not, isId) };
    const { field, op, value } = tree;
    if (!isId(field) || (op !== "=" && op !== "IN")) return tree;
    const values = Array.isArray(value) ? value : [value as Json];
    const { elementIdPattern } = this.layout.dialect;
    const matching = values.filter((one) => typeof one === "string" && elementIdPattern.test(one));
    if (matching.length === 0) return tree;
    return { any: [tree, { field: `${ELEMENT_ID}${field}`, op: "IN", value: matching }] };
  }

  /** Returns the id of a node: its property, else the id of the database. */
  nodeId(name: string): string {
    return `coalesce(${name}.${quoteName(this.layout.idKey)}, ${this.layout.dialect.elementId(name)})`;
  }

  edgeId(name: string): string {
    return `coalesce(${name}.\`id\`, ${this.layout.dialect.elementId(name)})`;
  }

  /** Returns the label of a node that is not the label of all nodes. */
  labelOf(name: string): string {
    const { nodeLabel } = this.layout;
    if (nodeLabel === undefined) return `labels(${name})[0]`;
    return `[one IN labels(${name}) WHERE one <> ${this.writer.addParam(nodeLabel)}][0]`;
  }

  nodeRow(name: string): string {
    const { labelField } = this.layout;
    const labelled =
      labelField === undefined ? "" : `, ${quoteName(labelField)}: ${this.labelOf(name)}`;
    return `${name} {.*, \`id\`: ${this.nodeId(name)}${labelled}}`;
  }

  edgeRow(name: string, source: string, target: string): string {
    const ends = `\`source\`: ${this.nodeId(source)}, \`target\`: ${this.nodeId(target)}`;
    const type = `${quoteName(this.layout.typeField)}: type(${name})`;
    return `${name} {.*, \`id\`: ${this.edgeId(name)}, ${ends}, ${type}}`;
  }
}

/** Prefix of a field whose id of the database is tested. */
const ELEMENT_ID = "\u0000";

/** Returns the conjunct that requires one of several values of a field. */
function listTest(tree: PredicateTree, field: string): FieldTest | undefined {
  const isList = (one: PredicateTree): one is FieldTest =>
    "field" in one && one.field === field && one.op === "IN" && Array.isArray(one.value);
  return conjunctsOf(tree).find(isList);
}

/** Returns ` WHERE …` for conditions that are not always true. */
export function whereOf(...conditions: string[]): string {
  const needed = conditions.filter((one) => one !== "" && one !== "true");
  return needed.length === 0 ? "" : ` WHERE ${needed.join(" AND ")}`;
}

/**
 * Returns ` LIMIT n` for one row more than the limit, so that the caller sees that there is more.
 * The number is in the text, because not all databases accept an expression.
 */
export function limitOf(limit: number | undefined, caps: FindQuery["caps"]): string {
  const limits = [limit, caps["max_results"]].filter((one) => typeof one === "number");
  const least = Math.min(...limits);
  return Number.isSafeInteger(least) && least >= 0 ? ` LIMIT ${least + 1}` : "";
}
