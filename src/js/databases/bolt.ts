import { assertFunction, assertOptionTypes, assertString, throwMisuse } from "../arguments.js";
import type { Json } from "../types.js";
import {
  type ClientRow,
  CONNECTION_ASSERTIONS,
  type ConnectionOptions,
  connect,
  type DatabaseGraph,
} from "./connection.js";
import { assertDialect } from "./cypher.js";
import type { DialectName } from "./dialect.js";
import { quoteName } from "./names.js";
import type { CypherStatement } from "./pattern.js";
import { PAGE_SIZE, pagesOf } from "./stream.js";

/** Driver of `neo4j-driver`. */
export interface BoltDriver {
  session(config: {
    database?: string;
    defaultAccessMode: "READ" | "WRITE";
    fetchSize: number;
  }): BoltSession;
}

/** Session of `neo4j-driver`. */
export interface BoltSession {
  run(
    text: string,
    params: { [name: string]: unknown },
    config: { timeout?: number },
  ): AsyncIterable<BoltRecord> & PromiseLike<{ records: BoltRecord[] }>;
  close(): Promise<void>;
}

/** Record of `neo4j-driver`. */
export interface BoltRecord {
  toObject(): object;
}

export interface BoltOptions extends ConnectionOptions {
  /** Name of the database; that of the user by default. */
  database?: string;
  /** `neo4j` or `arcadedb`; without it, only what both have in common is used. */
  dialect?: DialectName;
}

const OPTION_ASSERTIONS = {
  ...CONNECTION_ASSERTIONS,
  database: assertDatabase,
  dialect: assertDialect,
};

function assertDatabase(value: unknown, what: string): void {
  assertString(value, what);
  if (value === "")
    throwMisuse(`expected ${what} to be the name of a database, found an empty text`);
}

/**
 * Creates the connection of a `neo4j-driver`, for Neo4j, ArcadeDB and other databases with Bolt. The
 * caller closes the driver.
 */
export function boltGraph(driver: BoltDriver, options: BoltOptions = {}): DatabaseGraph {
  assertFunction((driver as BoltDriver | undefined)?.session, "`session` of the driver");
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `boltGraph`");
  const { database, dialect = "arcadedb", ...others } = options;
  const open = (defaultAccessMode: "READ" | "WRITE") =>
    driver.session({
      ...(database !== undefined && { database }),
      defaultAccessMode,
      fetchSize: PAGE_SIZE,
    });
  const write = async ({ text, params }: CypherStatement, signal: AbortSignal, timeout: number) => {
    const session = open("WRITE");
    const rows: ClientRow[] = [];
    try {
      for await (const record of runStatement(session, { text, params }, signal, timeout))
        rows.push(record);
      return rows;
    } finally {
      close(session);
    }
  };
  return connect(
    {
      dialect,
      database,
      sendsBigInts: true,
      async *read(statement, signal, timeout) {
        const session = open("READ");
        try {
          yield* pagesOf(runStatement(session, statement, signal, timeout));
        } finally {
          close(session);
        }
      },
      write,
      createIndex: (label, key) => {
        const text = `CREATE INDEX IF NOT EXISTS FOR (n:${quoteName(label)}) ON (n.${quoteName(key)})`;
        return write({ text, params: {} }, new AbortController().signal, Number.POSITIVE_INFINITY);
      },
    },
    others,
  );
}

/** Runs a statement. An abort closes the session, which cancels the statement at the server. */
async function* runStatement(
  session: BoltSession,
  { text, params }: CypherStatement,
  signal: AbortSignal,
  timeout: number,
): AsyncGenerator<ClientRow> {
  const onAbort = () => close(session);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const config = Number.isFinite(timeout) ? { timeout } : {};
    const values = toDriverValue(params) as { [name: string]: unknown };
    for await (const record of session.run(text, values, config))
      yield record.toObject() as ClientRow;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Closes a session without waiting, because a server that does not respond never confirms it. */
function close(session: BoltSession): void {
  session.close().catch(() => {});
}

/** Converts integers to `BigInt`, because the driver sends numbers as floats. */
function toDriverValue(value: Json): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toDriverValue);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, part]) => [key, toDriverValue(part)]));
}
