/** Address of a database, without the password. */
export interface DatabaseAddress {
  url: string;
  user: string;
  database: string;
  dialect: "arcadedb" | "neo4j";
}

export const dialectNames = { arcadedb: "ArcadeDB", neo4j: "Neo4j" } as const;
