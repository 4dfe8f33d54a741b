// Published graphs, queried in GASL. The expected figures are those of NetworkX 3.6.1. GraphML is
// read by `read_graphml`, without the quotes of each text and of each part of a `<SEP>` list. The
// others are read by `node_link_graph(…, edges="links")`, Dulce as a multigraph. Rows are counted
// over `nodes(data=True)` and `edges(data=True)`, paths by `all_simple_paths(graph, start, end,
// cutoff)` over all pairs, and walks by `single_source_shortest_path_length(graph, start, cutoff)`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";

await init();

const folder = new URL("../../../shared/data/graphs/", import.meta.url);
const skip = existsSync(folder) ? false : "no graphs beside the repository";
const read = (name) => readFileSync(new URL(name, folder));

/** Returns the value of `x` after some commands, none of which may fail. */
async function ask(graph, commands) {
  const session = new GaslSession({ graph });
  for (const command of commands) {
    const record = await session.execute(command);
    assert.ok(["success", "empty"].includes(record.status), JSON.stringify(record));
  }
  return session.variable("x");
}

/** Each question is a list of commands; the answer a number of rows, or all of a column. */
async function checkAll(graph, questions) {
  for (const [commands, expected, column] of questions) {
    const actual = await ask(graph, commands);
    const answer = typeof expected === "number" ? (actual.length ?? actual) : actual;
    const picked = column ? actual.map((row) => row[column]) : answer;
    assert.deepEqual(picked, expected, commands.join("; "));
  }
}

test("answers questions about the weekly reports", { skip }, async () => {
  const graph = Graph.fromGraphML(read("mmwr.graphml"));
  const persons = 'FIND nodes WHERE entity_type = "PERSON" AS p';
  const publications = "FIND nodes WHERE entity_type = PUBLICATION AS p";
  await checkAll(graph, [
    [["FIND nodes AS x"], 3261],
    [["FIND edges AS x"], 1740],
    [['FIND nodes WHERE entity_type = "PERSON" AS x'], 371],
    [["FIND nodes WHERE entity_type IS NULL AS x"], 0],
    [["FIND nodes WHERE entity_type IN [PERSON, ORGANIZATION] AS x"], 432],
    [["FIND nodes WHERE entity_type NOT IN (PERSON, ORGANIZATION) AS x"], 2829],
    [["FIND nodes WHERE NOT (entity_type = PERSON OR entity_type = ORGANIZATION) AS x"], 2829],
    [["FIND nodes WHERE id STARTS_WITH covid AS x"], 226],
    [["FIND nodes WHERE id ENDS_WITH vaccine AS x"], 29],
    [
      [
        "FIND nodes WHERE entity_type = PUBLICATION AND (description CONTAINS covid OR description CONTAINS influenza) AS x",
      ],
      17,
    ],
    [['FIND nodes WHERE source_id CONTAINS "<SEP>" AS x'], 545],
    [["FIND nodes AS n", "COUNT n BY entity_type AS x"], 70],
    [
      ["FIND nodes AS n", "COUNT n BY entity_type AS c", "RANK c BY count LIMIT 5 AS x"],
      [
        { entity_type: "PERSON", count: 371 },
        { entity_type: "STATISTICAL MEASURE", count: 310 },
        { entity_type: "INTERVENTION", count: 276 },
        { entity_type: "RECOMMENDATION", count: 147 },
        { entity_type: "DATASET", count: 143 },
      ],
    ],
    [["FIND edges AS e", "AGGREGATE e BY order WITH sum OF weight AS x"], [16714], "sum"],
    [["FIND edges AS e", "AGGREGATE e BY order WITH max OF weight AS x"], [119], "max"],
    [["FIND edges AS e", "AGGREGATE e BY order WITH min OF weight AS x"], [5], "min"],
    // Nodes without edges.
    [
      [
        "FIND nodes AS n",
        "FIND edges AS e",
        "SELECT n WHERE id NOT IN ${e.source} AND id NOT IN ${e.target} AS x",
      ],
      2016,
    ],
    [[publications, "WALK FROM p AS x"], 72],
    [[publications, "WALK FROM p DEPTH 2 AS x"], 267],
    [
      [
        "FIND paths WHERE start.entity_type = PERSON AND end.entity_type = ORGANIZATION AND length <= 2 AS x",
      ],
      131,
    ],
    [[persons, "FIND edges WHERE source IN ${p} AND target IN ${p} AS x"], 2],
  ]);
  const session = new GaslSession({ graph });
  await session.execute(persons);
  assert.deepEqual(session.state.history[0].provenance_summary, { items: 371, sources: 19 });
});

