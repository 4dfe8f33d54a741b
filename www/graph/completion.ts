import type { GraphSummary } from "byname";
import type { Completion, CompletionList } from "../editor/pane.js";
import type { GraphModel } from "./graph-model.js";
import { commandDescriptions, keywords, measures } from "./keywords.js";
import { parsePlan } from "./plan.js";
import type { Frame } from "./run.js";

export interface CompletionData {
  summary: GraphSummary | null;
  /** Variables of the state and of the run, with a description. */
  variables: ReadonlyMap<string, string>;
  /** Node ids of a small graph. */
  ids: readonly string[];
}

/** Returns the names that a plan can use after a step. */
export function completionDataAt(
  frame: Frame | undefined,
  sight: GraphModel | null,
): CompletionData {
  const made = [...(frame?.results.keys() ?? [])];
  const kept = Object.keys(frame?.state.variables ?? {});
  return {
    summary: sight?.summary ?? null,
    variables: new Map([
      ...made.map((name): [string, string] => [name, "of this run"]),
      ...kept.map((name): [string, string] => [name, "in the state"]),
    ]),
    ids: sight?.ids ?? [],
  };
}

interface Field {
  name: string;
  kind: string;
  frequent?: { value: unknown; count: number }[];
}

/** Returns completions in a plan: keywords, names, fields and their values. */
export function completionsAt(
  text: string,
  offset: number,
  getData: () => CompletionData,
): CompletionList | null {
  const plan = parsePlan(text);
  const entry = plan.entries.find(({ start, end }) => start <= offset && offset <= end);
  if (plan.json && !entry) return null;
  const lineFrom = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(entry?.start ?? lineFrom, offset);
  if (/^\s*(?:--|#)/.test(before)) return null;
  const { summary, variables, ids } = getData();
  const all: Field[] = [...asFields(summary?.node_fields), ...asFields(summary?.edge_fields)];
  const list = (length: number, options: Completion[]): CompletionList => ({
    from: offset - length,
    options,
  });

  const value =
    /([\w.]+)\s*(?:!?=|\b(?:IN|CONTAINS|STARTS_WITH)\b)\s*\[?(?:[^\]]*,)?\s*(\\?["'])?([^"'\\]*)$/i.exec(
      before,
    );
  if (value) {
    const [, attribute = "", quote, part = ""] = value;
    const field = fieldNamed(all, attribute);
    const values =
      attribute === "id" || attribute === "source" || attribute === "target"
        ? ids.map((label) => ({ label, detail: "node" }))
        : (field?.frequent ?? []).map(({ value: one, count }) => ({
            label: String(one),
            detail: `${count} rows`,
          }));
    // Quotes in a JSON plan are escaped.
    const mark = plan.json ? '\\"' : '"';
    const wrap = (label: string) => (field?.kind === "number" ? label : `${mark}${label}${mark}`);
    if (quote !== undefined) return list(part.length, values);
    if (!part.includes(" "))
      return list(
        part.length,
        values.map((one) => ({ ...one, insert: wrap(one.label) })),
      );
  }
  // Free text has no completions.
  if ((before.replaceAll('\\"', '"').match(/"/g)?.length ?? 0) % 2 === 1) return null;
  const part = /[$\w{]*$/.exec(before)?.[0] ?? "";
  const head = before.slice(0, before.length - part.length);
  const names = [...new Map([...variables, ...declaredNames(text)])].map(([label, detail]) => ({
    label,
    detail,
  }));
  if (part.startsWith("${")) {
    const length = part.length - 2;
    return list(
      length,
      names.map((one) => ({ ...one, insert: `${one.label}}` })),
    );
  }
  const atCommandStart = /^\s*$/.test(head) || /\b(?:THEN|ELSE|TRY|CATCH|FINALLY)\s+$/i.test(head);
  if (atCommandStart)
    return list(
      part.length,
      Object.entries(commandDescriptions).map(([label, detail]) => ({ label, detail })),
    );
  const [, last = ""] = /(\w+)\s+$/.exec(head) ?? [];
  const fields = all.map(({ name, kind }) => ({ label: name, detail: kind }));
  if (/^find$/i.test(last))
    return list(
      part.length,
      ["nodes", "edges", "paths", "shortest paths"].map((label) => ({ label })),
    );
  if (/^measure$/i.test(last))
    return list(
      part.length,
      measures.map((label) => ({ label, detail: "of nodes" })),
    );
  if (/^as$/i.test(last)) return null;
  if (/^direction$/i.test(last))
    return list(
      part.length,
      ["out", "in", "any"].map((label) => ({ label })),
    );
  const relations = fieldNamed(asFields(summary?.edge_fields), summary?.relation_field);
  if (/^follow$/i.test(last))
    return list(part.length, [
      ...(relations?.frequent ?? []).map(({ value: one, count }) => ({
        label: String(one),
        detail: `${count} rows`,
      })),
      ...asFields(summary?.edge_fields).map(({ name, kind }) => ({ label: name, detail: kind })),
    ]);
  const expectsField =
    /^(?:where|and|or|by|fields|of|not|weight)$/i.test(last) ||
    /\bFIELDS\s[\w\s,]*,\s*$/i.test(head);
  const keywordCompletions = keywords.map((label) => ({ label, detail: "word" }));
  const id = { label: "id", detail: "of a node" };
  return list(
    part.length,
    expectsField
      ? [id, ...fields, ...names, ...keywordCompletions]
      : [...names, ...keywordCompletions, ...fields],
  );
}

/** Returns the field of a name, which may have a prefix as in `source.kind`. */
function fieldNamed(fields: Field[], name: string | undefined): Field | undefined {
  const bare = name?.replace(/^(?:source|target|start|end|edge|node)\./, "");
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.name === bare);
}

/** Returns the names that the plan declares or assigns. */
function declaredNames(text: string): [string, string][] {
  const made = [...text.matchAll(/\bAS\s+([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  const declared = [...text.matchAll(/\bDECLARE\s+([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  const kinds = new Set(["LIST", "DICT", "COUNTER"]);
  return [...new Set([...declared, ...made])]
    .filter((name) => !kinds.has(name))
    .map((name) => [name, "of this plan"]);
}

function asFields(fields: unknown): Field[] {
  return Array.isArray(fields) ? (fields as Field[]) : [];
}
