import { FromA2ui } from "../../a2ui/from-a2ui.js";
import { inSenderTerms, isAboutNull } from "../../a2ui/sender-terms.js";
import { checkMessage } from "../../catalog/check/messages.js";
import { quote, suggestName } from "../../catalog/check/suggestions.js";
import { toPointer } from "../../catalog/check/value-location.js";
import type { TypedCatalog } from "../../catalog/define/typed.js";
import { MESSAGES } from "../../catalog/schema.js";
import { duplicateKeyDiagnostics } from "../../duplicate-keys.js";
import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject, stringOf } from "../../json-value.js";
import { noMessageDiagnostic, omittedDiagnostic } from "../../messages/diagnostics.js";
import { CALL_KEYS, MESSAGE_KEYS } from "../../messages/frames/frame.js";
import { identityOf } from "../../messages/merged-result.js";
import { Surfaces } from "../../surfaces.js";
import type { Diagnostic } from "../../types.js";
import { isMisspelledMessage, type MessageFormat } from "./format.js";
import { Places, textLocation } from "./places.js";
import { missingComponent, referencesOf } from "./references.js";
import { type PlacedMessage, placed, readSources } from "./sources.js";
import { checkValues, diagnostic } from "./value-checks.js";

/** Keys of a message of A2UI besides its type. */
const ENVELOPE_KEYS = ["version", "functionCallId", "wantResponse", "actionId", "metadata"];
/** Types of messages of A2UI v0.8. */
const V08_KEYS = ["beginRendering", "surfaceUpdate", "dataModelUpdate"];
/** Warnings of a surface that are errors here, because the component is not displayed. */
const UNKNOWN_NAMES = ["HAM031", "HAM033"];
/** Codes of the core about values that the check of types reports more exactly. */
const TYPE_CODES = ["HAM014", "HAM016", "HAM027", "HAM028", "HAM029", ...UNKNOWN_NAMES];
/** Message about the key of a list of children that has no path, so it was not translated. */
const LIST_KEY = /^unknown property `componentId` of .* \(a list of children\)$/;
/** Maximum number of reported diagnostics. */
const MAX_DIAGNOSTICS = 1000;

/** Returns the diagnostics of messages of A2UI or HAM, with their offsets in the text. */
export function checkSurfaces(
  text: string,
  format: MessageFormat,
  catalog: TypedCatalog,
): Diagnostic[] {
  const { messages, diagnostics, spans } = readSources(text);
  if (messages.length === 0 && diagnostics.length === 0)
    return [{ ...noMessageDiagnostic(text.trim()), location: textLocation(0) }];
  const check = new SurfaceCheck(text, format, catalog);
  for (const { start, end } of spans)
    check.report(placed(duplicateKeyDiagnostics(text.slice(start, end)), start));
  check.report(diagnostics);
  for (const message of messages) check.receive(message);
  check.finish();
  return check.result();
}

/** Returns the diagnostics of messages without a text. Pointers begin with the id of a component. */
export function checkParsedMessages(
  messages: readonly JsonObject[],
  catalog: TypedCatalog,
): Diagnostic[] {
  const check = new SurfaceCheck("", "a2ui", catalog);
  for (const value of messages) check.receive({ value, start: 0, pointer: "" });
  check.finish();
  return check.diagnostics;
}

/** Surfaces that receive the messages of a file, and the located diagnostics. */
class SurfaceCheck {
  readonly diagnostics: Diagnostic[] = [];
  /** Number of diagnostics after the maximum. */
  #omitted = 0;
  readonly #format: MessageFormat;
  readonly #catalog: TypedCatalog;
  readonly #surfaces: Surfaces;
  readonly #places: Places;
  readonly #translators = new Map<string, FromA2ui>();
  /** Components by surface and id, with the first message that names the surface. */
  readonly #named = new Map<
    string,
    { first: PlacedMessage; components: Map<string, JsonObject> }
  >();

  constructor(text: string, format: MessageFormat, catalog: TypedCatalog) {
    this.#format = format;
    this.#catalog = catalog;
    this.#surfaces = new Surfaces({ catalog, a2ui: format === "a2ui", diagnostics: "off" });
    this.#places = new Places(text);
  }

  /** Adds diagnostics, except those about a problem that was reported before. */
  report(diagnostics: readonly Diagnostic[]): void {
    for (const one of diagnostics) {
      if (this.diagnostics.some((other) => isSameProblem(other, one))) continue;
      if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push(withSeverity(one));
      else this.#omitted += 1;
    }
  }

