// Kuzu as documented: tables filled by `COPY`, prepared statements, the synchronous build. It
// indexes only the primary key. Results stay in its memory, as in byname.

const schema = [
  "CREATE NODE TABLE Node(id STRING, entity_type STRING, description STRING, score DOUBLE, PRIMARY KEY(id))",
  "CREATE REL TABLE Edge(FROM Node TO Node, type STRING, weight DOUBLE)",
];

// One query per path length, because `Edge* ACYCLIC 1..3` takes twenty times as long.
const paths = `
  MATCH (a:Node)-[:Edge]-(b:Node)
  WHERE a.id IN $from AND b.id IN $to
  RETURN [a.id, b.id] AS way
  UNION ALL
  MATCH (a:Node)-[:Edge]-(x:Node)-[:Edge]-(b:Node)
  WHERE a.id IN $from AND b.id IN $to AND a.id <> b.id
  RETURN [a.id, x.id, b.id] AS way
  UNION ALL
  MATCH (a:Node)-[:Edge]-(x:Node)-[:Edge]-(y:Node)-[:Edge]-(b:Node)
  WHERE a.id IN $from AND b.id IN $to AND a.id <> b.id AND a.id <> y.id AND x.id <> b.id
  RETURN [a.id, x.id, y.id, b.id] AS way`;

const statements = {
  attribute: "MATCH (n:Node) WHERE n.entity_type = 'PERSON' RETURN n.id",
  contains: "MATCH (n:Node) WHERE n.description CONTAINS 'vaccine' RETURN n.id",
  edges:
    "MATCH (a:Node)-[e:Edge]->(b:Node) WHERE e.type = 'KIND_3' AND e.weight > 50 RETURN a.id, b.id",
  paths,
  groups: "MATCH (:Node)-[e:Edge]->(:Node) RETURN e.type, avg(e.weight)",
};

/** Queries with several values per row. */
const rows = new Set(["edges", "groups"]);

/** Returns the engine of a kuzu package; files are written to `folder`. */
export function kuzuEngine(kuzu, folder) {
  const ask = (question) => (database, tables) => {
    database.last?.close();
    database.last = checked(
      database.connection.execute(prepared(database, question), parameters(question, tables)),
    );
    return database.last;
  };
  return {
    async prepare({ nodes, edges }) {
      await kuzu.init();
      const files = { nodes: `${folder}/kuzu-nodes.csv`, edges: `${folder}/kuzu-edges.csv` };
      kuzu.getFS().writeFile(files.nodes, nodes);
      kuzu.getFS().writeFile(files.edges, edges);
      return files;
    },
    load({ nodes, edges }) {
      const whole = new kuzu.Database(":memory:", 2 ** 30);
      // One thread, because Node counts the CPU time of all threads.
      const connection = new kuzu.Connection(whole, 1);
      const copies = [
        `COPY Node FROM '${nodes}' (HEADER=true)`,
        `COPY Edge FROM '${edges}' (HEADER=true)`,
      ];
      for (const statement of [...schema, ...copies]) checked(connection.query(statement)).close();
      return { whole, connection, statements: new Map(), last: undefined };
    },
    counts({ connection }) {
      const queries = ["MATCH (n:Node) RETURN count(n)", "MATCH ()-[e:Edge]->() RETURN count(e)"];
      return queries.map((query) => Number(connection.query(query).getAllRows()[0][0]));
    },
    close({ whole, connection }) {
      connection.close();
      whole.close();
    },
    questions: Object.fromEntries(Object.keys(statements).map((name) => [name, ask(name)])),
    found: (_, question, result) =>
      result.getAllRows().map((row) => (rows.has(question) ? row : row[0])),
  };
}

function prepared(database, question) {
  const known = database.statements.get(question);
  if (known) return known;
  const statement = checked(database.connection.prepare(statements[question]));
  database.statements.set(question, statement);
  return statement;
}

function parameters(question, { from, to }) {
  return question === "paths" ? { from, to } : {};
}

function checked(result) {
  if (!result.isSuccess()) throw new Error(`kuzu: ${result.getErrorMessage()}`);
  return result;
}
