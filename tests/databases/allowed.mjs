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

export const ARCADE = {
  ...COMMON,
  "left join": "of rows with one identity UPDATE keeps the first, in the order of the database",
};
