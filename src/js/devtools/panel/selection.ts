import type { Instance } from "../../types.js";
import { partsOf, type View, type ViewContext } from "./view.js";

/** Detail of the event `byname-select`: the selected instance or node. */
export interface SelectDetail {
  source: string;
  /** Key of an instance. */
  key?: string;
  /** Id of the component of an instance that is displayed. */
  component?: string;
  /** Id of a node. */
  node?: string;
}

/** Detail of the event `byname-tab`: the tab that was opened. */
export interface TabDetail {
  name: string;
}

/** Returns the instance or node of a selected row, or undefined for an entry of the log. */
export function selectionOf(
  view: View,
  id: string,
  { entries, recorder }: ViewContext,
  key: string | undefined,
): SelectDetail | undefined {
  const [own, name] = partsOf(id);
  if (view.name === "Nodes") return { source: own, node: name };
  if (key === undefined) return undefined;
  // The row of a change has the id of its entry.
  const entry = entries.find((one) => id.startsWith(`${one.id}:`));
  const source = view.name === "Tree" ? own : (entry?.source ?? "");
  const component = findInstance(recorder.surfaces.get(source)?.surface.tree() ?? null, key)?.id;
  return { source, key, ...(component !== undefined && { component }) };
}

function findInstance(top: Instance | null, key: string): Instance | undefined {
  const pending = top ? [top] : [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.key === key) return next;
    pending.push(...next.children);
  }
  return undefined;
}
