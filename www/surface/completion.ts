import type { HamNodes } from "byname";
import { jsonStringAt } from "../editor/json-string.js";
import type { Completion, CompletionList } from "../editor/pane.js";
import { asRecord } from "../page/json.js";
import { componentNames, propNamesOf } from "./component-props.js";

export interface CompletionData {
  nodes: HamNodes;
  components: ReadonlyMap<string, { component: string }>;
}

/** Properties that contain component ids. */
const componentIdProps = new Set([
  "child",
  "template",
  "componentId",
  "trigger",
  "content",
  "children",
]);
const messageTypes = ["updateComponents", "updateDataModel", "createSurface", "deleteSurface"];

/** Returns completions for a string of an update: node ids, keys, components and properties. */
export function completionsAt(
  text: string,
  offset: number,
  getData: () => CompletionData,
): CompletionList | null {
  const quoted = jsonStringAt(text, offset);
  if (!quoted) return null;
  const { from, prefix, isKey, path, siblings } = quoted;
  const { nodes, components } = getData();
  const name = path.at(-1);
  const list = (options: Completion[]): CompletionList => ({ from, options });
  const ids = [...new Set([...Object.keys(nodes), ...idsIn(text)])];
  const keysOf = (node: string): string[] => Object.keys(asRecord(nodes[node]));
  if (isKey) {
    if (path.length === 0)
      return list([...toCompletions(messageTypes, "message"), ...toCompletions(ids, "node")]);
    if (siblings.has("component"))
      return list(toCompletions(propNamesOf(siblings.get("component") ?? ""), "property"));
    if (path.includes("components") && typeof name === "number")
      return list(toCompletions(["id", "component"], "property"));
    if (name === "nodes")
      return list([
        ...toCompletions(ids, "node"),
        ...toCompletions(
          ids.map((id) => `!${id}`),
          "remove",
        ),
      ]);
    if (name === "binding") return list(toCompletions(["node", "key"], "binding"));
    const own = typeof name === "string" ? keysOf(name) : [];
    return list(toCompletions(own.length > 0 ? own : allKeys(nodes), "key"));
  }
  if (prefix.startsWith("*"))
    return list(
      toCompletions(
        ids.map((id) => `*${id}`),
        "node",
      ),
    );
  if (name === "component") return list(toCompletions(componentNames, "component"));
  if (name === "node") return list(toCompletions(ids, "node"));
  if (name === "key") {
    const node = siblings.get("node");
    const own = node === undefined ? [] : keysOf(node);
    return list(toCompletions(own.length > 0 ? own : allKeys(nodes), "key"));
  }
  const prop = typeof name === "number" ? path.at(-2) : name;
  if (typeof prop === "string" && componentIdProps.has(prop)) {
    const more = [...text.matchAll(/"id"\s*:\s*"([^"\\]+)"/g)].map(([, id = ""]) => id);
    return list(toCompletions([...new Set([...components.keys(), ...more])], "component"));
  }
  return null;
}

/** Returns the node ids that the text itself defines. */
function idsIn(text: string): string[] {
  const begin = /"nodes"\s*:\s*\{/.exec(text);
  if (text.length > 100_000) return [];
  const found: string[] = [];
  let depth = 0;
  const token = /"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}[\]]/g;
  token.lastIndex = begin ? begin.index + begin[0].length - 1 : 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [symbol, words, colon] = match;
    if (symbol === "{" || symbol === "[") depth += 1;
    else if (symbol === "}" || symbol === "]") depth -= 1;
    else if (depth === 1 && colon && words && !/^[!*]/.test(words) && !messageTypes.includes(words))
      found.push(words);
    if (depth === 0) break;
  }
  return found.filter((id) => id !== "version");
}

function allKeys(nodes: HamNodes): string[] {
  const found = new Set<string>();
  for (const node of Object.values(nodes).slice(0, 500))
    for (const key of Object.keys(asRecord(node))) found.add(key);
  return [...found];
}

function toCompletions(labels: readonly string[], detail: string): Completion[] {
  return labels.map((label) => ({ label, detail }));
}
