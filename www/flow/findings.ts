import type { GaslSession, HamNodes, HamStore, Json, NodeCallback } from "byname";

type Row = { [field: string]: Json };

/** The type that this page adds: rows become HAM nodes that keep their names. */
export const findingsType: Row = {
  findings: {
    description:
      "Makes HAM nodes of rows: the list of them, and each row that is new or different.",
    inputs: [{ key: "rows", type: "JSON", optional: true }],
    outputs: [{ key: "update", type: "object" }],
    effects: true,
  },
};

/** Where a finding was found. */
export interface Source {
  id: string;
  text: string;
}

interface Finding {
  key: string;
  item: Json;
  sources: { source_id?: Json; snippet?: Json }[];
}

/** What a row's button asks next, by the kind of the node that the row is about. */
const nextQuestions: {
  readonly [kind: string]: (id: string) => { label: string; question: string };
} = {
  PERSON: (id) => ({ label: "Crewmates", question: `Who flew with ${id}?` }),
  MISSION: (id) => ({ label: "Crew", question: `Who flew on ${id}?` }),
  SHIP: (id) => ({ label: "Crews", question: `Which crews did the ${id} pick up?` }),
};

/** The kind of each node that is a button's business. */
export type NodeKinds = ReadonlyMap<string, string>;

export function nodeKinds(graph: Json): NodeKinds {
  const { nodes } = graph as { nodes: Row[] };
  return new Map(nodes.map(({ id, kind }) => [String(id), String(kind)]));
}

/** Makes HAM nodes of rows. A row about the same thing is the same node, so its place in a page is, too. */
export function findingsNode(
  session: GaslSession,
  store: HamStore,
  kinds: NodeKinds,
): NodeCallback {
  return async ({ inputs }) => {
    const nodes = findingNodes(inputs["rows"] ?? [], session, kinds);
    return { outputs: { update: diffFromStore(nodes, store) } };
  };
}

/** What stands below a row while it is not known yet what the answer rests on. */
export const pendingSources: Json = [
  { id: "", text: "Still looking: the sources come with the answer." },
];

/** The sources that somebody has opened, as those of this answer; those of a row that goes, go with it. */
export function refreshOpenSources(
  update: HamNodes,
  store: HamStore,
  evidence: ReadonlyMap<string, Source[]>,
): HamNodes {
  const opened = Object.keys(store.export()).filter((node) => node.startsWith("why_"));
  return Object.fromEntries(
    opened.map((node) => {
      const row = node.slice("why_".length);
      if (`!${row}` in update) return [`!${node}`, null];
      const { name } = Object(update[row] ?? store.get(row)) as Row;
      return [node, sourceNode(evidence, String(name))];
    }),
  );
}

/** The sources of a row, as a HAM node. */
export function sourceNode(evidence: ReadonlyMap<string, Source[]>, title: string): Json {
  const found = evidence.get(title) ?? [];
  return found.length > 0
    ? found.map((one) => ({ ...one }))
    : [{ id: "", text: "It names no source." }];
}

/** All nodes of an answer, the list of rows first. */
function findingNodes(rows: Json, session: GaslSession, kinds: NodeKinds): Row {
  const list = (Array.isArray(rows) ? rows : [rows]).slice(0, 50).map(asRow);
  const figure = figureField(list);
  const most = Math.max(...list.map((row) => Number(row[figure] ?? 0)), 0);
  const evidence = evidenceByTitle(session);
  const made = new Map<string, Row>();
  for (const row of list) {
    const title = rowTitle(row, figure);
    const name = findingNodeId(title);
    // Two rows about one thing are one row of the page.
    if (made.has(name)) continue;
    const number = row[figure];
    const ask = nextQuestions[kinds.get(title) ?? ""]?.(title);
    made.set(name, {
      name: title,
      detail: rowDetail(row, title, figure, evidence),
      figure:
        number === undefined || number === null
          ? ""
          : `${formatFigure(number)} ${unitOf(figure, number)}`,
      share: most > 0 ? Number(number ?? 0) / most : 0,
      asks: ask ? [ask] : [],
      why: `*why_${name}`,
    });
  }
  return {
    found: { rows: [...made.keys()].map((name) => `*${name}`) },
    ...Object.fromEntries(made),
  };
}

/** The nodes that are not there, or not like this; and those that nobody names any more go. */
function diffFromStore(nodes: Row, store: HamStore): Row {
  const gone = Object.keys(store.export()).filter(
    (name) => name.startsWith("f_") && !(name in nodes),
  );
  const changed = Object.entries(nodes).filter(
    ([name, value]) => JSON.stringify(store.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries([...gone.map((name) => [`!${name}`, null]), ...changed]);
}

/** The sources of what the last answer rests on, by the name of a row. */
export function evidenceByTitle(session: GaslSession): Map<string, Source[]> {
  const found = session.evidence("findings") as unknown as Finding[];
  const sources = new Map<string, Source[]>();
  for (const { key, item, sources: list } of found) {
    const row = asRow(item);
    const title = rowTitle(row, figureField([row]));
    const before = sources.get(title) ?? [];
    const more = list.map(({ source_id, snippet }) => ({
      id: String(source_id ?? key),
      text: String(snippet ?? ""),
    }));
    sources.set(title, [...before, ...more]);
  }
  return sources;
}

/** The name of the node for a row, the same in every answer. */
export function findingNodeId(title: string): string {
  return `f_${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_")}`;
}

function asRow(value: Json): Row {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  return typeof value === "number" ? { id: "In all", number: value } : { id: String(value) };
}

/** The number that rows are about: the last field that is one in all of them. */
function figureField(rows: readonly Row[]): string {
  const [first = {}] = rows;
  const numbers = Object.keys(first).filter((field) =>
    rows.every((row) => typeof row[field] === "number"),
  );
  return numbers.at(-1) ?? "";
}

function rowTitle(row: Row, figure: string): string {
  const texts = Object.entries(row).filter(([field, value]) => field !== figure && value !== null);
  return String(row["id"] ?? row["name"] ?? texts[0]?.[1] ?? "In all");
}

/** What else the row says; where it says nothing, what it was counted from. */
function rowDetail(
  row: Row,
  title: string,
  figure: string,
  evidence: ReadonlyMap<string, Source[]>,
): string {
  const rest = Object.entries(row)
    .filter(([field, value]) => field !== figure && value !== title && isShort(value))
    .map(([field, value]) => (typeof value === "number" ? `${value} ${field}` : String(value)));
  if (rest.length > 0) return rest.slice(0, 4).join(" · ");
  // A source says in brackets which part of it is meant.
  const parts = (evidence.get(title) ?? []).map(({ id }) => /\(([^)]+)\)$/.exec(id)?.[1] ?? id);
  return [...new Set(parts)].join(" · ");
}

function isShort(value: Json): boolean {
  return typeof value === "number" || (typeof value === "string" && value.length <= 60);
}

/** What may be a year is not written as a count is. */
function formatFigure(figure: NonNullable<Json>): string {
  const year = Number.isInteger(figure) && Number(figure) >= 1500 && Number(figure) <= 2100;
  return year ? String(figure) : figure.toLocaleString("en");
}

function unitOf(field: string, number: Json): string {
  const words = field.replaceAll("_", " ");
  return number === 1 ? words.replace(/s$/, "") : words;
}
