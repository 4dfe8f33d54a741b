import { BASIC_CATALOG_IDS } from "../a2ui/basic-catalog.js";
import { FromA2ui } from "../a2ui/from-a2ui.js";
import { ToA2ui } from "../a2ui/to-a2ui.js";
import { diagnostic, type Message, type Translation } from "../a2ui/translation.js";
import { callActions, isV09, v08Actions } from "../a2ui/versions.js";
import { isJsonObject } from "../json-value.js";
import { MESSAGE_KEYS } from "../messages/frames/frame.js";
import type { Diagnostic, Json } from "../types.js";
import type { SourceMessage } from "./surface-source.js";

/** Versions of A2UI that can be written. */
export const WRITTEN_VERSIONS: readonly string[] = ["v0.9", "v0.9.1", "v1.0", "1.0"];

/** Catalog ids of the basic catalog by the version that they belong to. */
const BASIC_ID_V09 = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
const BASIC_ID_V10 = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";

/** Returns messages of A2UI as HAM. */
export function fromA2ui(source: readonly SourceMessage[]): Translation {
  const translators = new Map<Json | undefined, FromA2ui>();
  const result = translateEach(source, (message) =>
    translatorOf(message, translators, () => new FromA2ui()).translate(message),
  );
  const waiting = [...translators.values()].flatMap((one) => one.diagnostics());
  return { ...result, diagnostics: [...result.diagnostics, ...waiting] };
}

/** Returns messages of HAM as A2UI of a version, by default that of each message. */
export function toA2ui(source: readonly SourceMessage[], version?: string): Translation {
  const translators = new Map<Json | undefined, ToA2ui>();
  const options = version === undefined ? {} : { version };
  const result = translateEach(source, (message) =>
    translatorOf(message, translators, () => new ToA2ui(options)).translate(message),
  );
  result.diagnostics.push(...[...translators.values()].flatMap((one) => one.diagnostics()));
  if (version === undefined) return result;
  return { ...result, messages: result.messages.flatMap((one) => inVersion(one, version)) };
}

/** Returns messages in which surfaces without a catalog have the basic one, the default of HAM. */
export function withCatalogs({ messages, diagnostics }: Translation): Translation {
  const withCatalog = (message: Message): Message => {
    const { createSurface, version = "v0.9" } = message;
    if (!isJsonObject(createSurface) || createSurface["catalogId"] !== undefined) return message;
    const catalogId = isV09(version) ? BASIC_ID_V09 : BASIC_ID_V10;
    return { ...message, createSurface: { ...createSurface, catalogId } };
  };
  return { messages: messages.map(withCatalog), diagnostics };
}

/** Returns messages of A2UI in another version. */
export function withVersion(source: readonly SourceMessage[], version: string): Translation {
  const messages: Message[] = [];
  const diagnostics: Diagnostic[] = [];
  const translators = new Map<Json | undefined, { from: FromA2ui; to: ToA2ui }>();
  const open = () => ({ from: new FromA2ui(), to: new ToA2ui({ version }) });
  for (const { message, locate } of source) {
    if (callActions.some((name) => Object.hasOwn(message, name))) {
      if (isV09(version)) diagnostics.push(...locate([callOfV09(message, version)]));
      else messages.push({ ...message, version });
      continue;
    }
    const { from, to } = translatorOf(message, translators, open);
    const ham = from.translate(message);
    diagnostics.push(...locate(ham.diagnostics));
    for (const one of ham.messages.map((item) => withSurface(item, message))) {
      const written = to.translate(one);
      diagnostics.push(...locate(written.diagnostics));
      messages.push(...written.messages.flatMap((item) => inVersion(item, version)));
    }
  }
  const waiting = [...translators.values()].flatMap(({ from }) => from.diagnostics());
  return { messages, diagnostics: [...diagnostics, ...waiting] };
}

/** Returns messages of A2UI as they are, with the diagnostics of their conversion. */
export function unchanged(source: readonly SourceMessage[]): Translation {
  const isCall = ({ message }: SourceMessage): boolean =>
    callActions.some((name) => Object.hasOwn(message, name));
  const { diagnostics } = fromA2ui(source.filter((one) => !isCall(one)));
  return { messages: source.map(({ message }) => message), diagnostics };
}

/** Returns messages in which those without a surface name that of the message before. */
export function withSurfaces(source: readonly SourceMessage[]): SourceMessage[] {
  let last: Message = {};
  return source.map(({ message, locate }) => {
    const named = withSurface(message, last);
    if (surfaceOf(named) !== undefined) last = named;
    return { message: named, locate };
  });
}

/** Returns whether a message is one of A2UI v0.8. */
export function isOfV08({ message }: SourceMessage): boolean {
  return v08Actions.some((name) => Object.hasOwn(message, name));
}

function translateEach(
  source: readonly SourceMessage[],
  translate: (message: Message) => Translation,
): Translation {
  const messages: Message[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { message, locate } of source) {
    const found = translate(message);
    messages.push(...found.messages.map((one) => withSurface(one, message)));
    diagnostics.push(...locate(found.diagnostics));
  }
  return { messages, diagnostics };
}

/** Returns the translator of the surface that a message names, or else of the last one. */
function translatorOf<T>(
  message: Message,
  translators: Map<Json | undefined, T>,
  open: () => T,
): T {
  const surfaceId = surfaceOf(message) ?? [...translators.keys()].at(-1);
  const known = translators.get(surfaceId) ?? open();
  translators.set(surfaceId, known);
  return known;
}

function surfaceOf(message: Message): Json | undefined {
  const body = MESSAGE_KEYS.map((key) => message[key]).find(isJsonObject);
  return body?.["surfaceId"];
}

/** Returns a message with the id of the surface of its source, if it names none. */
function withSurface(message: Message, source: Message): Message {
  const surfaceId = surfaceOf(source);
  const key = MESSAGE_KEYS.find((name) => isJsonObject(message[name]));
  if (surfaceId === undefined || key === undefined || surfaceOf(message) !== undefined)
    return message;
  return { ...message, [key]: { surfaceId, ...(message[key] as { [key: string]: Json }) } };
}

/** Returns a message with the catalog id of a version; v0.9 creates a surface without contents. */
function inVersion(message: Message, version: string): Message[] {
  const { createSurface, ...rest } = message;
  if (!isJsonObject(createSurface)) return [message];
  const { components, dataModel, ...head } = createSurface;
  const { catalogId, surfaceId } = head;
  const isBasicUrl =
    typeof catalogId === "string" &&
    catalogId.includes(":") &&
    BASIC_CATALOG_IDS.includes(catalogId);
  if (isBasicUrl) head["catalogId"] = isV09(version) ? BASIC_ID_V09 : BASIC_ID_V10;
  if (!isV09(version)) return [{ ...rest, createSurface: { ...createSurface, ...head } }];
  const named = surfaceId === undefined ? {} : { surfaceId };
  return [
    { ...rest, createSurface: head },
    ...(components === undefined ? [] : [{ ...rest, updateComponents: { ...named, components } }]),
    ...(dataModel === undefined
      ? []
      : [{ ...rest, updateDataModel: { ...named, path: "/", value: dataModel } }]),
  ];
}

function callOfV09(message: Message, version: string): Diagnostic {
  const name = callActions.find((key) => Object.hasOwn(message, key));
  const text = `${version} has no message \`${name}\``;
  return diagnostic("A2UI023", text, "remove it, or write `--version v1.0`", `/${name}`, "error");
}
