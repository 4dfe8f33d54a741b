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
  /** Returns a date or another temporal value as the text that its row shows, and other values unchanged. */
  temporalText: ((value: string) => string) | undefined;
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

/** Regular expression of the texts that are numbers in memory: those of JSON, with white space around them. */
const NUMERIC = "'^\\\\s*-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?\\\\s*$'";

/** Returns a number unless it is infinite or NaN, whose difference with itself is not zero. */
const finite = (number: string, test: string) =>
  `CASE WHEN ${number} - ${number} = 0 AND ${test} THEN ${number} END`;

/** Databases read `007`, `+7`, `.5` and `3d` as numbers. Only texts, which equal no number, are searched. */
const javaNumber = (value: string) => {
  const number = `toFloatOrNull(${value})`;
  const isNumeric = `coalesce(toStringOrNull(${value}) =~ ${NUMERIC}, false)`;
  return finite(number, `(${number} = ${value} OR ${isNumeric})`);
};

/** FalkorDB has a function instead of the operator, and returns the matches of a text. */
const falkorNumber = (value: string) => {
  const number = `coalesce(toFloatOrNull(${value}), toFloatOrNull(trim(toStringOrNull(${value}))))`;
  const isNumeric = `size(string.matchRegEx(coalesce(toStringOrNull(${value}), ''), ${NUMERIC})) > 0`;
  return finite(number, `(${number} = ${value} OR ${isNumeric})`);
};
const castNumber = (value: string) => {
  const text = `toString(${value})`;
  return finite(`toFloat(trim(${text}))`, `${text} =~ ${NUMERIC}`);
};
/** Lists and points, which have no text, are unchanged too. */
const temporalText = (value: string) => {
  const isOther = `toFloatOrNull(${value}) = ${value} OR ${value} IN [true, false]`;
  return `CASE WHEN ${isOther} THEN ${value} ELSE coalesce(toStringOrNull(${value}), ${value}) END`;
};
const internalId = (variable: string) => `('#' + toString(id(${variable})))`;
const elementId = (variable: string) => `elementId(${variable})`;

export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  neo4j: {
    elementId,
    elementIdPattern: /^\d+:[0-9a-f-]+:\d+$/,
    toNumber: javaNumber,
    temporalText,
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
    temporalText,
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
    toNumber: falkorNumber,
    temporalText,
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
    temporalText: undefined,
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
    temporalText: undefined,
    hasBackticks: true,
    equatesTexts: false,
    isComplete: false,
    hasTextIndex: true,
    shortestPath: undefined,
    filtersShortestPaths: false,
  },
};
