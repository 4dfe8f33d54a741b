import type { Json, Plan } from "byname";

/**
 * Short prompts for a small local model. It reads about ten tokens per second without a GPU, so the
 * workflow's own prompts would take minutes. The prompt has the schema of the graph and examples; a
 * grammar restricts the reply to valid queries.
 */

type Row = { [field: string]: Json };
interface GraphJson {
  nodes: readonly Row[];
  links: readonly Row[];
}

export interface ShortPrompt {
  system: string;
  prompt: string;
  gbnf: string;
}

const promptExamples: readonly (readonly [question: string, lines: string])[] = [
  [
    "Which rocket launched most missions?",
    'FIND edges WHERE type = "LAUNCHED_BY" AS found\nCOUNT found BY target AS answer',
  ],
  [
    "Who is the youngest?",
    'FIND nodes WHERE kind = "PERSON" AS found\nRANK found BY born AS answer',
  ],
  ["Where did missions land?", 'FIND edges WHERE type = "LANDED_AT" AS answer'],
  ["Who flew on Gemini 7?", 'FIND edges WHERE type = "FLEW_ON" AND target = "Gemini 7" AS answer'],
  [
    "What did the USS Wasp pick up?",
    'FIND edges WHERE type = "RECOVERED_BY" AND target = "USS Wasp" AS answer',
  ],
  ["List the ships.", 'FIND nodes WHERE kind = "SHIP" AS answer'],
];

/** Returns the prompt for a plan. Only the question differs, so that the prefix stays cached. */
export function shortPlanPrompt(question: string, graph: Json): ShortPrompt {
  const { kinds, relations } = graphSchema(graph as unknown as GraphJson);
  const nodes = [...kinds].map(
    ([kind, { numbers }]) => `${kind} (${["id", ...numbers].join(", ")})`,
  );
  const edges = [...relations].map(
    ([type, { source, target }]) => `${[...source].join("|")} ${type} ${[...target].join("|")}`,
  );
  return {
    system: `Write the query for a question about space flights.\nNodes: ${nodes.join(", ")}\nEdges, source type target: ${edges.join(", ")}`,
    prompt: [...promptExamples, [oneLine(question)]]
      .map(([asked, lines]) => `Question: ${asked}\n${lines ?? "Query:"}`)
      .join("\n\n"),
    gbnf: queryGrammar(question, graph as unknown as GraphJson),
  };
}

/** Returns a text on one line, so that it looks like no other part of a prompt. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Completes the lines of a small model to a plan; added commands are labelled. */
export function completePlan(question: string, text: string): Plan {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = lines.pop() ?? "";
  const edges = /\bedges\b/.test(text);
  const side = /BY (source|target)/.exec(last)?.[1];
  const fixed = / AND (source|target) =/.exec(text)?.[1];
  const isCount = side !== undefined;
  const who = side ?? (fixed === "source" ? "target" : "source");
  const added = "Added by the page";
  const finalCommands = isCount
    ? [
        {
          command: "RANK answer BY count LIMIT 8 AS answer",
          why: `${added}: largest count first.`,
        },
        { command: `SELECT answer FIELDS ${who}:id, count AS answer`, why: `${added}: the rows.` },
      ]
    : edges
      ? [
          {
            command: `SELECT answer FIELDS ${who}:id, ${who === "source" ? "target" : "source"}, hours AS answer`,
            why: `${added}: the rows.`,
          },
        ]
      : /^RANK/.test(last)
        ? [{ command: "SELECT answer LIMIT 8 AS answer", why: `${added}: the first eight.` }]
        : [];
  return {
    plan_id: "small",
    why: question,
    commands: [
      { command: "DECLARE findings AS LIST", why: `${added}: a list for the findings.` },
      ...[...lines, last].map((command) => ({ command, why: "" })),
      ...finalCommands,
      {
        command: "UPDATE findings WITH answer REPLACE",
        why: `${added}: store the rows with their sources.`,
      },
    ],
    config: { continue_on_empty: true },
  } as unknown as Plan;
}

