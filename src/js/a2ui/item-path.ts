import type { Action, HamNodes } from "../types.js";
import { pointerOf } from "./node-ids.js";
import { resolveModel } from "./resolved-model.js";

/** Item of a template in a step of an instance key: `component:item`. */
const KEY_ITEM = /:([^/]*)$/;

/**
 * Returns the path of a value in the scope of an action. The input is an absolute path, or one
 * relative to the item of the nearest template around the source of the action.
 */
export function pathInScope(action: Action, path: string, nodes: HamNodes): string {
  if (path.startsWith("/")) return path;
  const item = itemNode(action.sourceKey);
  const base = item === undefined ? "/" : locationPath(item, nodes);
  const isItem = path === "" || path === ".";
  return isItem ? base : `${base === "/" ? "" : base}/${path}`;
}

/** Returns the id of the node of the nearest item in the key of an instance. */
function itemNode(key: string): string | undefined {
  const steps = key.split("/");
  for (const step of steps.reverse()) {
    const item = KEY_ITEM.exec(step)?.[1];
    // Numbers count repeated children.
    if (item !== undefined && !/^\d+$/.test(item)) return unescapeKey(item);
  }
  return undefined;
}

/** Returns the path of a node, which may have moved in its list. */
function locationPath(node: string, nodes: HamNodes): string {
  // The view of an item ends with the id of its node.
  const id = node.startsWith("item:") ? node.slice(node.lastIndexOf(":/") + 1) : node;
  const location = resolveModel(nodes).locations.get(id);
  return location === undefined ? id : pointerOf(location);
}

function unescapeKey(text: string): string {
  return text.replace(/~[0-3]/g, (code) => "~/:="[Number(code[1])] as string);
}
