import type { HamNodes, Instance, Json } from "byname";

/** The places of texts that a field hides while they are typed, such as passwords: they leave this page in no link and no draft. */
export class SecretFields {
  /** A node and a property of it, or a node that is a text itself; as JSON, so that it can be looked up. */
  readonly #locations = new Set<string>();

  /** Notes where a text has just been written: the input of one field writes it to one place. */
  record(text: Json, before: HamNodes, after: HamNodes): void {
    const old = new Map(entries(before));
    for (const [place, value] of entries(after))
      if (value === text && old.get(place) !== text) this.#locations.add(place);
  }

  /** An update with nothing in these places. They stay, empty: a pointer to one of them still leads somewhere. */
  redact(edit: HamNodes): HamNodes {
    const redactValue = (id: string, prop: string | null, value: Json): Json =>
      typeof value === "string" && this.#locations.has(JSON.stringify([id, prop])) ? "" : value;
    return Object.fromEntries(
      Object.entries(edit).map(([id, node]) => [
        id,
        isMap(node)
          ? Object.fromEntries(
              Object.entries(node).map(([prop, one]) => [prop, redactValue(id, prop, one)]),
            )
          : redactValue(id, null, node),
      ]),
    );
  }
}

/** Whether an instance below this one is a field that hides what is typed. */
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
    isMap(node)
      ? Object.entries(node).map(([prop, value]) => [JSON.stringify([id, prop]), value])
      : [[JSON.stringify([id, null]), node]],
  );
}

function isMap(node: Json): node is { [prop: string]: Json } {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
