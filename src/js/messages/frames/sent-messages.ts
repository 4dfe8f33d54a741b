import { isJsonObject, type JsonObject } from "../../json-value.js";
import { MESSAGE_KEYS } from "./frame.js";

/** Changes of a list of messages. */
export interface ListChange {
  /** Index from which items were added, removed or moved; Infinity for none. */
  from: number;
  /** Indices of items that were replaced or changed inside. */
  inner: Set<number>;
}

/** Messages of an activity as the surface received them. */
export class SentMessages {
  readonly #messages: JsonObject[] = [];
  /** Index of the last message that sets a part. It may be too large after a change. */
  readonly #lastIndexes = new Map<string, number>();
  /** Index of the last message that may affect any part. */
  #lastGeneral = -1;

  clear(): void {
    this.#messages.length = 0;
    this.#lastIndexes.clear();
    this.#lastGeneral = -1;
  }

  /**
   * Returns the messages to receive after a change of the list, as copies. These are the changed
   * ones if no later message sets the same parts, else all from the first changed one on.
   */
  update(
    messages: readonly JsonObject[],
    { from, inner }: ListChange,
    copy: (message: JsonObject) => JsonObject,
  ): JsonObject[] {
    const sent = this.#messages;
    let start = Math.min(from, sent.length);
    while (start < sent.length && isEqual(messages[start], sent[start])) start += 1;
    const changed = [...inner]
      .filter((index) => index < Math.min(start, from) && !isEqual(messages[index], sent[index]))
      .sort((a, b) => a - b);
    const first = changed.find((index) => this.#isSetLater(messages[index], index));
    if (first !== undefined) start = changed[0] as number;
    // An edit has its effect again, so the values before it are received again too.
    if (sent.slice(start).some(hasEdits)) start = 0;
    if (start === 0) this.clear();
    const found: JsonObject[] = [];
    const send = (index: number): void => {
      const message = copy(messages[index] as JsonObject);
      sent[index] = message;
      this.#recordParts(message, index);
      found.push(message);
    };
    for (const index of changed) if (index < start) send(index);
    sent.length = start;
    for (let index = start; index < messages.length; index += 1) send(index);
    return found;
  }

  /** Returns whether a later message may set the same parts. */
  #isSetLater(message: JsonObject | undefined, index: number): boolean {
    const parts = partsOf(message);
    if (parts === undefined || this.#lastGeneral > index) return true;
    return parts.some((part) => (this.#lastIndexes.get(part) ?? -1) > index);
  }

  #recordParts(message: JsonObject, index: number): void {
    const parts = partsOf(message);
    if (parts === undefined) this.#lastGeneral = Math.max(this.#lastGeneral, index);
    else for (const part of parts) this.#lastIndexes.set(part, index);
  }
}

function hasEdits({ updateDataModel }: JsonObject): boolean {
  return isJsonObject(updateDataModel) && updateDataModel["edits"] !== undefined;
}

/** Start of the key of a node that deletes or edits another one. */
const EDIT_KEY = /^[!*+>-]/;

/** Returns the parts of surfaces that a message sets, or undefined if it may affect any part. */
function partsOf(message: JsonObject | undefined): string[] | undefined {
  const kinds = MESSAGE_KEYS.filter((key) => message && key in message);
  const [kind = ""] = kinds;
  const body = message?.[kind];
  if (kinds.length !== 1 || !isJsonObject(body)) return undefined;
  const { surfaceId, components, nodes, edits, ...others } = body;
  const surface = typeof surfaceId === "string" ? surfaceId : undefined;
  if (kind === "updateDataModel" && isJsonObject(nodes)) {
    const ids = Object.keys(nodes);
    return ids.some((id) => EDIT_KEY.test(id)) ? undefined : ids.map((id) => `node ${id}`);
  }
  if (kind === "updateDataModel" && isJsonObject(edits))
    return Object.keys(edits).map((key) => `node ${key.replace(/^[!~+>-]/, "")}`);
  if (surface === undefined) return undefined;
  // Values at paths may contain one another.
  if (kind === "updateDataModel" || kind === "dataModelUpdate") return [`data ${surface}`];
  const isList = kind === "updateComponents" || kind === "surfaceUpdate";
  if (!isList || !Array.isArray(components) || Object.keys(others).length > 0) return undefined;
  const ids = components.map((one) => (isJsonObject(one) ? one["id"] : undefined));
  return ids.map((id) => JSON.stringify([surface, id ?? null]));
}

function isEqual(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
