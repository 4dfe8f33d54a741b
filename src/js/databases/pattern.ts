import type { FindQuery, PredicateTree } from "../gasl/types.js";
import type { Json } from "../types.js";
import { ConditionWriter, type ValueExpression } from "./condition.js";
import type { Dialect } from "./dialect.js";
import { quoteName } from "./names.js";
import {
  conjunctsOf,
  equalIds,
  type FieldTest,
  otherField,
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
  /** Whether parameters may be `BigInt`s. Set by the connection. */
  sendsBigInts: boolean;
  /** Fields with dates or other temporal values, which are compared as texts. Set with the schema. */
  temporalFields: ReadonlySet<string>;
}

/** Writer of the parts of one statement. */
export class PatternWriter {
  readonly layout: GraphLayout;
  readonly writer: ConditionWriter;
  /** Whether a pattern may find a node several times. */
  isRepeated = false;

  constructor(layout: GraphLayout, caps: FindQuery["caps"]) {
    this.layout = layout;
    const ignoreCase = caps["case_sensitive"] !== true;
    const { coerce, dialect, sendsBigInts } = layout;
    this.writer = new ConditionWriter({ ignoreCase, coerce, dialect, sendsBigInts });
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
    const isAllowed = this.layout.dialect.isComplete || required?.texts.length === 1;
    if (required === undefined || !isAllowed) return ["", tree];
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
    const { elementIdPattern, equatesTexts } = this.layout.dialect;
    const values = (test.value as Json[])
      .filter((one) => one !== null)
      .flatMap((one) => equalIds(one, this.layout.sendsBigInts));
    if (values.some((one) => typeof one === "string" && elementIdPattern.test(one)))
      return ["", undefined, tree];
    const hasNumbers = values.some((one) => typeof one === "number" || typeof one === "bigint");
    if (hasNumbers && equatesTexts) return ["", undefined, tree];
    // A number and its text may find the same node.
    if (hasNumbers) this.isRepeated = true;
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
    if (field === "id") return { text: this.property(name, idKey), kind: "id" };
    return this.fieldValue(name, field);
  }

  /** Returns the value of a property; that of a temporal one is its text, as the row shows it. */
  fieldValue(name: string, field: string): ValueExpression {
    const { dialect, temporalFields } = this.layout;
    const property = this.property(name, field);
    const text = temporalFields.has(field) ? dialect.temporalText?.(property) : undefined;
    return { text: text ?? property, kind: "property" };
  }

  /** Returns the expression of a property. */
  property(name: string, key: string): string {
    const owner = this.layout.dialect.isComplete ? name : `properties(${name})`;
    return `${owner}.${quoteName(key)}`;
  }

  edgeValue(name: string, field: string): ValueExpression {
    if (field === "id") return { text: this.edgeId(name), kind: "id" };
    if (field === this.layout.typeField) return { text: `type(${name})`, kind: "type" };
    return this.fieldValue(name, field);
  }

  /** Returns the condition on a node, whose id may be the one that the database assigned. */
  nodeCondition(tree: PredicateTree, name: string, expected = true): string {
    const isId = (field: string) => field === "id";
    return this.writer.writeCondition(
      this.withElementIds(tree, isId),
      (field) => this.assignedId(field, () => name) ?? this.nodeValue(name, field),
      expected,
    );
  }

  edgeCondition(tree: PredicateTree, name: string, expected = true): string {
    return this.writer.writeCondition(tree, (field) => this.edgeValue(name, field), expected);
  }

  /**
   * Returns the expression of a field that {@link withElementIds} has marked, or undefined for other
   * fields. `nodeOf` returns the variable of the node whose id the field has.
   */
  assignedId(field: string, nodeOf: (field: string) => string): ValueExpression | undefined {
    const name = () => nodeOf(field.slice(1));
    if (field.startsWith(ELEMENT_ID))
      return { text: this.layout.dialect.elementId(name()), kind: "id" };
    return field.startsWith(ANY_ID) ? { text: this.nodeId(name()), kind: "id" } : undefined;
  }

  /** Adds to tests of an id those of the id that the database assigns to a node without one. */
  withElementIds(tree: PredicateTree, isId: (field: string) => boolean): PredicateTree {
    const each = (all: PredicateTree[]) => all.map((one) => this.withElementIds(one, isId));
    if ("all" in tree) return { all: each(tree.all) };
    if ("any" in tree) return { any: each(tree.any) };
    if ("not" in tree) return { not: this.withElementIds(tree.not, isId) };
    const { field, op, value } = tree;
    const other = otherField(value);
    const isOtherId = other !== undefined && isId(other);
    if (!isId(field) && !isOtherId) return tree;
    if (op === "IS NULL") return { any: [] };
    if (op === "IS NOT NULL" || op === "EXISTS") return { all: [] };
    const isEquality = op === "=" || op === "IN";
    if (other === undefined && (op === "!=" || op === "NOT IN")) {
      const positive = { ...tree, op: op === "!=" ? "=" : "IN" } as PredicateTree;
      return { not: this.withElementIds(positive, isId) };
    }
    if (!isEquality || other !== undefined) {
      // Rows in a stable order all have an id, which an index serves.
      if (this.layout.stable) return tree;
      const marked = isId(field) ? `${ANY_ID}${field}` : field;
      const right = isOtherId ? { field: `${ANY_ID}${other}` } : value;
      return { field: marked, op, ...(right !== undefined && { value: right }) } as PredicateTree;
    }
    const values = Array.isArray(value) ? value : [value as Json];
    const { elementIdPattern } = this.layout.dialect;
    const matching = values.filter((one) => typeof one === "string" && elementIdPattern.test(one));
    if (matching.length === 0) return tree;
    const isAssigned: PredicateTree[] = [
      { field, op: "IS NULL" },
      { field: `${ELEMENT_ID}${field}`, op: "IN", value: matching },
    ];
    return { any: [tree, { all: isAssigned }] };
  }

  /** Returns the id of a node: its property, else the id of the database. */
  nodeId(name: string): string {
    return `coalesce(${this.property(name, this.layout.idKey)}, ${this.layout.dialect.elementId(name)})`;
  }

  edgeId(name: string): string {
    return `coalesce(${this.property(name, "id")}, ${this.layout.dialect.elementId(name)})`;
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

/** Prefix of a field whose id is tested, be it a property or that of the database. */
const ANY_ID = "\u0001";

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
