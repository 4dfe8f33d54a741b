import type { HamNodes, Json } from "byname";

/** One message of an example: a text that goes in, or something that a user does. */
export interface Step {
  title: string;
  /** What to watch. */
  note: string;
  text: string;
  /** Arrives in small pieces, as a model writes it. */
  stream?: boolean;
  /** What a user would do in the surface after this step. */
  touch?: (surface: HTMLElement) => void;
}

export interface Example {
  id: string;
  title: string;
  /** The model's edits of lists by id, an extension of the format. */
  listEdits?: boolean;
  steps: Step[];
}

export const surfaceId = "main";

export type Component = { id: string; component: string; [prop: string]: Json };

/** An `updateComponents` message. */
export function components(...list: Component[]): string {
  return write({ version: "v0.9", updateComponents: { surfaceId, components: list } });
}

/** An `updateDataModel` message with HAM nodes. */
export function update(nodes: HamNodes): string {
  return write({ version: "v0.9", updateDataModel: { surfaceId, nodes } });
}

/** Bare nodes, which a store takes as well. */
export function bare(nodes: HamNodes): string {
  return write(nodes);
}

/** JSON as a person would write it: what fits on a line stands on one. */
function write(value: Json, indent = "", taken = indent.length): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length + taken < 44) return spaced(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => inner + write(one, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  return `{\n${entries.map(([key, one]) => `${inner}${JSON.stringify(key)}: ${write(one, inner, inner.length + key.length + 4)}`).join(",\n")}\n${indent}}`;
}

function spaced(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
