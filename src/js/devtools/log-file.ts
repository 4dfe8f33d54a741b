import { assertString } from "../arguments.js";
import { asList, asObject, isJsonObject, type JsonObject } from "../json-value.js";
import { MESSAGE_KEYS } from "../messages/frames/frame.js";
import type { Json } from "../types.js";
import type { EventLog } from "./event-log.js";
import type { EntryKind, LogEntry } from "./types.js";

/** Version of the exported logs. */
export const LOG_VERSION = 1;

/** Value of the key `byname` in exported logs. */
const FORMAT = "devtools-log";

/** Log of a file. */
export interface ImportedLog {
  entries: LogEntry[];
  messages: Json[];
}

/**
 * Returns a log as JSON text. It contains the messages, as `byname/messages` and the playground
 * read them, and the entries as a JSON text, which name messages by their index.
 */
export function printLog(log: EventLog, messages: readonly Json[], source?: string): string {
  const indices = new Map(messages.map((message, index) => [message, index]));
  const entries = log.entries
    .filter((entry) => source === undefined || entry.source === source)
    .map((entry) => {
      if (entry.kind !== "message") return entry;
      const { message, applied, ...rest } = entry;
      const index = indices.get(message) ?? indices.get(applied?.[0] ?? null);
      // A text that is not JSON is not a message.
      return index === undefined ? { ...rest, text: describeMessage(message) } : { ...rest, index };
    });
  const { dropped } = log;
  // A text, because readers of streams would mistake entries for messages.
  const rest = { dropped, messages, entries: JSON.stringify(entries) };
  return JSON.stringify({ byname: FORMAT, version: LOG_VERSION, ...rest }, null, 1);
}

function describeMessage(message: Json): string {
  return typeof message === "string" ? message : "";
}

/** Reads an exported log, or a list of messages. Returns an error for the user if it is neither. */
export function parseLog(
  text: string,
): { ok: true; log: ImportedLog } | { ok: false; error: string } {
  assertString(text, "a log");
  const value = parseJson(text);
  if (value === undefined)
    return failedImport(
      "expected a log as JSON, found other text: open a file that `Export` has saved",
    );
  const file = asObject(value);
  const messages = asList(file ? file["messages"] : value);
  if (file?.["byname"] === FORMAT) {
    const { version } = file;
    if (version !== LOG_VERSION) return failedImport(versionError(version));
    const entries = asList(parseJson(file["entries"])).map((entry) => toEntry(entry, messages));
    const valid = entries.filter((entry) => entry !== undefined);
    const broken = entries.length - valid.length;
    if (broken > 0)
      return failedImport(
        `expected entries of a log, found ${broken} invalid: export the log again`,
      );
    return { ok: true, log: { entries: valid, messages: [...messages] } };
  }
  if (messages.length > 0 && messages.every(isMessage))
    return { ok: true, log: { entries: messages.map(toMessageEntry), messages: [...messages] } };
  const found = describeImport(value, messages);
  return failedImport(
    `expected an exported log or a list of messages, found ${found}: open a file that \`Export\` has saved`,
  );
}

/** Describes JSON that is neither a log nor a list of messages. */
function describeImport(value: Json, messages: readonly Json[]): string {
  const index = messages.findIndex((message) => !isMessage(message));
  if (index >= 0) return `an item ${index} that is not a message`;
  if (Array.isArray(value)) return "an empty list";
  return isJsonObject(value) ? "an object without messages" : typeName(value);
}

function typeName(value: Json): string {
  return value === null ? "null" : `a ${typeof value}`;
}

function parseJson(text: Json | undefined): Json | undefined {
  try {
    return JSON.parse(String(text)) as Json;
  } catch {
    return undefined;
  }
}

function failedImport(error: string): { ok: false; error: string } {
  return { ok: false, error };
}

function versionError(version: Json | undefined): string {
  const found = version === undefined ? "none" : JSON.stringify(version);
  const isNewer = typeof version === "number" && version > LOG_VERSION;
  const help = isNewer ? "update byname on this page" : "export the log again with this version";
  return `expected a log of version ${LOG_VERSION}, found ${found}: ${help}`;
}

function isMessage(value: Json): boolean {
  return isJsonObject(value) && MESSAGE_KEYS.some((key) => key in value);
}

function toMessageEntry(message: Json, index: number): LogEntry {
  const content = { kind: "message", message, from: "agent", ok: true } as const;
  const unknown = { time: "", source: "", diagnostics: [], duration: 0, length: 0 };
  return { id: index + 1, ...unknown, ...content };
}

type EntryShape = { [key: string]: "string" | "number" | "boolean" | "list" | "object" };

/** Required keys of each kind of entry. */
const SHAPES: { readonly [kind in EntryKind]: EntryShape } = {
  message: { from: "string", ok: "boolean", diagnostics: "list", duration: "number" },
  changes: { changes: "list", count: "number" },
  input: { key: "string", prop: "string" },
  action: { action: "object" },
  note: { title: "string" },
  begin: { run: "number", title: "string" },
  plan: { run: "number", plan: "object" },
  step: { run: "number", record: "object" },
  event: { run: "number", event: "object" },
  end: { run: "number", status: "string", diagnostics: "list" },
};

function toEntry(value: Json, messages: readonly Json[]): LogEntry | undefined {
  const entry = asObject(value);
  const kind = entry?.["kind"];
  if (!entry || typeof kind !== "string" || !Object.hasOwn(SHAPES, kind)) return undefined;
  const shape = { id: "number", time: "string", source: "string", ...SHAPES[kind as EntryKind] };
  const isValid = Object.entries(shape).every(([key, type]) => hasType(entry[key], type as never));
  if (!isValid || !hasObjects(entry)) return undefined;
  if (kind !== "message") return entry as unknown as LogEntry;
  const { index, text, ...rest } = entry;
  const message = typeof index === "number" ? messages[index] : (text ?? "");
  return message === undefined ? undefined : ({ ...rest, message } as unknown as LogEntry);
}

/** Returns whether the lists of an entry contain only objects. */
function hasObjects(entry: JsonObject): boolean {
  return ["diagnostics", "changes"].every((key) => asList(entry[key]).every(isJsonObject));
}

function hasType(value: Json | undefined, type: EntryShape[string]): boolean {
  if (type === "list") return Array.isArray(value);
  return type === "object" ? isJsonObject(value) : typeof value === type;
}
