import type { Json, NodeCall, NodeCallback } from "byname";
import { suspend } from "byname/flow";

import { fetchOrCached, stationFile, stationNames } from "./station-files.js";

type Reading = { temperature: number; humidity: number };

/** Callbacks of the node types that only the examples use. */
export const exampleNodes: { [type: string]: NodeCallback } = {
  weather: async (call) => {
    const { temperature, humidity } = await readStation(call);
    return { outputs: { temperature, humidity } };
  },
  mean: async ({ inputs }) => {
    const values = [inputs["values"] ?? []].flat().map(Number);
    if (values.length === 0) throw new Error("expected at least one number");
    const sum = values.reduce((all, one) => all + one, 0);
    return { outputs: { mean: Math.round((sum / values.length) * 10) / 10 } };
  },
  "fetch-data": async (call) => ({
    outputs: { data: { ...(await readStation(call)) }, cache_key: String(call.inputs["station"]) },
  }),
  "process-cache": async ({ inputs }) => {
    const { cache_key = "", data = null } = inputs;
    return { outputs: { cache_key: `${String(cache_key)}:v2`, cached_data: [data] } };
  },
  analyze: async ({ inputs }) => {
    const [first] = [inputs["cached_data"] ?? null].flat();
    const { temperature = "?" } = (first ?? {}) as Partial<Reading>;
    return { outputs: { analysis: `It is ${temperature} °C.` } };
  },
  survey: async ({ inputs }) => {
    const list = wordsOf(inputs);
    return {
      outputs: {
        result: `${list.length} words`,
        summary: `${list.slice(0, 4).join(" ")} …`,
        metrics: { words: list.length },
      },
    };
  },
  audit: async ({ inputs }) => {
    const long = wordsOf(inputs).filter((word) => word.length > 6);
    return {
      outputs: {
        result: `${long.length} long words`,
        analysis: long.join(", "),
        metrics: { long: long.length },
      },
    };
  },
  archive: async ({ inputs }) => ({
    outputs: { receipt: `kept ${JSON.stringify(inputs["metrics"] ?? null)}` },
  }),
  count: async ({ inputs }) => ({ outputs: { n: Number(inputs["n"] ?? 0) + 1 } }),
  approve: async ({ inputs, resumed }) => {
    const options = ["yes", "no"];
    if (resumed === undefined) return suspend({ question: inputs["question"] ?? "", options });
    if (!options.includes(String(resumed)))
      throw new Error(`expected the answer yes or no, found ${JSON.stringify(resumed)}`);
    return { outputs: { answer: resumed }, action: String(resumed) };
  },
  send: async ({ inputs, attempt }) => {
    const { part = null, bad = null } = inputs;
    if (part === bad && attempt <= 2) throw new Error("the line broke");
    return { outputs: { receipt: `part ${String(part)}, attempt ${attempt}` } };
  },
};

async function readStation({ inputs, signal }: NodeCall): Promise<Reading> {
  const name = String(inputs["station"] ?? "");
  // Some servers return an HTML page for any address.
  if (!stationNames.includes(name))
    throw new Error(`unknown station \`${name}\`; available: ${stationNames.join(", ")}`);
  const answer = await fetchOrCached(stationFile(name), { signal });
  if (!answer.ok) throw new Error(`the station \`${name}\` returned status ${answer.status}`);
  return (await answer.json()) as Reading;
}

function wordsOf({ document: text = "" }: { [name: string]: Json }): string[] {
  return String(text).match(/[\p{L}]+/gu) ?? [];
}
