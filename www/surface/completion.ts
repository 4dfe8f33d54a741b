import type { HamNodes } from "byname";
import { quotedAt } from "../editor/json-string.js";
import type { Suggestion, Suggestions } from "../editor/pane.js";
import { componentNames, propsOf } from "./component-props.js";

/** What the store and the surface hold. */
export interface Known {
  nodes: HamNodes;
  components: ReadonlyMap<string, { component: string }>;
}

/** Properties that hold the id of a component. */
const ofComponents = new Set([
  "child",
  "template",
  "componentId",
  "trigger",
  "content",
  "children",
]);
const messages = ["updateComponents", "updateDataModel", "createSurface", "deleteSurface"];

/** What may stand in a string of an update: ids of nodes, keys of what is bound, components and their properties. */
export function suggest(text: string, at: number, known: () => Known): Suggestions | null {
  const quoted = quotedAt(text, at);
  if (!quoted) return null;
  const { from, words, isKey, path, beside } = quoted;
  const { nodes, components } = known();
  const name = path.at(-1);
  const found = (options: Suggestion[]): Suggestions => ({ from, options });
  const ids = [...new Set([...Object.keys(nodes), ...idsIn(text)])];
  const keysOf = (node: string): string[] => Object.keys(mapOf(nodes[node]));
  if (isKey) {
    if (path.length === 0)
      return found([...labelled(messages, "message"), ...labelled(ids, "node")]);
    if (beside.has("component"))
      return found(labelled(propsOf(beside.get("component") ?? ""), "property"));
    if (path.includes("components") && typeof name === "number")
      return found(labelled(["id", "component"], "property"));
    if (name === "nodes")
      return found([
        ...labelled(ids, "node"),
        ...labelled(
          ids.map((id) => `!${id}`),
          "remove",
        ),
      ]);
    if (name === "binding") return found(labelled(["node", "key"], "binding"));
    const own = typeof name === "string" ? keysOf(name) : [];
    return found(labelled(own.length > 0 ? own : everyKey(nodes), "key"));
  }
  if (words.startsWith("*"))
    return found(
      labelled(
        ids.map((id) => `*${id}`),
        "node",
      ),
    );
  if (name === "component") return found(labelled(componentNames, "component"));
  if (name === "node") return found(labelled(ids, "node"));
  if (name === "key") {
    const node = beside.get("node");
    const own = node === undefined ? [] : keysOf(node);
    return found(labelled(own.length > 0 ? own : everyKey(nodes), "key"));
  }
  const place = typeof name === "number" ? path.at(-2) : name;
  if (typeof place === "string" && ofComponents.has(place)) {
    const more = [...text.matchAll(/"id"\s*:\s*"([^"\\]+)"/g)].map(([, id = ""]) => id);
    return found(labelled([...new Set([...components.keys(), ...more])], "component"));
  }
  return null;
}

/** Ids that the text itself brings. */
function idsIn(text: string): string[] {
  const begin = /"nodes"\s*:\s*\{/.exec(text);
  if (text.length > 100_000) return [];
  const found: string[] = [];
  let depth = 0;
  const token = /"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}[\]]/g;
  token.lastIndex = begin ? begin.index + begin[0].length - 1 : 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [piece, words, colon] = match;
    if (piece === "{" || piece === "[") depth += 1;
    else if (piece === "}" || piece === "]") depth -= 1;
    else if (depth === 1 && colon && words && !/^[!*]/.test(words) && !messages.includes(words))
      found.push(words);
    if (depth === 0) break;
  }
  return found.filter((id) => id !== "version");
}

function everyKey(nodes: HamNodes): string[] {
  const found = new Set<string>();
  for (const node of Object.values(nodes).slice(0, 500))
    for (const key of Object.keys(mapOf(node))) found.add(key);
  return [...found];
}

function mapOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function labelled(labels: readonly string[], detail: string): Suggestion[] {
  return labels.map((label) => ({ label, detail }));
}
