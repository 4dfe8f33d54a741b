import { abortable, anySignal, deadline, sleep } from "../abort.js";
import { assertCount } from "../arguments.js";
import type { Json } from "../types.js";
import {
  assertNames,
  type CypherGraph,
  cypherAdapter,
  LAYOUT_ASSERTIONS,
  type LayoutOptions,
} from "./cypher.js";
import { DIALECTS, type DialectName } from "./dialect.js";
import { DatabaseError, databaseError, TIMEOUT } from "./error.js";
import type { CypherStatement } from "./pattern.js";

/** Options of all connections. */
export interface ConnectionOptions extends LayoutOptions {
  /** Milliseconds after which a statement without a result fails; 30,000 by default. */
  timeout?: number;
  /** Number of further attempts after a temporary error; 2 by default. */
  retries?: number;
}

export const CONNECTION_ASSERTIONS = {
  ...LAYOUT_ASSERTIONS,
  timeout: assertCount,
  retries: assertCount,
};

/** Row of a client. */
export type ClientRow = { [name: string]: Json };

/** Connection to a database: the adapter of a session, and the target of `loadGraph`. */
export interface DatabaseGraph extends CypherGraph {
  /** Runs a statement that changes the database. It is not repeated after an error. */
  write(statement: CypherStatement, signal?: AbortSignal): Promise<ClientRow[]>;
  /** Creates the index of a property of the nodes with a label, unless it exists. */
  createIndex(label: string, key: string, signal?: AbortSignal): Promise<void>;
}

/** Functions of a client. */
export interface DatabaseClient {
  dialect: DialectName;
  /** Name of the database, for errors. */
  database?: string | undefined;
  /** Runs a statement that only reads. Pages of rows arrive as the caller requests them. */
  read(
    statement: CypherStatement,
    signal: AbortSignal,
    timeout: number,
  ): AsyncIterable<ClientRow[]> | Promise<ClientRow[]>;
  write(statement: CypherStatement, signal: AbortSignal, timeout: number): Promise<ClientRow[]>;
  createIndex(label: string, key: string): Promise<unknown>;
  /** Whether parameters may be `BigInt`s. */
  sendsBigInts?: boolean;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_RETRIES = 2;

/** Delay before the first further attempt in milliseconds; it doubles. */
const RETRY_DELAY = 150;

/** Creates the connection of a client, with time-outs, further attempts and classified errors. */
export function connect(client: DatabaseClient, options: ConnectionOptions): DatabaseGraph {
  const { timeout = DEFAULT_TIMEOUT, retries = DEFAULT_RETRIES, ...layout } = options;
  const run = (statement: CypherStatement, signal: AbortSignal) =>
    readPages(client, statement, signal, timeout, retries);
  const never = new AbortController().signal;
  const once = async <T>(signal: AbortSignal, act: (within: AbortSignal) => Promise<T>) => {
    try {
      return await withinTime(signal, timeout, act);
    } catch (error) {
      throw databaseError(error, signal, client.database);
    }
  };
  const adapter = cypherAdapter({ ...layout, dialect: client.dialect, run });
  adapter.layout.sendsBigInts = client.sendsBigInts === true;
  return {
    ...adapter,
    write: (statement, signal = never) =>
      once(signal, async (within) => {
        assertNames(DIALECTS[client.dialect], statement);
        return client.write(statement, within, timeout);
      }),
    createIndex: (label, key, signal = never) =>
      once(signal, async () => {
        await client.createIndex(label, key);
      }),
  };
}

/** Runs an action until it ends, the signal aborts, or the time is over. */
async function withinTime<T>(
  signal: AbortSignal,
  timeout: number,
  act: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeout === Number.POSITIVE_INFINITY) return abortable(act(signal), signal);
  const limit = deadline(timeout);
  const within = anySignal(signal, limit.signal);
  try {
    return await abortable(act(within.signal), within.signal);
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) throw new DatabaseError(TIMEOUT, error);
    throw error;
  } finally {
    within.clear();
    limit.clear();
  }
}

/** Reads pages. A temporary error before the first page is answered by a further attempt. */
async function* readPages(
  client: DatabaseClient,
  statement: CypherStatement,
  signal: AbortSignal,
  timeout: number,
  retries: number,
): AsyncGenerator<ClientRow[]> {
  for (let attempt = 0; ; attempt += 1) {
    let isStarted = false;
    const stop = new AbortController();
    const all = anySignal(signal, stop.signal);
    let pages: AsyncIterator<ClientRow[]> | undefined;
    try {
      const rows = client.read(statement, all.signal, timeout);
      pages = "then" in rows ? yieldOnce(rows) : rows[Symbol.asyncIterator]();
      for (;;) {
        const { next } = { next: pages.next.bind(pages) };
        const { done, value } = await withinTime(signal, timeout, () => next());
        if (done === true) return;
        isStarted = true;
        yield value;
      }
    } catch (error) {
      const known = databaseError(error, signal, client.database);
      const isTransient = known instanceof DatabaseError && known.isTransient;
      if (isStarted || !isTransient || attempt >= retries || signal.aborted) throw known;
    } finally {
      // Closes the cursor when the caller leaves, and when a statement does not respond.
      stop.abort(new Error("the rows are no longer needed"));
      all.clear();
      void pages?.return?.()?.catch(() => {});
    }
    await sleep(RETRY_DELAY * 2 ** attempt, signal);
  }
}

async function* yieldOnce<T>(rows: Promise<T>): AsyncGenerator<T> {
  yield await rows;
}