/** Returns the prompt for a sentence about the rows. */
export function shortAnswerPrompt(question: string, rows: readonly Row[]): ShortPrompt {
  const rowLines = rows.slice(0, 5).map((row) =>
    Object.entries(row)
      .filter(
        ([field, value]) => ["string", "number"].includes(typeof value) && field !== "source_id",
      )
      .slice(0, 3)
      .map(([field, value]) => oneLine(field === "id" ? String(value) : `${value} ${field}`))
      .join(", "),
  );
  return {
    system: "You answer questions in one short sentence, from the rows that you are given.",
    prompt: `Question: ${oneLine(question)}\nRows, best first, ${rows.length} in all:\n${rowLines.join("\n")}`,
    gbnf: "root ::= [A-Z0-9] [^\\n]{15,160}",
  };
}

interface GraphSchema {
  kinds: Map<string, { names: string[]; numbers: Set<string> }>;
  relations: Map<string, { source: Set<string>; target: Set<string> }>;
}

function graphSchema({ nodes, links }: GraphJson): GraphSchema {
  const of = new Map(nodes.map(({ id, kind }) => [String(id), String(kind)]));
  const kinds: GraphSchema["kinds"] = new Map();
  for (const node of nodes) {
    const one = kinds.get(String(node["kind"])) ?? { names: [], numbers: new Set() };
    kinds.set(String(node["kind"]), one);
    one.names.push(String(node["id"]));
    for (const [field, value] of Object.entries(node))
      if (typeof value === "number") one.numbers.add(field);
  }
  const relations: GraphSchema["relations"] = new Map();
  for (const { type, source, target } of links) {
    const one = relations.get(String(type)) ?? { source: new Set(), target: new Set() };
    relations.set(String(type), one);
    one.source.add(of.get(String(source)) ?? "");
    one.target.add(of.get(String(target)) ?? "");
  }
  return { kinds, relations };
}

/**
 * Returns a GBNF grammar of valid queries of the graph. If the question names nodes, the query must
 * contain one.
 */
function queryGrammar(question: string, graph: GraphJson): string {
  const { kinds, relations } = graphSchema(graph);
  const named = (of: ReadonlySet<string>): string[] =>
    [...of].flatMap((kind) =>
      (kinds.get(kind)?.names ?? []).filter((name) => mentionsWord(question, name)),
    );
  const about = [...relations].flatMap(([type, sides]) =>
    (["source", "target"] as const).flatMap((side) =>
      named(sides[side]).map(
        (name) => `FIND edges WHERE type = "${type}" AND ${side} = "${name}" AS answer`,
      ),
    ),
  );
  if (about.length > 0) return `root ::= ${about.map(gaslLiteral).join(" | ")}`;
  const nodes = [...kinds].flatMap(([kind, { numbers }]) => [
    `FIND nodes WHERE kind = "${kind}" AS answer`,
    ...[...numbers].map(
      (field) => `FIND nodes WHERE kind = "${kind}" AS found\nRANK found BY ${field} AS answer`,
    ),
  ]);
  const edges = [...relations.keys()].flatMap((type) => [
    `FIND edges WHERE type = "${type}" AS answer`,
    ...["source", "target"].map(
      (side) => `FIND edges WHERE type = "${type}" AS found\nCOUNT found BY ${side} AS answer`,
    ),
  ]);
  return `root ::= ${[...nodes, ...edges].map(gaslLiteral).join(" | ")}`;
}

/** Returns whether a text contains a name as a separate word. */
export function mentionsWord(text: string, name: string): boolean {
  const exactly = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${exactly}(?![\\p{L}\\p{N}])`, "iu");
  return name !== "" && alone.test(text);
}

function gaslLiteral(text: string): string {
  return JSON.stringify(text);
}
