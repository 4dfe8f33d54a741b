import type { GaslSession, HamStore, Json, NodeCall, NodeCallback } from "byname";
import { linkedNodes } from "byname/flow";
import type { LlmCallback } from "byname/llm";
import { formatValue, truncate } from "../page/format.js";
import { exampleNodes } from "./example-nodes.js";
import { findingsNode, type NodeKinds } from "./findings.js";
import { fetchOrCached } from "./station-files.js";

/** Model, store, session and graph kinds that the linked node types use. */
export interface NodeResources {
  llm: LlmCallback;
  store: HamStore;
  session: GaslSession;
  kinds: NodeKinds;
}

/** Returns the callback of each node type of the page. */
export function nodeCallbacks(resources: NodeResources): { [type: string]: NodeCallback } {
  const { llm, store, session, kinds } = resources;
  const findings = findingsNode(session, store, kinds);
  return { ...pageNodes, ...exampleNodes, findings, ...linkedNodes({ llm, store, session }) };
}

const pageNodes: { [type: string]: NodeCallback } = {
  fetch: async ({ inputs, signal }) => fetchUrl(inputs, signal),
  text: async ({ inputs }) => ({ outputs: { text: formatValue(inputs["template"] ?? "") } }),
  json: async ({ inputs }) => {
    const { from = null, path = "" } = inputs;
    const value = typeof from === "string" ? parseJson(from) : from;
    return { outputs: { value: valueAtPath(value, String(path)) } };
  },
  wait: async ({ inputs, signal }) => {
    await delay(Number(inputs["ms"] ?? 0), signal);
    return { outputs: {} };
  },
  branch: async ({ inputs }) => ({ outputs: {}, action: compareValues(inputs) ? "yes" : "no" }),
};

async function fetchUrl(inputs: NodeCall["inputs"], signal: AbortSignal) {
  const { url = "", method = "GET" } = inputs;
  const address = new URL(String(url), document.baseURI);
  if (!/^https?:$/.test(address.protocol))
    throw new Error(`expected an http or https address, found ${address.protocol}`);
  const answer = await fetchOrCached(address, { method: String(method), signal });
  if (!answer.ok) throw new Error(`${address.pathname} returned status ${answer.status}`);
  const text = await answer.text();
  let response: Json = text;
  try {
    response = JSON.parse(text) as Json;
  } catch {
    // Not JSON: returned as text.
  }
  return { outputs: { response, status: answer.status } };
}

/** Waits; rejects if the run is cancelled. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`the input is not JSON: \`${truncate(text.trim(), 60)}\``);
  }
}

function valueAtPath(value: Json, path: string): Json {
  let found: Json | undefined = value;
  for (const step of path.split(/[.[\]]+/).filter((one) => one !== "")) {
    const inside: { [step: string]: Json } | Json[] =
      typeof found === "object" && found !== null ? found : {};
    found = Object.hasOwn(inside, step) ? (inside as { [step: string]: Json })[step] : undefined;
  }
  if (found === undefined) throw new Error(`no value at ${path}`);
  return found;
}

function compareValues({ value = null, is = "==", than = null }: NodeCall["inputs"]): boolean {
  const [a, b] = [value, than].map((one) => (typeof one === "object" ? JSON.stringify(one) : one));
  const numbers = [Number(a), Number(b)] as const;
  switch (is) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return numbers[0] < numbers[1];
    case "<=":
      return numbers[0] <= numbers[1];
    case ">":
      return numbers[0] > numbers[1];
    case ">=":
      return numbers[0] >= numbers[1];
    default:
      throw new Error(`unknown comparison ${String(is)}; expected ==, !=, <, <=, > or >=`);
  }
}
