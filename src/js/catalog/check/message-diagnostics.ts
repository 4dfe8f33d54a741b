import { assertMessage, describeType, throwMisuse } from "../../arguments.js";
import { duplicateKeyDiagnostics } from "../../duplicate-keys.js";
import { asObject } from "../../json-value.js";
import { noMessageDiagnostic } from "../../messages/diagnostics.js";
import { filterEventStream } from "../../messages/event-filter.js";
import type { Diagnostic, Location } from "../../wire.js";
import { checkedOptions } from "../options.js";
import { MESSAGES } from "../schema.js";
import type { CatalogDefinition, CatalogOptions } from "../types.js";
import { jsonError } from "./json-error.js";
import { findMessages, locatePaths, type MessageSpan } from "./message-spans.js";
import { checkMessage } from "./messages.js";
import type { PathDiagnostic } from "./path-diagnostic.js";
import { SurfaceIdCheck } from "./surface-id.js";
import { toPointer } from "./value-location.js";

/** Maximum number of reported diagnostics. */
const MAX_DIAGNOSTICS = 100;

/** Returns the diagnostics of messages: text, bytes, an object or a list of objects. */
export function messageDiagnostics(
  catalog: CatalogDefinition,
  messages: string | Uint8Array | object,
  options?: CatalogOptions,
): Diagnostic[] {
  const text = messages instanceof Uint8Array ? new TextDecoder().decode(messages) : messages;
  if (typeof text === "string") return checkText(catalog, text, checkedOptions(options));
  if (typeof text !== "object" || text === null) {
    throwMisuse(
      `expected messages as text, bytes, an object or a list of objects, found ${describeType(text)}`,
    );
  }
  assertMessage(text);
  const checked = checkedOptions(options);
  const surface = new SurfaceIdCheck(checked?.surfaceId);
  const diagnostics = limitDiagnostics(checkValue(catalog, text, surface, checked));
  return diagnostics.map(({ path, ...diagnostic }) => ({
    ...diagnostic,
    location: toPointer(path),
  }));
}

function checkText(
  catalog: CatalogDefinition,
  messages: string,
  options?: CatalogOptions,
): Diagnostic[] {
  const text = filterEventStream(messages);
  const spans = findMessages(text);
  if (spans.length === 0) return [noMessageDiagnostic(text.trim())];
  const surface = new SurfaceIdCheck(options?.surfaceId);
  const all = spans.flatMap(
    (span, index): (PathDiagnostic & { span: MessageSpan; location?: Location })[] => {
      // Invalid JSON has no `value`; a valid `null` has one.
      if (span.value === undefined) {
        const name = spans.length === 1 ? "the message" : `message ${index + 1}`;
        return [{ ...jsonError(text, span, name), span }];
      }
      return [
        ...checkValue(catalog, span.value, surface, options).map((item) => ({ ...item, span })),
        ...duplicateKeys(text, span),
      ];
    },
  );
  const limited = limitDiagnostics(all);
  return spans.flatMap((span) => {
    const diagnostics = limited.filter((item) => item.span === span);
    const paths = diagnostics.map(({ path }) => path);
    const locations = span.value === undefined ? [] : locatePaths(text, span.start, paths);
    const spanLocation = { kind: "text", start: span.start, end: span.end } as const;
    return diagnostics.map(({ path: _, span: __, location, ...diagnostic }, index) => ({
      ...diagnostic,
      location: location ?? locations[index] ?? spanLocation,
    }));
  });
}

/** Returns the warnings about keys that occur twice, with their locations in the complete text. */
function duplicateKeys(
  text: string,
  span: MessageSpan,
): (PathDiagnostic & { span: MessageSpan; location?: Location })[] {
  const { start, end } = span;
  return duplicateKeyDiagnostics(text.slice(start, end)).map((diagnostic) => {
    const { location } = diagnostic;
    const offset = location?.kind === "text" ? location.start + start : start;
    const length = location?.kind === "text" ? location.end - location.start : 0;
    const placed = { kind: "text", start: offset, end: offset + length } as const;
    return { ...diagnostic, location: placed, path: [], span };
  });
}

/** Returns the diagnostics of a message, of a list of messages or of an object with such a list. */
function checkValue(
  catalog: CatalogDefinition,
  value: unknown,
  surface: SurfaceIdCheck,
  options: CatalogOptions = {},
): PathDiagnostic[] {
  const { messages: names = MESSAGES, list = false } = options;
  const check = (message: unknown, path: PathDiagnostic["path"]): PathDiagnostic[] => [
    ...checkMessage(catalog, message, path, names),
    ...surface.next(message, path),
  ];
  const wrapped = asObject(value);
  if (wrapped !== undefined && Array.isArray(wrapped["messages"])) {
    const extra = Object.keys(wrapped).filter((key) => key !== "messages");
    const diagnostics = wrapped["messages"].flatMap((message, at) =>
      check(message, ["messages", at]),
    );
    const unknownWrapperKey = (key: string): PathDiagnostic =>
      listError(`unknown key \`${key}\` next to \`messages\``, [key]);
    return [...extra.map(unknownWrapperKey), ...diagnostics];
  }
  if (list) return [listError("expected all messages in one list", [])];
  if (!Array.isArray(value)) return check(value, []);
  return value.flatMap((message, at) => check(message, [at]));
}

function listError(message: string, path: string[]): PathDiagnostic {
  const help = 'write one object and nothing else: {"messages": […]}';
  return { code: "HAM029", severity: "error", message, help, path };
}

/**
 * Returns the first diagnostics, errors first if some are omitted, and a note with the number of
 * omitted ones.
 */
function limitDiagnostics<T extends PathDiagnostic>(all: T[]): T[] {
  const extra = all.length - MAX_DIAGNOSTICS;
  if (extra <= 0) return all;
  const isError = ({ severity }: PathDiagnostic): boolean => severity === "error";
  const limited = [...all.filter(isError), ...all.filter((item) => !isError(item))].slice(
    0,
    MAX_DIAGNOSTICS,
  );
  const last = limited[MAX_DIAGNOSTICS - 1] as T;
  const message = `${extra} more diagnostics are left out`;
  return [
    ...limited,
    { ...last, code: "JSON014", severity: "info", message, help: "fix these first" },
  ];
}