  /** Returns the diagnostics, and the number of omitted ones. */
  result(): Diagnostic[] {
    if (this.#omitted === 0) return this.diagnostics;
    return [...this.diagnostics, omittedDiagnostic(this.#omitted, "")];
  }

  receive(message: PlacedMessage): void {
    const { value } = message;
    const shape = isJsonObject(value) ? this.#keyErrors(value) : [notAnObject()];
    this.report(shape.map((one) => this.#places.inMessage(one, message)));
    const kind = isJsonObject(value)
      ? MESSAGE_KEYS.find((key) => Object.hasOwn(value, key))
      : undefined;
    if (!isJsonObject(value) || kind === undefined) return;
    const body = isJsonObject(value[kind]) ? value[kind] : {};
    const surfaceId = stringOf(body["surfaceId"]) ?? this.#onlyId();
    if (kind === "deleteSurface") this.report(this.#deletionErrors(surfaceId, message));
    else if (!CALL_KEYS.includes(kind)) this.#define(body, surfaceId, kind, message);
    const isA2ui = this.#format === "a2ui";
    const own = [...checkValues(value, this.#format), ...(isA2ui ? [] : this.#typeErrors(value))];
    this.report(own.map((one) => this.#places.inMessage(one, message)));
    if (isA2ui) this.report(this.#translatedErrors(message, value, surfaceId));
    const { diagnostics } = this.#surfaces.receive(value);
    this.report(
      diagnostics.map(withComponent).map((one) => {
        const isOfMessage = pointerOf(one).startsWith(`/${kind}`);
        const found = isOfMessage
          ? undefined
          : (kind === "updateDataModel" && this.#places.inNode(one, surfaceId)) ||
            this.#places.inComponent(one, surfaceId);
        return found ?? this.#places.inMessage(one, message);
      }),
    );
    if (kind === "deleteSurface") this.#named.delete(surfaceId);
  }

  /** Reports the state of all surfaces after the last message. */
  finish(): void {
    for (const [surfaceId, { first, components }] of this.#named) {
      this.#reportMissingComponents(surfaceId, components);
      const surface = this.#surfaces.get(surfaceId);
      const found =
        surface === undefined
          ? this.#surfaces
              .diagnostics()
              .filter(({ message }) => message.includes(`\`${surfaceId}\``))
          : (this.#surfaces.target(surfaceId)?.diagnostics?.({ isDone: true }) ?? []);
      const reported = new Set(this.diagnostics.map(identityOf));
      // Missing components are located where they are named.
      const others = found
        .map(withComponent)
        .filter((one) => one.code !== "HAM028" || !reported.has(identityOf(one)));
      this.report(
        others.map(
          (one) => this.#places.inComponent(one, surfaceId) ?? this.#places.atMessage(one, first),
        ),
      );
      if (surface === undefined || this.#format === "a2ui") continue;
      const pointers = surface.store.check().filter(({ code }) => code === "HAM009");
      this.report(pointers.map((one) => this.#places.inNode(one, surfaceId) ?? one));
    }
  }

  #define(body: JsonObject, surfaceId: string, kind: string, message: PlacedMessage): void {
    const named = this.#named.get(surfaceId) ?? { first: message, components: new Map() };
    this.#named.set(surfaceId, named);
    const { start, pointer } = message;
    this.#places.add(body, surfaceId, { start, pointer: `${pointer}/${kind}` });
    const { components } = body;
    for (const one of Array.isArray(components) ? components : [])
      if (isJsonObject(one) && typeof one["id"] === "string") named.components.set(one["id"], one);
  }

  #reportMissingComponents(surfaceId: string, components: Map<string, JsonObject>): void {
    const missing = [...components].flatMap(([id, one]) =>
      referencesOf(one, this.#catalog)
        .filter((reference) => !components.has(reference.id))
        .map(({ id: child, pointer }) => missingComponent(child, `/${id}${pointer}`)),
    );
    this.report(missing.map((one) => this.#places.inComponent(one, surfaceId) ?? one));
  }

  #onlyId(): string {
    const [id = ""] = this.#named.size === 1 ? this.#named.keys() : [];
    return id;
  }

  /** Returns the errors for unknown keys next to the type of a message, or in place of it. */
  #keyErrors(message: JsonObject): Diagnostic[] {
    const isA2ui = this.#format === "a2ui";
    const code = isA2ui ? "A2UI009" : "HAM029";
    const names = isA2ui ? [...MESSAGES, ...V08_KEYS, ...CALL_KEYS] : MESSAGES;
    const hasKind = MESSAGE_KEYS.some((key) => Object.hasOwn(message, key));
    // The check of types reports other keys of HAM.
    if (hasKind && !isA2ui) return [];
    const keys = Object.keys(message).filter((key) => !MESSAGE_KEYS.includes(key));
    const unknown = keys.filter((key) => !ENVELOPE_KEYS.includes(key));
    if (!hasKind) {
      const key = unknown.find((one) => isMisspelledMessage(one, message[one])) ?? unknown[0];
      const text = key === undefined ? "the message is empty" : `unknown message ${quote(key)}`;
      const at = key === undefined ? "" : `/${escapePointer(key)}`;
      return [diagnostic(code, "error", text, suggestName(key ?? "", names, "messages"), at)];
    }
    return unknown.map((key) => {
      const isMessage = isMisspelledMessage(key, message[key]);
      const text = `unknown property ${quote(key)} of the message`;
      const help = isMessage ? suggestName(key, names, "messages") : "remove it";
      const severity = isMessage ? "error" : "warning";
      return diagnostic("CAT001", severity, text, help, `/${escapePointer(key)}`);
    });
  }

  /** Returns the violations of the catalog in a message of HAM. */
  #typeErrors(message: JsonObject): Diagnostic[] {
    return checkMessage(this.#catalog, message, [], MESSAGES).map(({ path, ...one }) => ({
      ...one,
      location: toPointer(path),
    }));
  }

  /** Returns the violations of the catalog in a message of A2UI, in the terms of its author. */
  #translatedErrors(message: PlacedMessage, value: JsonObject, surfaceId: string): Diagnostic[] {
    const translator = this.#translators.get(surfaceId) ?? new FromA2ui();
    this.#translators.set(surfaceId, translator);
    const isOwn = ({ code }: Diagnostic): boolean =>
      code.startsWith("CAT") || UNKNOWN_NAMES.includes(code);
    return translator.translate(value).messages.flatMap((translated) =>
      this.#typeErrors(translated)
        .filter(isOwn)
        .flatMap((one) => {
          const [id, path] = componentAt(translated, one) ?? [];
          const ours = inListTerms(inSenderTerms(one));
          // Keys of the message, and a list without a path, are reported before.
          const isKnown = /^\/[^/]*$/.test(pointerOf(one)) || LIST_KEY.test(one.message);
          if (isKnown && one.code === "CAT001") return [];
          if (id === undefined) return [this.#places.inMessage(ours, message)];
          // A path without a binding is null until its data arrive.
          if (isAboutNull(one) && translator.isPending(id)) return [];
          const location = { kind: "pointer", pointer: `/${escapePointer(id)}${path}` } as const;
          const found = this.#places.inComponent({ ...ours, location }, surfaceId);
          return [found ?? this.#places.inMessage(ours, message)];
        }),
    );
  }

  #deletionErrors(surfaceId: string, message: PlacedMessage): Diagnostic[] {
    if (surfaceId === "" || this.#named.has(surfaceId)) return [];
    const text = `missing \`createSurface\` for the surface \`${surfaceId}\`, so nothing is deleted`;
    const help = "write the id of an existing surface";
    const one = diagnostic("HAM040", "warning", text, help, "/deleteSurface/surfaceId");
    return [this.#places.inMessage(one, message)];
  }
}

/** Returns the id of the component that a diagnostic of a message is about, and the rest of its pointer. */
function componentAt(message: JsonObject, one: Diagnostic): [string, string] | undefined {
  const [, kind = "", at = "", rest = ""] =
    /^\/(\w+)\/components\/(\d+)(.*)$/s.exec(pointerOf(one)) ?? [];
  const body = message[kind];
  const list = isJsonObject(body) ? body["components"] : undefined;
  const component = Array.isArray(list) ? list[Number(at)] : undefined;
  const id = isJsonObject(component) ? component["id"] : undefined;
  return typeof id === "string" ? [id, rest] : undefined;
}

/** Returns whether two diagnostics are about one problem: the same text, or the same value. */
function isSameProblem(a: Diagnostic, b: Diagnostic): boolean {
  const [at, other] = [a.location, b.location];
  const isEqual = identityOf(a) === identityOf(b);
  if (at?.kind !== "text" || other?.kind !== "text") return isEqual;
  if (at.start !== other.start) return false;
  const isSameRule = a.code === b.code && a.code.startsWith("HAM");
  if (isEqual || isSameRule) return true;
  const isList = a.code === "A2UI009" && b.message.endsWith("(a list of children)");
  return isList || (/^(?:CAT|A2UI009)/.test(a.code) && TYPE_CODES.includes(b.code));
}

/** Returns a diagnostic about a list of children with the keys of A2UI. */
function inListTerms(one: Diagnostic): Diagnostic {
  if (!one.message.endsWith("(a list of children)")) return one;
  const rename = (text: string): string =>
    text.replaceAll("`template`", "`componentId`").replaceAll("`binding`", "`path`");
  return { ...one, message: rename(one.message), ...(one.help && { help: rename(one.help) }) };
}

/** Returns a diagnostic with one severity for all formats. */
function withSeverity(one: Diagnostic): Diagnostic {
  return UNKNOWN_NAMES.includes(one.code) ? { ...one, severity: "error" } : one;
}

/** Returns a diagnostic about a component that contains itself with the pointer to the component. */
function withComponent(one: Diagnostic): Diagnostic {
  const [, id] = /^the component `(.*)` contains itself/s.exec(one.message) ?? [];
  if (id === undefined || one.location !== undefined) return one;
  return { ...one, location: { kind: "pointer", pointer: `/${escapePointer(id)}` } };
}

function notAnObject(): Diagnostic {
  const help = `write one of ${MESSAGES.map((name) => `\`${name}\``).join(", ")}`;
  return diagnostic("HAM029", "error", "expected a message object", help, "");
}

function pointerOf({ location }: Diagnostic): string {
  return location?.kind === "pointer" ? location.pointer : "";
}
