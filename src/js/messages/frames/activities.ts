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
import { type ListChange, SentMessages } from "./sent-messages.js";

/** Content of an activity. */
interface Activity {
  document: PatchedDocument;
  /** Whether the content is a copy, which patches may change. */
  isCopy: boolean;
  sent: SentMessages;
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

  /** Returns the frame of a snapshot or delta: the messages that have to be received. */
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
    sent: new SentMessages(),
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

/** Returns the messages that differ, or undefined if the content has none. */
function newMessages(
  activity: Activity,
  changed: readonly ChangedPath[],
): JsonObject[] | undefined {
  const { sent, isCopy } = activity;
  const content = activity.document.root;
  const key = isJsonObject(content) && !isMessage(content) ? listKeyOf(content) : undefined;
  const change = key === activity.listKey ? listChange(changed, key) : completeChange();
  activity.listKey = key;
  const list = key === undefined ? content : (content as JsonObject)[key];
  const isSame = change.from === Infinity && change.inner.size === 0;
  if (!Array.isArray(list) && isSame) return activity.hasMessages ? [] : undefined;
  const isInPlace = Array.isArray(list) && (list.length > 0 || key !== undefined);
  const messages = isInPlace ? messagesOfList(activity, list, change) : messagesIn(content);
  activity.hasMessages = messages !== undefined;
  if (messages === undefined) {
    sent.clear();
    return undefined;
  }
  // A copy that the surface receives is not changed by later patches.
  const copy = (one: JsonObject): JsonObject => (isCopy ? (copyJson(one) as JsonObject) : one);
  return sent.update(messages, isInPlace ? change : completeChange(), copy);
}

/** Returns the list if its items are messages. Those that have not changed are not read again. */
function messagesOfList(
  activity: Activity,
  list: Json[],
  { from, inner }: ListChange,
): JsonObject[] | undefined {
  let count = Math.min(activity.messageCount, from);
  for (const index of inner) if (!isMessage(list[index])) count = Math.min(count, index);
  while (isMessage(list[count])) count += 1;
  activity.messageCount = count;
  return count === list.length ? (list as JsonObject[]) : undefined;
}

/** Returns the changes of the list at a key. */
function listChange(changed: readonly ChangedPath[], key: string | undefined): ListChange {
  const change: ListChange = { from: Infinity, inner: new Set() };
  for (const path of changed) {
    if (key !== undefined && path.length > 0 && path[0] !== key) continue;
    const [index, ...rest] = key === undefined ? path : path.slice(1);
    const at = Number(index ?? 0) || 0;
    if (rest.length > 0) change.inner.add(at);
    else change.from = Math.min(change.from, at);
  }
  return change;
}

function completeChange(): ListChange {
  return { from: 0, inner: new Set() };
}
