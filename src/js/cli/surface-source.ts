import { isDeeper, maxDepth } from "../a2ui/path-checks.js";
import { diagnostic, type Message, sizeDiagnostic } from "../a2ui/translation.js";
import { checkEnvelope } from "../a2ui/versions.js";
import { jsonError } from "../catalog/check/json-error.js";
import { findMessages, locatePaths, type MessageSpan } from "../catalog/check/message-spans.js";
import { closestMatch, quote } from "../catalog/check/suggestions.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject } from "../json-value.js";
import { noMessageDiagnostic } from "../messages/diagnostics.js";
import { filterEventStream } from "../messages/event-filter.js";
import { MESSAGE_KEYS } from "../messages/frames/frame.js";
import type { Diagnostic, Json } from "../types.js";
import { type Format, listedMessages } from "./format.js";

const TOO_DEEP = "the message is nested too deep";

/** Message of a file, with its location in the text. */
export interface SourceMessage {
  readonly message: Message;
  /** Moves diagnostics from a pointer in the message to an offset in the text. */
  locate(diagnostics: readonly Diagnostic[]): Diagnostic[];
}

/** Messages of a file. With an error there are none. */
export interface SurfaceSource {
  readonly messages: readonly SourceMessage[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the messages of a text: JSON with one or a list of them, or objects between other text. */
export function readMessages(source: string, format: Format): SurfaceSource {
  const text = filterEventStream(source);
  const spans = findMessages(text);
  if (spans.length === 0) return { messages: [], diagnostics: [noMessageDiagnostic(text.trim())] };
  const messages: SourceMessage[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, span] of spans.entries()) {
    const { value } = span as { value?: Json };
    if (value === undefined) {
      const name = spans.length === 1 ? "the message" : `message ${index + 1}`;
      const { path: _, ...error } = jsonError(text, span, name);
      diagnostics.push(error);
      continue;
    }
    for (const [at, one] of listedMessages(value).entries()) {
      const pointer = pointerInSpan(value, at);
      const locate = (found: readonly Diagnostic[]): Diagnostic[] =>
        found.map((item) => inText(item, pointer, text, span));
      const isTooDeep = isDeeper(one, maxDepth);
      const error = isTooDeep ? sizeDiagnostic(TOO_DEEP, "") : messageError(one, format);
      if (error === undefined) messages.push({ message: one as Message, locate });
      else diagnostics.push(...locate([error]));
    }
  }
  if (messages.length === 0 && diagnostics.length === 0)
    diagnostics.push(noMessageDiagnostic(text.trim()));
  return diagnostics.length > 0 ? { messages: [], diagnostics } : { messages, diagnostics };
}

/** Returns the pointer of a message in the value of its span. */
function pointerInSpan(value: Json, index: number): string {
  if (Array.isArray(value)) return `/${index}`;
  return isJsonObject(value) && Array.isArray(value["messages"]) ? `/messages/${index}` : "";
}

/** Returns the error for a value that is not a message. */
function messageError(value: Json, format: Format): Diagnostic | undefined {
  if (!isJsonObject(value)) {
    const text = `expected a message, found ${typeName(value)}`;
    return diagnostic("A2UI009", text, `write an object with ${KNOWN_MESSAGES}`, "", "error");
  }
  const key = Object.keys(value).find((one) => MESSAGE_KEYS.includes(one));
  if (key === undefined) return unknownMessage(value, format);
  const body = value[key] as Json;
  // A missing body is reported by the version that it belongs to.
  if (!isJsonObject(body)) {
    const text = `expected an object as \`${key}\`, found ${typeName(body)}`;
    const help = `write an object, as in {"${key}": {"surfaceId": "s"}}`;
    return diagnostic("A2UI009", text, help, `/${key}`, "error");
  }
  const envelope = checkEnvelope(value);
  if (envelope !== undefined) return envelope;
  return bodyError(key, body, format);
}

/** Returns the error for a body that is not converted, because its parts have other types. */
function bodyError(
  key: string,
  body: { [key: string]: Json },
  format: Format,
): Diagnostic | undefined {
  const { components, edits } = body;
  const name = edits === undefined ? "nodes" : "edits";
  const nodes = body[name];
  const isRequired = key === "updateComponents";
  if ((components !== undefined || isRequired) && !Array.isArray(components)) {
    const found = components === undefined ? "nothing" : typeName(components);
    const text = `expected a list in \`components\`, found ${found}`;
    const help = 'write a list, as in {"components": [{"id": "root", "component": "Text"}]}';
    const at = components === undefined ? `/${key}` : `/${key}/components`;
    return diagnostic("A2UI009", text, help, at, "error");
  }
  if (key === "updateDataModel" && edits !== undefined && body["nodes"] !== undefined) {
    const text = "expected either `nodes` or `edits`, found both";
    return diagnostic("A2UI009", text, "keep one of them", `/${key}/edits`, "error");
  }
  if (format === "ham" && key === "updateDataModel" && !isJsonObject(nodes)) {
    const found = nodes === undefined ? "nothing" : typeName(nodes);
    const text = `expected an object in \`${name}\`, found ${found}`;
    const help = 'write a map of ids to values, as in {"nodes": {"root": {"title": "Hi"}}}';
    const at = nodes === undefined ? `/${key}` : `/${key}/${name}`;
    return diagnostic("A2UI009", text, help, at, "error");
  }
  return undefined;
}

const KNOWN_MESSAGES = MESSAGE_KEYS.slice(0, 4)
  .map((name) => `\`${name}\``)
  .join(", ");

/** Returns the error for an object without a known message: an unknown message, or nodes. */
function unknownMessage(value: Message, format: Format): Diagnostic {
  const keys = Object.keys(value).filter((key) => key !== "version");
  const typo = keys.find((key) => closestMatch(key, MESSAGE_KEYS) !== undefined);
  const isNodes = format === "nodes" && typo === undefined && keys.length > 0;
  if (isNodes) {
    const text = `expected messages, found nodes such as ${quote(keys[0] as string)}`;
    const help = 'wrap the nodes: {"updateDataModel": {"nodes": {…}}}';
    return diagnostic("A2UI009", text, help, "", "error");
  }
  const name = typo ?? keys[0];
  const found = name === undefined ? "an empty object" : quote(name);
  const text = `expected a message such as \`updateComponents\`, found ${found}`;
  const near = name === undefined ? undefined : closestMatch(name, MESSAGE_KEYS);
  const help = `${near === undefined ? "" : `did you mean \`${near}\`? `}write one of ${KNOWN_MESSAGES}`;
  const pointer = name === undefined ? "" : `/${escapePointer(name)}`;
  return diagnostic("A2UI009", text, help, pointer, "error");
}

/** Returns a diagnostic with the offsets of its pointer, or those of the closest value around it. */
function inText(
  { location, ...rest }: Diagnostic,
  base: string,
  text: string,
  span: MessageSpan,
): Diagnostic {
  if (location?.kind !== "pointer") return { ...rest, ...(location && { location }) };
  const path: (string | number)[] = [];
  let value = span.value as Json | undefined;
  const steps = `${base}${location.pointer}`.split("/").slice(1);
  for (const step of steps.map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) break;
    path.push(Array.isArray(value) ? Number(step) : step);
    value = (value as { [key: string]: Json })[step];
  }
  const [found] = locatePaths(text, span.start, [path]);
  const whole = { kind: "text", start: span.start, end: span.end } as const;
  return { ...rest, location: found ?? whole };
}

/** Returns the JSON type of a value, as messages name it. */
function typeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
