import { GaslSession } from "byname";
import { type BoltDriver, boltGraph, DatabaseError, type DatabaseGraph } from "byname/databases";
import neo4j from "neo4j-driver/lib/browser/neo4j-web.esm.min.js";
import { errorText } from "../page/format.js";
import { type DatabaseAddress, dialectNames } from "./database-address.js";
import { GraphModel } from "./graph-model.js";

/** Milliseconds after which a connection has failed. */
const connectTimeout = 4500;

/**
 * Connects to a database by Bolt over WebSocket. The password is passed to the driver only. Throws
 * an error whose message lists what to check.
 */
export async function connectDatabase(
  address: DatabaseAddress,
  password: string,
): Promise<GraphModel> {
  const { url, user, database, dialect } = address;
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password), {
    connectionTimeout: connectTimeout,
    connectionAcquisitionTimeout: connectTimeout,
    maxTransactionRetryTime: 0,
  });
  const closeDriver = (): void => {
    driver.close().catch(() => {
      // The connection has failed already.
    });
  };
  const options = { database, dialect, labelField: "type" };
  try {
    const client = driver as unknown as BoltDriver;
    const check = boltGraph(client, { ...options, timeout: connectTimeout, retries: 0 });
    await check.write({ text: "RETURN 1 AS row", params: {} });
    const graph = boltGraph(client, options);
    const summary = await readSummary(graph);
    const source: GraphModel["source"] = {
      kind: "database",
      summary,
      code: databaseCode(address),
      newSession: (given) => new GaslSession({ ...given, graph }),
      toJSON() {
        throw new Error("a graph in a database cannot be converted to JSON");
      },
      close: closeDriver,
    };
    return new GraphModel(source, database, `${dialectNames[dialect]} by Bolt`, address);
  } catch (error) {
    // Not awaited, because the driver waits for a connection that was never opened.
    closeDriver();
    throw new Error(describeError(error), { cause: error });
  }
}

/** Reads the number of nodes and edges, and their fields. */
async function readSummary(graph: DatabaseGraph): Promise<GraphModel["summary"]> {
  const signal = AbortSignal.timeout(60_000);
  const schema = await graph.schema?.(signal);
  const session = new GaslSession({ graph });
  const count = async (what: string): Promise<number> => {
    const { metrics, errors } = await session.execute(`FIND ${what} AS found`, { signal });
    if (errors?.[0]?.severity === "error") throw new Error(errors[0].message);
    return Number(metrics["count"] ?? 0);
  };
  // The type of a field is not known in a database.
  const fields = (names: string[] = []) => names.map((name) => ({ name, kind: "unknown" }));
  return {
    nodes: await count("nodes"),
    edges: await count("edges"),
    directed: schema?.directed ?? true,
    components: 0,
    node_fields: fields(schema?.nodeFields),
    edge_fields: fields(schema?.edgeFields),
    relation_field: "type",
  };
}

/** Returns one line with what to check. */
function describeError(error: unknown): string {
  const help = error instanceof DatabaseError ? error.help : undefined;
  const text = errorText(error);
  const message = (help === undefined ? text : text.replace(`: ${help}`, "")).replace(/\.$/, "");
  const checks: [RegExp, string][] = [
    [/user or the password/, "check the user and the password"],
    [/database does not exist/, "check the name of the database"],
    [/connection|in time/, connectionAdvice()],
  ];
  const advice = checks.find(([pattern]) => pattern.test(message))?.[1];
  if (advice) return `${message}: ${advice}`;
  const server = error instanceof DatabaseError ? error.serverMessage.split("\n", 1)[0] : "";
  return server ? `${message} (${server})` : message;
}

function connectionAdvice(): string {
  const plugin = "check the address and the port, and that the Bolt plugin of the server runs";
  return location.protocol === "https:"
    ? `${plugin}. A page with HTTPS needs a server with TLS: bolt+s://`
    : plugin;
}

/** Returns the lines of a program that connect, with the password from the environment. */
function databaseCode({ url, user, database, dialect }: DatabaseAddress): string[] {
  const text = (value: string): string => JSON.stringify(value);
  return [
    'import neo4j from "neo4j-driver";',
    'import { boltGraph } from "byname/databases";',
    "// The password is read from the environment.",
    `const auth = neo4j.auth.basic(${text(user)}, process.env.DATABASE_PASSWORD);`,
    `const driver = neo4j.driver(${text(url)}, auth);`,
    `const graph = boltGraph(driver, { database: ${text(database)}, dialect: ${text(dialect)}, labelField: "type" });`,
  ];
}