test("coappearances", { skip }, async () => {
  const graph = Graph.fromNodeLink(read("les-miserables.json"));
  const valjean = "FIND nodes WHERE id = Valjean AS s";
  await checkAll(graph, [
    [["FIND edges WHERE weight >= 10 AS x"], 13],
    [["FIND edges WHERE weight IN [1, 31] AS x"], 98],
    [["FIND nodes WHERE id CONTAINS MA AS x"], 14],
    [["FIND edges AS e", "RANK e BY weight LIMIT 3 AS x"], [31, 21, 19], "weight"],
    [
      ["FIND edges AS e", "COUNT e BY source AS c", "RANK c BY count LIMIT 4 AS x"],
      [
        { source: "Valjean", count: 33 },
        { source: "Gavroche", count: 18 },
        { source: "Thenardier", count: 13 },
        { source: "Javert", count: 12 },
      ],
    ],
    [
      [
        "FIND edges AS e",
        "AGGREGATE e BY source WITH sum OF weight AS s",
        "RANK s BY sum LIMIT 3 AS x",
      ],
      [147, 66, 51],
      "sum",
    ],
    [
      ["FIND edges WHERE source = Valjean AS e", "AGGREGATE e BY source WITH avg OF weight AS x"],
      [158 / 36],
      "avg",
    ],
    [[valjean, "WALK FROM s AS x"], 36],
    [[valjean, "WALK FROM s DEPTH 2 AS x"], 74],
    [["FIND nodes WHERE id = Napoleon AS s", "WALK FROM s DEPTH 3 AS x"], 43],
    [["FIND nodes WHERE id IN [Napoleon, Gavroche] AS s", "WALK FROM s AS x"], 23],
    [["FIND paths WHERE start.id = Valjean AND end.id = Javert AND length <= 2 AS x"], 17],
    [["FIND paths WHERE start.id = Valjean AND edge.weight >= 10 AS x"], 9],
    [
      [
        "FIND paths WHERE start.id = Fantine AND end.id = Marius AND node.id IN [Valjean, Cosette] AS x",
      ],
      2,
    ],
    [["FIND paths WHERE start.id = Napoleon AS x"], 49],
  ]);
});

test("answers questions about women and events", { skip }, async () => {
  const graph = Graph.fromNodeLink(read("southern-women.json"));
  const flora = 'FIND nodes WHERE id = "Flora Price" AS s';
  await checkAll(graph, [
    [["FIND nodes WHERE bipartite = 0 AS x"], 18],
    [["FIND nodes AS n", "COUNT n BY bipartite AS c", "RANK c BY count AS x"], [18, 14], "count"],
    [
      ["FIND edges AS e", "COUNT e BY target AS c", "RANK c BY count LIMIT 3 AS x"],
      [
        { target: "E8", count: 14 },
        { target: "E9", count: 12 },
        { target: "E7", count: 10 },
      ],
    ],
    [[flora, "WALK FROM s AS w", "RANK w BY id ASC AS x"], ["E11", "E9"], "id"],
    [[flora, "WALK FROM s DEPTH 2 AS x"], 14],
    [["FIND paths WHERE start.id = E8 AND end.bipartite = 1 AND length <= 2 AS x"], 59],
    [
      [
        'FIND paths WHERE start.id = "Evelyn Jefferson" AND end.id = "Laura Mandeville" AND length <= 2 AS x',
      ],
      6,
    ],
    [
      [
        'FIND paths WHERE start.id = "Evelyn Jefferson" AND end.id = "Flora Price" AND length <= 4 AS x',
      ],
      21,
    ],
    // Two women at one event, in either order, each with herself.
    [["FIND edges AS e", "JOIN e WITH e ON target AS x"], 733],
    [
      [
        "FIND edges AS e",
        "FIND nodes WHERE bipartite = 1 AS v",
        "JOIN v WITH e ON id = target AS x",
      ],
      89,
    ],
  ]);
});

