// Oxigraph as documented. An edge is a predicate of its own with type and weight; `link` in both
// directions is for paths. Results are TSV, its fastest format.
import { readCsv } from "./csv.mjs";

const base = "http://example.com/";
const named = (name) => `<${base}${name}>`;
const decimal = (text) => `"${text}"^^<http://www.w3.org/2001/XMLSchema#decimal>`;

const questions = {
  attribute: () => `SELECT ?n WHERE { ?n ${named("entity_type")} "PERSON" }`,
  contains: () =>
    `SELECT ?n WHERE { ?n ${named("description")} ?text FILTER CONTAINS(?text, "vaccine") }`,
  edges: () =>
    `SELECT ?a ?b WHERE {
      ?e ${named("type")} "KIND_3" ; ${named("weight")} ?weight FILTER (?weight > 50)
      ?a ?e ?b
    }`,
  paths: ({ from, to }) =>
    `SELECT ?a ?x ?y ?b WHERE {
      VALUES ?a { ${from.map(named).join(" ")} }
      VALUES ?b { ${to.map(named).join(" ")} }
      { ?a ${named("link")} ?b }
      UNION { ?a ${named("link")} ?x . ?x ${named("link")} ?b }
      UNION {
        ?a ${named("link")} ?x . ?x ${named("link")} ?y . ?y ${named("link")} ?b
        FILTER(?y != ?a && ?x != ?b)
      }
      FILTER(?a != ?b)
    }`,
  groups: () =>
    `SELECT ?type (AVG(?weight) AS ?mean) WHERE {
      ?e ${named("type")} ?type ; ${named("weight")} ?weight
    } GROUP BY ?type`,
};

/** Returns the engine of an oxigraph package. */
export function oxigraphEngine(oxigraph) {
  const ask = (question) => (store, tables) =>
    store.query(question(tables), { results_format: "tsv" });
  return {
    prepare: triples,
    load(text) {
      const store = new oxigraph.Store();
      store.load(text, { format: "nt", lenient: true, no_transaction: true });
      return store;
    },
    counts: (store) =>
      ["entity_type", "weight"].map(
        (name) => store.match(null, oxigraph.namedNode(base + name), null).length,
      ),
    close: (store) => store.free(),
    questions: Object.fromEntries(
      Object.entries(questions).map(([name, question]) => [name, ask(question)]),
    ),
    found: (_, question, text) => {
      const lines = text.trimEnd().split("\n").slice(1);
      if (question === "groups")
        return lines.map((line) => JSON.parse(`[${line.replace("\t", ",")}]`));
      const rows = lines.map(idsOf);
      return question === "edges" || question === "paths" ? rows : rows.map(([id]) => id);
    },
  };
}

// Returns the ids of a line: `<http://example.com/node-1>`, empty for an unbound variable.
function idsOf(line) {
  const ids = line.split("\t").filter((cell) => cell !== "");
  return ids.map((cell) => cell.slice(1 + base.length, -1));
}

function triples({ nodes, edges }) {
  const lines = [];
  readCsv(nodes, ([id, type, description, score]) => {
    lines.push(
      `${named(id)} ${named("entity_type")} "${type}" .`,
      `${named(id)} ${named("description")} "${description}" .`,
      `${named(id)} ${named("score")} ${decimal(score)} .`,
    );
  });
  let at = 0;
  readCsv(edges, ([source, target, type, weight]) => {
    const edge = named(`edge-${at++}`);
    lines.push(
      `${named(source)} ${edge} ${named(target)} .`,
      `${edge} ${named("type")} "${type}" .`,
      `${edge} ${named("weight")} ${decimal(weight)} .`,
      `${named(source)} ${named("link")} ${named(target)} .`,
      `${named(target)} ${named("link")} ${named(source)} .`,
    );
  });
  return lines.join("\n");
}
