import type { Json } from "byname";
import { formatCount } from "../page/format.js";
import { asList, asRecord, isRecord, type JsonRecord } from "../page/json.js";
import { type Separation, splitLog } from "./log-values.js";

/** Format of a log of messages. */
export interface LogFormat {
  /** Whether data are addressed by path (A2UI) or by node (HAM). */
  language: "A2UI" | "HAM";
  /** Versions of A2UI with a `v`, in the order of their first message. */
  versions: string[];
  /** Transports that contain messages, such as `AG-UI events`; else the separation of the messages. */
  carriers: string[];
  messageCount: number;
  /** Ids of the surfaces in the order of their first message. */
  surfaces: string[];
  /** Whether a message creates a surface. */
  createsSurface: boolean;
}

const messageKeys = [
  ...["createSurface", "updateComponents", "updateDataModel", "deleteSurface"],
  ...["beginRendering", "surfaceUpdate", "dataModelUpdate"],
  ...["callRendererFunction", "agentFunctionResponse", "callFunction", "actionResponse"],
];
const v08Keys = /^(?:beginRendering|surfaceUpdate|dataModelUpdate)$/;
/** Key of a message in a text that is not valid JSON. */
const messageKeyText = new RegExp(`"(?:${messageKeys.join("|")})"\\s*:\\s*\\{`);

const separationNames: { readonly [separation in Separation]: string[] } = {
  list: ["a JSON list"],
  lines: ["JSON lines"],
  events: ["server-sent events"],
  single: [],
};

/** Keys of the parts, events and responses of A2A. */
const a2aKeys = ["kind", "parts", "jsonrpc", "artifactUpdate", "statusUpdate", "task"];

/** Maximum number of JSON texts that contain one another. */
const maxDecodings = 2;
/** Maximum number of levels of a frame. */
const maxDepth = 40;

/** Recognises a log of messages for surfaces; returns null for any other text. */
export function recogniseLog(text: string): LogFormat | null {
  const { values, separation } = splitLog(text);
  const found = values.map((value) => ({ value, messages: messagesIn(value) }));
  const used = found.filter(({ messages }) => messages.length > 0);
  const transports = new Set(used.flatMap(({ value }) => transportOf(value) ?? []));
  // Activities repeat their earlier messages.
  const isRepeating = transports.has("AG-UI events");
  const all = used.flatMap(({ messages }) => messages);
  const messages = isRepeating ? distinctMessages(all) : all;
  if (messages.length === 0 && !messageKeyText.test(text)) return null;
  const language = messages.some(isHam) ? "HAM" : "A2UI";
  return {
    language,
    versions: language === "HAM" ? [] : [...new Set(messages.flatMap((one) => versionOf(one)))],
    carriers: transports.size > 0 ? [...transports] : separationNames[separation],
    messageCount: messages.length,
    surfaces: [...new Set(messages.flatMap((one) => surfaceOf(one) ?? []))],
    createsSurface: messages.some((one) => "createSurface" in one || "beginRendering" in one),
  };
}

/** Describes a format: `A2UI v0.9 in AG-UI events, 14 messages, 1 surface`. */
export function describeLog(format: LogFormat): string {
  const { language, versions, carriers, messageCount, surfaces } = format;
  const kind = [language, versions.join(" and ")].filter((word) => word !== "").join(" ");
  const source = carriers.length > 0 ? ` in ${carriers.join(" and ")}` : "";
  const counts = [
    messageCount === 0 ? "no complete message" : formatCount(messageCount, "message"),
    ...(surfaces.length > 0 ? [formatCount(surfaces.length, "surface")] : []),
  ];
  return `${kind}${source}, ${counts.join(", ")}`;
}

/** Returns the id of the surface that a message names, or undefined. */
export function surfaceOf(message: JsonRecord): string | undefined {
  const key = messageKeys.find((one) => isRecord(message[one]));
  const { surfaceId } = asRecord(key === undefined ? null : message[key]);
  return typeof surfaceId === "string" ? surfaceId : undefined;
}

/** Returns the messages in a value, also in frames and in JSON texts inside them. */
function messagesIn(value: Json, depth = 0, decodings = 0): JsonRecord[] {
  if (depth > maxDepth) return [];
  if (typeof value === "string") return messagesInText(value, depth, decodings);
  if (Array.isArray(value)) return value.flatMap((one) => messagesIn(one, depth + 1, decodings));
  if (!isRecord(value)) return [];
  if (messageKeys.some((key) => isRecord(value[key]))) return [value];
  return Object.values(value).flatMap((one) => messagesIn(one, depth + 1, decodings));
}

function messagesInText(text: string, depth: number, decodings: number): JsonRecord[] {
  if (decodings >= maxDecodings || !/^\s*["[{]/.test(text)) return [];
  try {
    return messagesIn(JSON.parse(text) as Json, depth + 1, decodings + 1);
  } catch {
    return [];
  }
}

/** Returns the transport of a frame, or undefined for a message. */
function transportOf(value: Json): string | undefined {
  const frame = asRecord(value);
  const { type, result } = frame;
  const has = (...keys: string[]): boolean => keys.some((key) => key in frame);
  if (has(...messageKeys)) return undefined;
  if (typeof type === "string" && /^[A-Z]+(?:_[A-Z]+)*$/.test(type)) return "AG-UI events";
  const content = isRecord(result) ? result : frame;
  if ("content" in content || "contents" in content || "resource" in content) return "MCP results";
  if (a2aKeys.some((key) => has(key)) || isRecord(frame["message"])) return "A2A parts";
  if (has("payload")) return "`{type, payload}`";
  return has("messages") ? "`{messages}`" : undefined;
}

function distinctMessages(messages: readonly JsonRecord[]): JsonRecord[] {
  return [...new Map(messages.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns whether a message has nodes or bindings. */
function isHam({ updateDataModel, updateComponents, createSurface }: JsonRecord): boolean {
  const components = [updateComponents, createSurface].flatMap((body) =>
    asList(asRecord(body)["components"]),
  );
  const { nodes, edits } = asRecord(updateDataModel);
  return (
    isRecord(nodes) ||
    isRecord(edits) ||
    components.some((one) => /"binding":\{/.test(JSON.stringify(one)))
  );
}

/** Returns the version of an A2UI message; none if neither its `version` nor its keys show it. */
function versionOf(message: JsonRecord): string[] {
  const { version } = message;
  if (typeof version === "string") return [`v${version.replace(/^v/, "")}`];
  if (Object.keys(message).some((key) => v08Keys.test(key))) return ["v0.8"];
  return /"@(?:path|call)":/.test(JSON.stringify(message)) ? ["v1.0"] : [];
}
