export { type CypherOptions, type CypherStatement, cypherAdapter } from "./databases/cypher.js";
export {
  byOutcome,
  type Rollout,
  type SearchNode,
  type SearchOptions,
  type SearchResult,
  search,
} from "./gasl/search.js";
