import type { HamNodes, Json } from "byname";
import type { MountOptions } from "byname/dom";
import { formatJson } from "../../page/format-json.js";

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
  /** Components that only this surface has. */
  components?: NonNullable<MountOptions["components"]>;
  /** How the page dresses the surface, where it does. */
  look?: string;
  steps: Step[];
  /** Stands at its last step when it is opened, instead of playing from the first. */
  atEnd?: boolean;
}

export const surfaceId = "main";

export type Component = { id: string; component: string; [prop: string]: Json };

/** An `updateComponents` message. */
export function components(...list: Component[]): string {
  return formatJson({ version: "v0.9", updateComponents: { surfaceId, components: list } });
}

/** An `updateDataModel` message with HAM nodes. */
export function update(nodes: HamNodes): string {
  return formatJson({ version: "v0.9", updateDataModel: { surfaceId, nodes } });
}

/** Bare nodes, which a store takes as well. */
export function bare(nodes: HamNodes): string {
  return formatJson(nodes);
}
