import type { GaslSession, HamNodes, HamStore, Json, NodeCallback } from "byname";
import { isRecord } from "../page/json.js";

type Row = { [field: string]: Json };

/** Node type of this page: converts rows to HAM nodes with stable ids. */
export const findingsType: Row = {
  findings: {
    description: "Converts rows to HAM nodes: their list, and each new or changed row.",
    inputs: [{ key: "rows", type: "JSON", optional: true }],
    outputs: [{ key: "update", type: "object" }],
    effects: true,
  },
};

/** Source of a finding. */
export interface Source {
  id: string;
  text: string;
}

interface Finding {
  key: string;
  item: Json;
  sources: { source_id?: Json; snippet?: Json }[];
}

/** Next question that the button of a row asks, by the kind of its node. */
const nextQuestions: {
  readonly [kind: string]: (id: string) => { label: string; question: string };
} = {
  PERSON: (id) => ({ label: "Crewmates", question: `Who flew with ${id}?` }),
  MISSION: (id) => ({ label: "Crew", question: `Who flew on ${id}?` }),
  SHIP: (id) => ({ label: "Crews", question: `Which crews did the ${id} pick up?` }),
};

/** Kind of each graph node by id. */
export type NodeKinds = ReadonlyMap<string, string>;

export function nodeKinds(graph: Json): NodeKinds {
  const { nodes } = graph as { nodes: Row[] };
  return new Map(nodes.map(({ id, kind }) => [String(id), String(kind)]));
}

/**
 * Returns a node callback that converts rows to HAM nodes. Equal rows get equal ids, so their
 * position in the page is kept.
 */
export function findingsNode(
  session: GaslSession,
  store: HamStore,
  kinds: NodeKinds,
): NodeCallback {
  return async ({ inputs }) => {
    const nodes = findingNodes(inputs["rows"] ?? [], session, kinds);
    return { outputs: { update: editOfStore(nodes, store) } };
  };
}

/** Placeholder for the sources of a row until the answer is complete. */
export const pendingSources: Json = [
  { id: "", text: "Still searching: the sources arrive with the answer." },
];

/** Returns an update that refreshes the opened source lists, and removes those of removed rows. */
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

/** Returns the sources of a row as a HAM node. */
export function sourceNode(evidence: ReadonlyMap<string, Source[]>, title: string): Json {
  const found = evidence.get(title) ?? [];
  return found.length > 0 ? found.map((one) => ({ ...one })) : [{ id: "", text: "No source." }];
}

/** Returns all nodes of an answer, the list of rows first. */
function findingNodes(rows: Json, session: GaslSession, kinds: NodeKinds): Row {
  const list = (Array.isArray(rows) ? rows : [rows]).slice(0, 50).map(asRow);
  const figure = figureField(list);
  const most = Math.max(...list.map((row) => Number(row[figure] ?? 0)), 0);
  const evidence = evidenceByTitle(session);
  const made = new Map<string, Row>();
  for (const row of list) {
    const title = rowTitle(row, figure);
    const name = findingNodeId(title);
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

/** Returns an edit with new and changed nodes, and removals of unused ones. */
function editOfStore(nodes: Row, store: HamStore): Row {
  const removed = Object.keys(store.export()).filter(
    (name) => name.startsWith("f_") && !(name in nodes),
  );
  const changed = Object.entries(nodes).filter(
    ([name, value]) => JSON.stringify(store.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries([...removed.map((name) => [`!${name}`, null]), ...changed]);
}

/** Returns the sources of the last answer by row title. */
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

/** Returns the node id of a row, the same in every answer. */
export function findingNodeId(title: string): string {
  return `f_${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_")}`;
}

function asRow(value: Json): Row {
  if (isRecord(value)) return value;
  return typeof value === "number" ? { id: "In all", number: value } : { id: String(value) };
}

/** Returns the last field that is numeric in all rows, or an empty string. */
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

/** Returns the other fields of a row, or else the parts that it was counted from. */
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
  // A source names the relevant part in parentheses.
  const parts = (evidence.get(title) ?? []).map(({ id }) => /\(([^)]+)\)$/.exec(id)?.[1] ?? id);
  return [...new Set(parts)].join(" · ");
}

function isShort(value: Json): boolean {
  return typeof value === "number" || (typeof value === "string" && value.length <= 60);
}

/** Formats a number; one that may be a year gets no thousands separator. */
function formatFigure(figure: NonNullable<Json>): string {
  const year = Number.isInteger(figure) && Number(figure) >= 1500 && Number(figure) <= 2100;
  return year ? String(figure) : figure.toLocaleString("en");
}

function unitOf(field: string, number: Json): string {
  const words = field.replaceAll("_", " ");
  return number === 1 ? words.replace(/s$/, "") : words;
}
