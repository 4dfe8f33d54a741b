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
  /** Form of a search for a shortest path, if there is one. */
  shortestPath: "match" | "with" | undefined;
  /** Whether the conditions after `shortestPath` restrict the search instead of filtering its result. */
  filtersShortestPaths: boolean;
}

const toFloatOrNull = (value: string) => `toFloatOrNull(${value})`;
const internalId = (variable: string) => `('#' + toString(id(${variable})))`;
const elementId = (variable: string) => `elementId(${variable})`;

export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  neo4j: {
    elementId,
    elementIdPattern: /^\d+:[0-9a-f-]+:\d+$/,
    toNumber: toFloatOrNull,
    shortestPath: "match",
    filtersShortestPaths: true,
  },
  arcadedb: {
    elementId,
    elementIdPattern: /^#\d+:\d+$/,
    toNumber: toFloatOrNull,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  falkordb: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    toNumber: toFloatOrNull,
    shortestPath: "with",
    filtersShortestPaths: false,
  },
  grafeo: {
    elementId,
    elementIdPattern: /^n:\d+$/,
    toNumber: (value) => `toFloat(toString(${value}))`,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  age: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    toNumber: (value) => `toFloat(toString(${value}))`,
    shortestPath: undefined,
    filtersShortestPaths: false,
  },
};
