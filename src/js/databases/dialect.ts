/** Dialects of openCypher. */
export type DialectName = "neo4j" | "arcadedb" | "falkordb" | "grafeo" | "age";

/** Differences between databases that a statement depends on. */
export interface Dialect {
  /** Returns the id that the database assigns to a node or relation, as text. */
  elementId: (variable: string) => string;
  /** Texts that {@link Dialect.elementId} may return for a node. */
  elementIdPattern: RegExp;
  /** Returns the number of a value: null for a text that is not a number, and for other values. */
  toNumber: (value: string) => string;
  /** Whether a name may contain backticks, which are doubled in a statement. */
  hasBackticks: boolean;
  /** Whether an integer equals each text that spells it, such as `007`. */
  equatesTexts: boolean;
  /**
   * Whether conditions may contain `all(…)`, `any(…)`, `n:Label`, properties of list items, several
   * relation types, and `coalesce` of tests. A comparison of a text with a number is then null.
   */
  isComplete: boolean;
  /** Whether an index finds all texts after another; that of FalkorDB leaves out `é` after `e`. */
  hasTextIndex: boolean;
  /** Form of a search for a shortest path, if there is one. */
  shortestPath: "match" | "with" | undefined;
  /** Whether the conditions after `shortestPath` restrict the search instead of filtering its result. */
  filtersShortestPaths: boolean;
}

/** Returns a number unless it is infinite or NaN, whose difference with itself is not zero. */
const finite = (number: string, ...tests: string[]) =>
  `CASE WHEN ${[`${number} - ${number} = 0`, ...tests].join(" AND ")} THEN ${number} END`;

/** Java reads `3d`, `3f` and `0x1p3` as numbers. Only texts, which equal no number, are searched. */
const javaNumber = (value: string) => {
  const number = `toFloatOrNull(${value})`;
  const isDecimal = `NOT coalesce(toStringOrNull(${value}) =~ '.*[dfxDFX].*', false)`;
  return finite(number, `(${number} = ${value} OR ${isDecimal})`);
};

/** C reads `0x10` as a number. */
const cNumber = (value: string) => {
  const number = `toFloatOrNull(${value})`;
  const isDecimal = `NOT coalesce(toLower(toStringOrNull(${value})) CONTAINS 'x', false)`;
  return finite(number, `(${number} = ${value} OR ${isDecimal})`);
};
const castNumber = (value: string) => finite(`toFloat(toString(${value}))`);
const internalId = (variable: string) => `('#' + toString(id(${variable})))`;
const elementId = (variable: string) => `elementId(${variable})`;

export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  neo4j: {
    elementId,
    elementIdPattern: /^\d+:[0-9a-f-]+:\d+$/,
    toNumber: javaNumber,
    hasBackticks: true,
    equatesTexts: false,
    isComplete: true,
    hasTextIndex: true,
    shortestPath: "match",
    filtersShortestPaths: true,
  },
  arcadedb: {
    elementId,
    elementIdPattern: /^#\d+:\d+$/,
    toNumber: javaNumber,
    hasBackticks: true,
    equatesTexts: false,
    isComplete: true,
    hasTextIndex: true,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  falkordb: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    toNumber: cNumber,
    hasBackticks: false,
    equatesTexts: false,
    isComplete: true,
    hasTextIndex: false,
    shortestPath: "with",
    filtersShortestPaths: false,
  },
  grafeo: {
    elementId,
    elementIdPattern: /^n:\d+$/,
    toNumber: castNumber,
    hasBackticks: false,
    equatesTexts: true,
    isComplete: true,
    hasTextIndex: true,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  age: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    toNumber: castNumber,
    hasBackticks: true,
    equatesTexts: false,
    isComplete: false,
    hasTextIndex: true,
    shortestPath: undefined,
    filtersShortestPaths: false,
  },
};
