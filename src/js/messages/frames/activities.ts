import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { emptyFrame, type Frame, isMessage, listKeyOf, messagesIn, senderError } from "./frame.js";
import {
  type ChangedPath,
  copyJson,
  PatchError,
  type PatchedDocument,
  Patcher,
} from "./json-patch.js";

/** Content of an activity. */
interface Activity {
  document: PatchedDocument;
  /** Whether the content is a copy, which patches may change. */
  isCopy: boolean;
  /** Messages as the surface received them. */
  sent: JsonObject[];
  /** Whether the content is or has a list of messages, and the key of it in the content. */
  hasMessages: boolean;
  listKey: string | undefined;
  /** Number of items at the start of the list that are messages. */
  messageCount: number;
}

/** AG-UI activities of a stream. */
export class Activities {
  readonly #activities = new Map<string, Activity>();
  readonly #patcher = new Patcher();

  /** Returns the frame of a snapshot or delta: the messages from the first one that differs. */
  read(event: JsonObject): Frame {
    const id = textOf(event["messageId"]);
    const activity = this.#activities.get(id) ?? newActivity();
    this.#activities.set(id, activity);
    if (event["type"] !== "ACTIVITY_DELTA") {
      activity.document = { root: event["content"] ?? {} };
      activity.isCopy = false;
      return changesOf(activity, [[]]);
    }
    // A patch may have removed the content.
    const content = activity.document.root ?? {};
    activity.document = { root: activity.isCopy ? content : copyJson(content) };
    activity.isCopy = true;
    try {
      return changesOf(activity, this.#patcher.apply(activity.document, event["patch"]));
    } catch (reason) {
      if (!(reason instanceof PatchError)) throw reason;
      const error = `invalid patch of the activity \`${id}\`: ${reason.message}`;
      return { ...emptyFrame(), errors: [error] };
    }
  }
}

function newActivity(): Activity {
  return {
    document: { root: {} },
    isCopy: true,
    sent: [],
    hasMessages: false,
    listKey: undefined,
    messageCount: 0,
  };
}

/** Returns the frame of an activity after changes at some paths. */
function changesOf(activity: Activity, changed: readonly ChangedPath[]): Frame {
  const content = activity.document.root;
  const object = isJsonObject(content) ? content : {};
  const isNewError = changed.some(([key = "error"]) => key === "error" || key === "status");
  const error = isNewError && object["status"] !== "retrying" ? senderError(object) : undefined;
  const messages = newMessages(activity, changed);
  const hasError = typeof object["error"] === "string" || isJsonObject(object["error"]);
  // A status precedes the first messages.
  const isOther = messages === undefined && !hasError && object["status"] === undefined;
  return {
    messages: messages ?? [],
    texts: [],
    errors: error === undefined ? [] : [error],
    ignored: isOther ? 1 : 0,
  };
}

/** Returns the messages from the first one that differs, or undefined if the content has none. */
function newMessages(
  activity: Activity,
  changed: readonly ChangedPath[],
): JsonObject[] | undefined {
  const { sent, isCopy } = activity;
  const content = activity.document.root;
  const key = isJsonObject(content) && !isMessage(content) ? listKeyOf(content) : undefined;
  const first = key === activity.listKey ? firstChange(changed, key) : 0;
  activity.listKey = key;
  const list = key === undefined ? content : (content as JsonObject)[key];
  if (!Array.isArray(list) && first === Infinity) return activity.hasMessages ? [] : undefined;
  const isInPlace = Array.isArray(list) && (list.length > 0 || key !== undefined);
  const messages = isInPlace ? messagesOfList(activity, list, first) : messagesIn(content);
  activity.hasMessages = messages !== undefined;
  let at = isInPlace ? Math.min(first, sent.length) : 0;
  while (messages && at < sent.length && isEqual(messages[at], sent[at])) at += 1;
  // A copy that the surface receives is not changed by later patches.
  const found = (messages ?? []).slice(at).map((one) => (isCopy ? copyJson(one) : one));
  sent.length = messages === undefined ? 0 : at;
  for (const one of found) sent.push(one as JsonObject);
  return messages && (found as JsonObject[]);
}

/** Returns the list if its items are messages. Those before the first change are not read again. */
function messagesOfList(activity: Activity, list: Json[], first: number): JsonObject[] | undefined {
  let count = Math.min(activity.messageCount, first);
  while (isMessage(list[count])) count += 1;
  activity.messageCount = count;
  return count === list.length ? (list as JsonObject[]) : undefined;
}

/** Returns the index of the first changed item in the list at a key, or Infinity for no change. */
function firstChange(changed: readonly ChangedPath[], key: string | undefined): number {
  let first = Infinity;
  for (const path of changed) {
    const isOther = key !== undefined && path.length > 0 && path[0] !== key;
    const index = path[key === undefined ? 0 : 1] ?? 0;
    if (!isOther) first = Math.min(first, Number(index) || 0);
  }
  return first;
}

function isEqual(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
