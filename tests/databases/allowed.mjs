// Differences between a database and a graph in memory, with their reasons. docs/databases.md lists them too.

/** Differences of all databases. */
const ANY_ROWS = "without an order, the database chooses the rows of LIMIT";

export const COMMON = { "paths LIMIT": ANY_ROWS };

export const FALKOR = {
  ...COMMON,
  ...Object.fromEntries(
    [
      ...["all nodes", "!=", "!= label", "NOT of missing", "large integer"],
      ...["edges = type", "edges property", "rank asc text"],
    ].map((name) => [name, "FalkorDB sends numbers with 15 digits"]),
  ),
};

/** Further differences without `coerce: true`. */
export const UNCOERCED = Object.fromEntries(
  [">", "> with numeric text in the data", "edges property", "NOT of missing"].map((name) => [
    name,
    "a database does not compare a text with a number",
  ]),
);

/** Further differences of FalkorDB for the programs whose rows stay in the database. */
export const FALKOR_REMOTE = Object.fromEntries(
  ["aggregate edges", "join", "left join", "union"].map((name) => [name, FALKOR["all nodes"]]),
);

export const AGE = {
  ...COMMON,
  "CONTAINS sigma": "`toLower` of PGlite changes ASCII letters only",
};

export const ARCADE = {
  ...COMMON,
  "left join": "of rows with one identity UPDATE keeps the first, in the order of the database",
};

/** Differences for the second graph. */
export const HARD = {
  "id of digits": "an id equals a number only if it is its usual text",
  "paths with or": "an adapter is not asked whether longer paths exist",
  "left join": "of rows with one identity UPDATE keeps the first, in the order of the database",
  "degree with a text as weight": "the database counts the values that are not numbers",
};

/** Further differences if the rows stay in the database. */
export const HARD_REMOTE = {
  "aggregate of everything": "`min` and `max` of texts that are numbers are numbers",
  "aggregate of booleans": "the database has an order of booleans",
};

const FIRST_OF_EQUAL = {
  "left join with projections": HARD["left join"],
  "shortest paths by a text": "of two edges with a text the database sends the other one first",
};

export const HARD_FALKOR = FIRST_OF_EQUAL;
export const HARD_ARCADE = FIRST_OF_EQUAL;
