import { setOwn } from "../json-text.js";
import type { HamNodes, Json } from "../types.js";
import type { ListRule } from "./list-identity.js";
import type { ListIdentity } from "./local-update.js";
import { pointerOf } from "./node-ids.js";

/** Identity of the items of lists: configured keys, the rule of each list, and the values sent. */
export class ListMatches implements ListIdentity {
  /** Values of list items as the agent sent them, by node id. */
  readonly sent = new Map<string, Json>();
  /** Rules by the path of the list. */
  readonly rules: { [path: string]: ListRule } = {};
  /** Whether an item of a list was moved, so that its id does not contain its index. */
  isMoved = false;
  readonly keyOf: (segments: readonly string[]) => string | undefined;

  constructor(keys: { readonly [path: string]: string }) {
    this.keyOf = (segments) => keys[pointerOf(segments)];
  }

  readonly report = (segments: readonly string[], rule: ListRule, isMoved: boolean): void => {
    setOwn(this.rules, pointerOf(segments), rule);
    this.isMoved ||= isMoved;
  };

  /** Removes the values of the nodes that an update deletes. */
  forgetDeleted(update: HamNodes): void {
    for (const id of Object.keys(update)) if (id.startsWith("!")) this.sent.delete(id.slice(1));
  }

  clearSent(): void {
    this.sent.clear();
    this.isMoved = false;
  }
}
