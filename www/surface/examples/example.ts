import type { HamNodes, Json } from "byname";
import type { MountOptions } from "byname/dom";
import { formatJson } from "../../page/format-json.js";

/** Step of an example: a message, and optionally a user action. */
export interface Step {
  title: string;
  note: string;
  text: string;
  /** Whether the text is streamed in chunks, as a model writes it. */
  stream?: boolean;
  /** Simulates a user action after the step. */
  simulateUser?: (surface: HTMLElement) => void;
}

/** Log of an agent, and the surface of it that is shown. */
export interface Log {
  text: string;
  language: "A2UI" | "HAM";
  /** Ids of its surfaces. */
  surfaces: readonly string[];
  /** Undefined if no message names a surface. */
  surfaceId: string | undefined;
}

export interface Example {
  id: string;
  title: string;
  /** Enables list edits by id, an extension of the format. */
  listEdits?: boolean;
  /** Custom components of this surface. */
  components?: NonNullable<MountOptions["components"]>;
  /** CSS class of the surface. */
  className?: string;
  steps: Step[];
  /** Whether it opens at its last step instead of playing. */
  atEnd?: boolean;
  /** Set if the first step is a log. */
  log?: Log;
}

export const surfaceId = "main";

export type Component = { id: string; component: string; [prop: string]: Json };

/** Returns a component definition. */
export function component(
  id: string,
  type: string,
  props: { [prop: string]: Json } = {},
): Component {
  return { id, component: type, ...props };
}

/** Returns a binding to a key of a node, by default of the current item. */
export function bind(key: string, node?: string): Json {
  return { binding: node === undefined ? { key } : { node, key } };
}

/** Returns templated children bound to a key of a node, by default of the current item. */
export function list(template: string, key: string, node?: string): Json {
  return { binding: node === undefined ? { key } : { node, key }, template };
}

/** Returns an `updateComponents` message. */
export function components(...list: Component[]): string {
  return formatJson({ version: "v0.9", updateComponents: { surfaceId, components: list } });
}

/** Returns an `updateDataModel` message with HAM nodes. */
export function update(nodes: HamNodes): string {
  return formatJson({ version: "v0.9", updateDataModel: { surfaceId, nodes } });
}

/** Returns nodes without an envelope, which a store accepts too. */
export function bareNodes(nodes: HamNodes): string {
  return formatJson(nodes);
}
