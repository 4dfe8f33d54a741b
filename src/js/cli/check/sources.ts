import { findMessages } from "../../catalog/check/message-spans.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import { repairSlips } from "../../messages/repair.js";
import { HamStore } from "../../store.js";
import type { Diagnostic } from "../../types.js";

/** Message of a file with its location. */
export interface PlacedMessage {
  value: unknown;
  /** Offset of the JSON text that contains the message. */
  start: number;
  /** Pointer to the message in that text. */
  pointer: string;
}

/** Messages of a file, and the diagnostics of its JSON syntax. */
export interface Sources {
  messages: PlacedMessage[];
  diagnostics: Diagnostic[];
  /** Spans of the valid JSON texts. */
  spans: { start: number; end: number }[];
}

/** Reads the messages of a text: one, a list, `{messages}`, or several with other text between. */
export function readSources(text: string): Sources {
  const sources: Sources = { messages: [], diagnostics: [], spans: [] };
  const found = findMessages(text);
  for (const { start, end, value } of found) {
    const repaired = value === undefined ? repairSlips(text.slice(start, end)) : undefined;
    const parsed = repaired === undefined ? value : (JSON.parse(repaired.json) as unknown);
    if (repaired) sources.diagnostics.push(...placed(repaired.diagnostics, start));
    if (parsed === undefined) {
      sources.diagnostics.push(...syntaxErrors(text.slice(start, end), start));
      continue;
    }
    sources.spans.push({ start, end });
    sources.messages.push(...messagesOf(parsed, start));
  }
  // The list around valid messages may be invalid.
  const isList = /^\s*\[/.test(text) && found.every(({ start }) => text[start] === "{");
  if (isList && sources.diagnostics.length === 0)
    sources.diagnostics.push(...(repairSlips(text)?.diagnostics ?? syntaxErrors(text, 0)));
  return sources;
}

function messagesOf(value: unknown, start: number): PlacedMessage[] {
  const list = listOf(value);
  if (list === undefined) return [{ value, start, pointer: "" }];
  return list.items.map((item, at) => ({
    value: item,
    start,
    pointer: `${list.pointer}/${at}`,
  }));
}

function listOf(value: unknown): { items: unknown[]; pointer: string } | undefined {
  if (Array.isArray(value)) return { items: value, pointer: "" };
  const items = isJsonObject(value) ? (value as JsonObject)["messages"] : undefined;
  return Array.isArray(items) ? { items, pointer: "/messages" } : undefined;
}

/** Returns the syntax errors of JSON text that begins at an offset. */
function syntaxErrors(text: string, start: number): Diagnostic[] {
  const { diagnostics } = new HamStore().apply(text);
  return placed(
    diagnostics.filter(({ code }) => code.startsWith("JSON")),
    start,
  );
}

/** Moves the locations of diagnostics by the offset of their text. */
export function placed(diagnostics: readonly Diagnostic[], start: number): Diagnostic[] {
  return diagnostics.map((one) => {
    const { location } = one;
    if (location?.kind !== "text") return one;
    const moved = { kind: "text", start: location.start + start, end: location.end + start };
    return { ...one, location: moved as NonNullable<Diagnostic["location"]> };
  });
}