test("answers questions about Operation Dulce", { skip }, async () => {
  const graph = Graph.fromNodeLink(read("dulce.json"));
  const mercer = 'FIND nodes WHERE id = "ALEX MERCER" AS s';
  await checkAll(graph, [
    [["FIND nodes WHERE entity_type = EVENT AS x"], 11],
    [
      ["FIND nodes WHERE entity_type IS NULL AS n", "RANK n BY id ASC AS x"],
      ["CONCRETE HALLWAY", "ELEVATOR"],
      "id",
    ],
    [
      [
        "FIND nodes WHERE EXISTS entity_type AS n",
        "COUNT n BY entity_type AS c",
        "RANK c BY count AS x",
      ],
      [13, 11, 8, 7],
      "count",
    ],
    [["FIND edges WHERE weight > 10 AS x"], 9],
    [["FIND nodes WHERE source_id CONTAINS chapter-3 AS x"], 16],
    [[mercer, "WALK FROM s AS x"], 17],
    [[mercer, "WALK FROM s DEPTH 2 AS x"], 35],
    // Parallel edges are separate paths.
    [
      ['FIND paths WHERE start.id = "ALEX MERCER" AND end.id = "TAYLOR CRUZ" AND length <= 2 AS x'],
      16,
    ],
    [["FIND paths WHERE entity_type = PERSON AND length = 1 AS x"], 40],
    [
      [
        "FIND edges AS e",
        "AGGREGATE e BY source WITH max OF weight AS m",
        "RANK m BY max LIMIT 2 AS x",
      ],
      [
        { source: "ALEX MERCER", max: 21 },
        { source: "JORDAN HAYES", max: 19 },
      ],
    ],
  ]);
  const session = new GaslSession({ graph });
  await session.execute("FIND nodes WHERE entity_type = PERSON AS persons");
  const sources = session.evidence("persons").flatMap((finding) => finding.sources);
  assert.deepEqual([...new Set(sources.map(({ source_id }) => source_id))].sort(), [
    "chapter-1",
    "chapter-2",
    "chapter-3",
    "chapter-4",
    "chapter-5",
  ]);
});

const PLANS = [
  {
    plan_id: "plan-init-state-001",
    why: "Initialize the state structure for co-authorship analysis.",
    commands: [
      "DECLARE co_authorship_analysis AS DICT",
      "DECLARE co_authorship_analysis.authors AS LIST WITH_DESCRIPTION 'List of all unique authors found.'",
      "DECLARE co_authorship_analysis.institutions AS DICT WITH_DESCRIPTION 'Institutions and their associated authors.'",
      "DECLARE co_authorship_analysis.collaboration_graph AS LIST WITH_DESCRIPTION 'Edge list of (author1, author2, shared_entity).'",
      "DECLARE co_authorship_analysis.summary AS DICT",
    ],
    config: { stop_on_error: true, continue_on_empty: false },
  },
  {
    plan_id: "plan-collect-002",
    why: "Seed the author set and find who wrote together.",
    commands: [
      { command: 'FIND nodes WHERE entity_type = "PERSON" AS authors', why: "Seed the author set" },
      "ASSERT LEN ${authors} > 0",
      "UPDATE co_authorship_analysis.authors WITH authors",
      'PROCESS authors USING "Find authors who wrote together; answer with triplets (author1, author2, shared_entity)." AS coauthor_triplets',
      "ON EMPTY coauthor_triplets THEN SET adapter.caps.max_path_length=2",
      "UPDATE co_authorship_analysis.collaboration_graph WITH coauthor_triplets MERGE",
      'ANALYZE co_authorship_analysis.collaboration_graph USING "Who is at the centre?" AS summary',
      "UPDATE co_authorship_analysis.summary WITH summary",
    ],
  },
];

