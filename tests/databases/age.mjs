// A connection to Apache AGE in PGlite, which runs in this process.

import { cypherAdapter } from "byname/databases";

/** Returns PGlite with AGE, or undefined if the packages are not installed. */
export async function openAge() {
  const [pglite, extension] = await Promise.all([
    import("@electric-sql/pglite").catch(() => undefined),
    import("@electric-sql/pglite-age").catch(() => undefined),
  ]);
  if (pglite === undefined || extension === undefined) return undefined;
  const db = await pglite.PGlite.create({ extensions: { age: extension.age } });
  await db.exec(
    "CREATE EXTENSION IF NOT EXISTS age; LOAD 'age'; SET search_path = ag_catalog, public;",
  );
  await db.exec("SELECT create_graph('graph')");
  return db;
}

/** Runs a statement; AGE returns JSON text, in which nodes and relations have a suffix. */
export async function runCypher(db, { text, params }) {
  const tag = `$c${crypto.randomUUID().replaceAll("-", "")}$`;
  const statement = `SELECT * FROM cypher('graph', ${tag} ${text} ${tag}, $1) AS (row agtype)`;
  const { rows } = await db.query(statement, [JSON.stringify(params)]);
  return rows.map(({ row }) => ({ row: JSON.parse(row) }));
}

export const ageGraph = (db, options) =>
  cypherAdapter({ run: (statement) => runCypher(db, statement), dialect: "age", ...options });
