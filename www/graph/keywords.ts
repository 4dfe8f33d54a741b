/** First keyword of each command, and a short description. */
export const commandDescriptions: { readonly [word: string]: string } = {
  DECLARE: "a variable for findings",
  FIND: "nodes, edges, paths or shortest paths",
  PROCESS: "a model reads rows",
  UPDATE: "add to the state",
  ANALYZE: "a model summarizes rows",
  SELECT: "fields of rows",
  SET: "an option",
  REQUIRE: "stop unless true",
  ASSERT: "fail unless true",
  ON: "run on an outcome of a step",
  TRY: "catch errors",
  BRANCH: "if, then, else",
  CANCEL: "the plan",
  COMPLETE: "end with an answer",
  COUNT: "rows",
  AGGREGATE: "values of rows",
  RANK: "rows",
  JOIN: "two lists",
  LEFT: "JOIN that keeps all rows",
  UNION: "rows of two lists",
  WALK: "along edges",
  MEASURE: "nodes: degree, pagerank, …",
  SHOW: "a value",
};

/** Keywords inside commands. */
export const keywords =
  "AS LIST DICT COUNTER WITH_DESCRIPTION WHERE LIMIT OFFSET DISTINCT JOIN ON USING RETURNING WITH MERGE REPLACE FIELDS EXISTS LEN EMPTY ERROR PARTIAL SCHEMA_MISMATCH THEN IF ELSE CATCH ANY FINALLY END PLAN BY OF ASC DESC FROM FOLLOW DIRECTION DEPTH WEIGHT AND OR NOT IN CONTAINS STARTS_WITH ENDS_WITH IS NULL".split(
    " ",
  );

/** Measures of nodes, for MEASURE. */
export const measures =
  "degree in_degree out_degree pagerank betweenness closeness core triangles component community".split(
    " ",
  );
