import type { Json } from "byname";
import { linkedRegistry } from "byname/flow";
import { findingsType } from "./findings.js";

type Registry = { [type: string]: Json };

/** Returns typed ports by key. */
function ports(types: { [key: string]: string }): Json {
  return Object.entries(types).map(([key, type]) => ({ key, type }));
}

/** Node types that the page implements. */
const pageTypes: Registry = {
  fetch: {
    description: "Fetches a URL. Returns JSON as JSON, everything else as text.",
    inputs: ports({ url: "string", method: "string" }),
    outputs: ports({ response: "JSON | string", status: "number" }),
  },
  text: {
    description: "Formats a text from a template.",
    inputs: ports({ template: "string" }),
    outputs: ports({ text: "string" }),
  },
  json: {
    description: "Parses JSON text, and returns the value at a path.",
    inputs: ports({ from: "JSON | string", path: "string" }),
    outputs: ports({ value: "JSON" }),
  },
  wait: { description: "Waits.", inputs: ports({ ms: "number" }), outputs: [] },
  branch: {
    description: "Compares two values and returns the action yes or no.",
    inputs: [
      { key: "value", type: "JSON" },
      { key: "is", type: "string", description: "==, !=, <, <=, >, >=" },
      { key: "than", type: "JSON" },
    ],
    outputs: [],
    actions: ["yes", "no"],
  },
};

/** Node types that only the examples use. */
const exampleTypes: Registry = {
  ...findingsType,
  weather: {
    description: "Reads a weather station. The stations are files of this page.",
    inputs: ports({ station: "string" }),
    outputs: ports({ temperature: "number", humidity: "number" }),
  },
  mean: {
    description: "The mean of numbers.",
    inputs: ports({ values: "list" }),
    outputs: ports({ mean: "number" }),
  },
  "fetch-data": {
    description: "Fetches readings, and returns a cache key.",
    inputs: [{ key: "station" }],
    outputs: ["data", "cache_key"],
  },
  "process-cache": {
    description: "Reads the cache entry, and returns a more specific key.",
    inputs: ["cache_key", "data"],
    outputs: ["cache_key", "cached_data"],
  },
  analyze: {
    description: "Summarizes the cached data.",
    inputs: ["cached_data"],
    outputs: ["analysis"],
  },
  survey: {
    description: "A complete workflow: counts words.",
    inputs: ["document"],
    outputs: ["result", "summary", "metrics"],
  },
  audit: {
    description: "Another workflow: finds long words.",
    inputs: ["document"],
    outputs: ["result", "analysis", "metrics"],
  },
  archive: {
    description: "Stores the metrics that were written last.",
    inputs: ["metrics"],
    outputs: ["receipt"],
  },
  approve: {
    description: "Waits for the answer of a person, yes or no.",
    inputs: ports({ question: "string" }),
    outputs: ports({ answer: "string" }),
    actions: ["yes", "no"],
  },
  "station-report": {
    description: "Describes a weather station. Its `workflow` runs inside of the node.",
    inputs: ports({ station: "string" }),
    outputs: ports({ line: "string" }),
    workflow: {
      inputs: { station: { required: true } },
      nodes: [
        { id: "read", type: "weather", params: { station: "$station" } },
        {
          id: "line",
          type: "text",
          params: { template: "$station: $temperature °C, $humidity %" },
        },
      ],
      outputs: { line: { source: "$text" } },
    },
  },
  count: { description: "Increments a number.", inputs: ["n"], outputs: ["n"] },
  send: {
    description: "Sends a part over an unreliable line: for the part `bad`, two attempts fail.",
    inputs: ["part", "bad"],
    outputs: ["receipt"],
  },
};

/**
 * Returns the registry of a workflow: all page and linked types, and the example types that it
 * names, also in their workflows.
 */
export function registryFor(text: string): Registry {
  const isNamed = (type: string, where: string): boolean => where.includes(`"${type}"`);
  const named = Object.entries(exampleTypes).filter(([type]) => isNamed(type, text));
  const all = text + JSON.stringify(Object.fromEntries(named));
  const more = Object.entries(exampleTypes).filter(([type]) => isNamed(type, all));
  return { ...Object.fromEntries(more), ...pageTypes, ...linkedRegistry };
}
