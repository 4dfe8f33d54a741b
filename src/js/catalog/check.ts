import { assertMessage, describeType, throwMisuse } from "../arguments.js";
import { escapePointer } from "../json-text.js";
import { asObject } from "../json-value.js";
import { noMessageDiagnostic } from "../messages/diagnostics.js";
import { filterEventStream } from "../messages/event-filter.js";
import type { Diagnostic, Location } from "../wire.js";
import { brokenAt } from "./check/broken.js";
import { faultsOf } from "./check/messages.js";
import { locate, type Piece, piecesOf } from "./check/texts.js";
import type { Fault } from "./check/values.js";
import { checked } from "./options.js";
import { MESSAGES } from "./schema.js";
import { TypedCatalog } from "./typed.js";
import type { CatalogOptions } from "./types.js";

/** At most this many diagnostics are told; more would not be read. */
const TOLD = 100;

/**
 * What is wrong with messages that a model wrote for a catalog: whatever the schema refuses, with the repair. The text may
 * hold several messages, and other words between them; an object is a message, a list of them, or `{ messages }`.
 *
 * No method of the catalog, because a page that draws a catalog seldom checks messages for it.
 */
export function checkMessages(
  catalog: TypedCatalog,
  given: string | Uint8Array | object,
  options?: CatalogOptions,
): Diagnostic[] {
  if (!(catalog instanceof TypedCatalog)) {
    throwMisuse(`\`catalog\` is what \`defineCatalog\` makes, not ${describeType(catalog)}`);
  }
  const text = given instanceof Uint8Array ? new TextDecoder().decode(given) : given;
  if (typeof text === "string") return inText(catalog, text, checked(options));
  if (typeof text !== "object" || text === null) {
    throwMisuse(
      `messages are text, bytes, an object or a list of objects, not ${describeType(text)}`,
    );
  }
  assertMessage(text);
  const faults = firstFaults(inValue(catalog, text, checked(options)));
  return faults.map(({ path, ...fault }) => ({ ...fault, location: pointer(path) }));
}

function inText(catalog: TypedCatalog, given: string, options?: CatalogOptions): Diagnostic[] {
  const text = filterEventStream(given);
  const pieces = piecesOf(text);
  if (pieces.length === 0) return [noMessageDiagnostic(text.trim())];
  const all = pieces.flatMap((piece, nth): (Fault & { piece: Piece; place?: Location })[] => {
    // A text that is no JSON has no value; null is one.
    if (piece.value === undefined) {
      const name = pieces.length === 1 ? "the message" : `message ${nth + 1}`;
      return [{ ...brokenAt(text, piece, name), piece }];
    }
    return inValue(catalog, piece.value, options).map((one) => ({ ...one, piece }));
  });
  const told = firstFaults(all);
  return pieces.flatMap((piece) => {
    const faults = told.filter((one) => one.piece === piece);
    const paths = faults.map(({ path }) => path);
    const places = piece.value === undefined ? [] : locate(text, piece.start, paths);
    const whole = { kind: "text", start: piece.start, end: piece.end } as const;
    return faults.map(({ path: _, piece: __, place, ...fault }, nth) => ({
      ...fault,
      location: place ?? places[nth] ?? whole,
    }));
  });
}

/** The faults of a message, of a list of them, or of an object that holds such a list. */
function inValue(catalog: TypedCatalog, value: unknown, options: CatalogOptions = {}): Fault[] {
  const { messages: names = MESSAGES, list = false } = options;
  const wrapped = asObject(value);
  if (wrapped !== undefined && Array.isArray(wrapped["messages"])) {
    const more = Object.keys(wrapped).filter((key) => key !== "messages");
    const faults = wrapped["messages"].flatMap((message, at) =>
      faultsOf(catalog, message, ["messages", at], names),
    );
    const said = (key: string): Fault => noList(`\`${key}\` stands beside \`messages\``, [key]);
    return [...more.map(said), ...faults];
  }
  if (list) return [noList("the messages are not in one list", [])];
  if (!Array.isArray(value)) return faultsOf(catalog, value, [], names);
  return value.flatMap((message, at) => faultsOf(catalog, message, [at], names));
}

function noList(message: string, path: string[]): Fault {
  const help = 'write one object and nothing else: {"messages": […]}';
  return { code: "HAM029", severity: "error", message, help, path };
}

function pointer(path: Fault["path"]): NonNullable<Diagnostic["location"]> {
  const steps = path.map((step) => `/${escapePointer(String(step))}`);
  return { kind: "pointer", pointer: steps.join("") };
}

/** The first faults, errors before others where some have to be left out, and how many more there are. */
function firstFaults<T extends Fault>(all: T[]): T[] {
  const more = all.length - TOLD;
  if (more <= 0) return all;
  const isError = ({ severity }: Fault): boolean => severity === "error";
  const told = [...all.filter(isError), ...all.filter((one) => !isError(one))].slice(0, TOLD);
  const last = told[TOLD - 1] as T;
  const message = `${more} more diagnostics are left out`;
  return [
    ...told,
    { ...last, code: "JSON014", severity: "info", message, help: "fix these first" },
  ];
}
