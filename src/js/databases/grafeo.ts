import { assertFunction, assertOptionTypes } from "../arguments.js";
import type { Json } from "../types.js";
import {
  type ClientRow,
  CONNECTION_ASSERTIONS,
  type ConnectionOptions,
  connect,
  type DatabaseGraph,
} from "./connection.js";
import { quoteName } from "./names.js";
import type { CypherStatement } from "./pattern.js";

/** Database of the package `@grafeo-db/js`. */
export interface GrafeoClient {
  executeCypher(text: string, params?: { [name: string]: Json }): Promise<{ toArray(): object[] }>;
}

/**
 * Creates the connection of a database of the package `@grafeo-db/js`, which runs in this process.
 * The caller closes the database.
 */
export function grafeoGraph(db: GrafeoClient, options: ConnectionOptions = {}): DatabaseGraph {
  assertFunction(
    (db as GrafeoClient | undefined)?.executeCypher,
    "`executeCypher` of the database",
  );
  assertOptionTypes(options, CONNECTION_ASSERTIONS, "the options of `grafeoGraph`");
  const execute = async ({ text, params }: CypherStatement) =>
    (await db.executeCypher(text, params)).toArray() as ClientRow[];
  return connect(
    {
      dialect: "grafeo",
      read: execute,
      write: execute,
      createIndex: (label, key) =>
        execute({
          text: `CREATE INDEX IF NOT EXISTS FOR (n:${quoteName(label)}) ON (n.${quoteName(key)})`,
          params: {},
        }),
    },
    options,
  );
}
