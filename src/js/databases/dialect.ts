/** Dialects of openCypher. */
export type DialectName = "neo4j" | "arcadedb" | "falkordb" | "grafeo" | "age";

/** Differences between databases that a statement depends on. */
export interface Dialect {
  /** Returns the id that the database assigns to a node or relation, as text. */
  elementId: (variable: string) => string;
  /** Texts that {@link Dialect.elementId} may return for a node. */
  elementIdPattern: RegExp;
  /** Form of a search for a shortest path, if there is one. */
  shortestPath: "match" | "with" | undefined;
  /** Whether the conditions after `shortestPath` restrict the search instead of filtering its result. */
  filtersShortestPaths: boolean;
}

const internalId = (variable: string) => `('#' + toString(id(${variable})))`;
const elementId = (variable: string) => `elementId(${variable})`;

export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  neo4j: {
    elementId,
    elementIdPattern: /^\d+:[0-9a-f-]+:\d+$/,
    shortestPath: "match",
    filtersShortestPaths: true,
  },
  arcadedb: {
    elementId,
    elementIdPattern: /^#\d+:\d+$/,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  falkordb: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    shortestPath: "with",
    filtersShortestPaths: false,
  },
  grafeo: {
    elementId,
    elementIdPattern: /^n:\d+$/,
    shortestPath: "match",
    filtersShortestPaths: false,
  },
  age: {
    elementId: internalId,
    elementIdPattern: /^#\d+$/,
    shortestPath: undefined,
    filtersShortestPaths: false,
  },
};
