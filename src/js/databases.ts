export {
  type BoltDriver,
  type BoltOptions,
  type BoltSession,
  boltGraph,
} from "./databases/bolt.js";
export type { ConnectionOptions, DatabaseGraph } from "./databases/connection.js";
export {
  type CypherOptions,
  type CypherStatement,
  cypherAdapter,
  type LayoutOptions,
} from "./databases/cypher.js";
export type { DialectName } from "./databases/dialect.js";
export { DatabaseError, type DatabaseErrorReason } from "./databases/error.js";
export { type FalkorGraphClient, falkorGraph } from "./databases/falkor.js";
export { type GrafeoClient, grafeoGraph } from "./databases/grafeo.js";
export { type LoadOptions, type LoadResult, loadGraph } from "./databases/load.js";
