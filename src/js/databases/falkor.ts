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

/** Graph of the package `falkordb`. */
export interface FalkorGraphClient {
  query(text: string, options?: FalkorQueryOptions): Promise<{ data?: unknown[] }>;
  roQuery(text: string, options?: FalkorQueryOptions): Promise<{ data?: unknown[] }>;
  createNodeRangeIndex(label: string, ...keys: string[]): Promise<unknown>;
}

/** Options of a query of the package `falkordb`. */
export interface FalkorQueryOptions {
  params?: { [name: string]: never };
  TIMEOUT?: number;
}

/**
 * Creates the connection of a graph of the package `falkordb`: `falkorGraph(client.selectGraph("g"))`.
 * The caller closes the client.
 */
export function falkorGraph(
  graph: FalkorGraphClient,
  options: ConnectionOptions = {},
): DatabaseGraph {
  assertFunction((graph as FalkorGraphClient | undefined)?.roQuery, "`roQuery` of the graph");
  assertOptionTypes(options, CONNECTION_ASSERTIONS, "the options of `falkorGraph`");
  const optionsOf = (params: { [name: string]: Json }, timeout: number): FalkorQueryOptions => ({
    params: params as { [name: string]: never },
    ...(Number.isFinite(timeout) && { TIMEOUT: timeout }),
  });
  return connect(
    {
      dialect: "falkordb",
      // A query would create a graph with a misspelt name.
      async read({ text, params }, _signal, timeout) {
        const { data = [] } = await graph.roQuery(text, optionsOf(params, timeout));
        return data as ClientRow[];
      },
      async write({ text, params }, _signal, timeout) {
        const { data = [] } = await graph.query(text, optionsOf(params, timeout));
        return data as ClientRow[];
      },
      createIndex: (label, key) =>
        graph.createNodeRangeIndex(quoteName(label), quoteName(key)).catch((error: unknown) => {
          if (!/already indexed/i.test(String(error))) throw error;
        }),
    },
    options,
  );
}
