import type { HamNodes, Instance, Json } from "byname";
import { isRecord } from "../page/json.js";

/**
 * Locations of texts from obscured fields, such as passwords; they are not saved in links or
 * drafts.
 */
export class SecretFields {
  /** Node id and property as JSON; the property is null if the node itself is the text. */
  readonly #locations = new Set<string>();

  /** Records where an input has just written a text. */
  record(text: Json, before: HamNodes, after: HamNodes): void {
    const old = new Map(entries(before));
    for (const [place, value] of entries(after))
      if (value === text && old.get(place) !== text) this.#locations.add(place);
  }

  /** Returns an update with empty texts at these locations, so that pointers to them stay valid. */
  redact(edit: HamNodes): HamNodes {
    const redactValue = (id: string, prop: string | null, value: Json): Json =>
      typeof value === "string" && this.#locations.has(JSON.stringify([id, prop])) ? "" : value;
    return Object.fromEntries(
      Object.entries(edit).map(([id, node]) => [
        id,
        isRecord(node)
          ? Object.fromEntries(
              Object.entries(node).map(([prop, one]) => [prop, redactValue(id, prop, one)]),
            )
          : redactValue(id, null, node),
      ]),
    );
  }
}

/** Returns whether the instance with this key hides its text. */
export function isSecretField(top: Instance | null, key: string): boolean {
  const pending = top ? [top] : [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.key === key) return next.props["variant"] === "obscured";
    pending.push(...next.children);
  }
  return false;
}

function entries(nodes: HamNodes): [place: string, value: Json][] {
  return Object.entries(nodes).flatMap(([id, node]): [string, Json][] =>
    isRecord(node)
      ? Object.entries(node).map(([prop, value]) => [JSON.stringify([id, prop]), value])
      : [[JSON.stringify([id, null]), node]],
  );
}