/** Returns the reply of a rule-based model: rows of the same chunk are co-authors. */
function coAuthorReply(prompt) {
  const rows = [...prompt.matchAll(/^\[(.+?)\] (\{.*\})$/gm)];
  const rowChunks = rows.map(([, id, row]) => [id, /chunk-[0-9a-f]+/.exec(row)?.[0]]);
  const items = [];
  const provenance = [];
  for (const [index, [id, chunk]] of rowChunks.entries()) {
    const other = rowChunks.slice(index + 1).find(([, shared]) => shared === chunk);
    if (!other) continue;
    provenance.push(
      { item: items.length, input_id: id },
      { item: items.length, input_id: other[0] },
    );
    items.push({ author1: id, author2: other[0], shared_entity: chunk });
  }
  return { ids: rowChunks.map(([id]) => id), json: { items, provenance } };
}

test("runs the complete co-authorship example, and its replay", { skip }, async () => {
  const graph = Graph.fromGraphML(read("mmwr.graphml"));
  const prompts = [];
  const replies = [PLANS[0], PLANS[1]];
  const llm = ({ task, prompt }) => {
    if (task === "analyze") {
      return {
        json: { rationale: "the sample names them", central: prompts[0] },
        model: "scripted",
      };
    }
    if (task === "process") {
      const { ids, json } = coAuthorReply(prompt);
      prompts.push(...ids);
      return { text: `\`\`\`json\n${JSON.stringify(json)}\n\`\`\``, model: "scripted" };
    }
    const plan = replies.shift();
    return plan ? { json: plan } : "COMPLETE: They form clusters, one per report.";
  };
  const session = new GaslSession({ graph, llm, query: "Who writes with whom?", seed: 1 });
  const { status, answer, plans } = await session.solve("Who writes with whom?");
  assert.deepEqual(
    plans.map((plan) => [plan.status, plan.records.map((record) => record.status)]),
    [
      ["completed", Array(5).fill("success")],
      ["completed", Array(8).fill("success")],
    ],
    JSON.stringify(plans.map((plan) => plan.records.map((record) => record.errors))),
  );
  assert.deepEqual([status, answer], ["complete", "They form clusters, one per report."]);

  // PROCESS passes every row once.
  assert.equal(prompts.length, 371);
  assert.equal(new Set(prompts).size, 371);
  assert.equal(session.variable("co_authorship_analysis.authors").length, 371);
  const edges = session.variable("co_authorship_analysis.collaboration_graph");
  assert.ok(edges.length > 100, `${edges.length} triplets`);
  const evidence = session.evidence("co_authorship_analysis.collaboration_graph");
  for (const { item, sources } of evidence) {
    const named = sources.map(({ source_id }) => source_id);
    assert.ok(named.includes(item.shared_entity), JSON.stringify([item, sources]));
    assert.equal(sources[0].extraction.model, "scripted");
  }
  assert.deepEqual(session.variable("co_authorship_analysis.summary").central, prompts[0]);

  const recording = JSON.parse(JSON.stringify(session.recording()));
  const again = await GaslSession.replay(recording, { graph, strict: true });
  assert.equal(again.snapshot().hash, session.snapshot().hash);
  assert.deepEqual(
    again.state.history.map(({ command, status }) => [command, status]),
    session.state.history.map(({ command, status }) => [command, status]),
  );
  const handed = new GaslSession({ graph, state: session.state });
  assert.equal(handed.snapshot().hash, session.snapshot().hash);
});
