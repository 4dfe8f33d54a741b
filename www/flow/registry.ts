import type { Json } from "byname";
import { linkedRegistry } from "byname/flow";
import { findingsType } from "./findings.js";

type Registry = { [type: string]: Json };

/** Node types that the page implements. */
const pageTypes: Registry = {
  fetch: {
    description: "Fetches an address. Answers JSON as JSON, everything else as text.",
    inputs: [
      { key: "url", type: "string" },
      { key: "method", type: "string" },
    ],
    outputs: [
      { key: "response", type: "JSON | string" },
      { key: "status", type: "number" },
    ],
  },
  text: {
    description: "Makes a text of a template.",
    inputs: [{ key: "template", type: "string" }],
    outputs: [{ key: "text", type: "string" }],
  },
  json: {
    description: "Reads JSON where it is given text, and takes what stands at a path.",
    inputs: [
      { key: "from", type: "JSON | string" },
      { key: "path", type: "string" },
    ],
    outputs: [{ key: "value", type: "JSON" }],
  },
  wait: {
    description: "Waits.",
    inputs: [{ key: "ms", type: "number" }],
    outputs: [],
  },
  branch: {
    description: "Compares two values and answers yes or no.",
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
    inputs: [{ key: "station", type: "string" }],
    outputs: [
      { key: "temperature", type: "number" },
      { key: "humidity", type: "number" },
    ],
  },
  mean: {
    description: "The mean of numbers.",
    inputs: [{ key: "values", type: "list" }],
    outputs: [{ key: "mean", type: "number" }],
  },
  "fetch-data": {
    description: "Fetches readings, and names the key for a cache.",
    inputs: [{ key: "station" }],
    outputs: ["data", "cache_key"],
  },
  "process-cache": {
    description: "Looks into the cache under the key, and makes the key more exact.",
    inputs: ["cache_key", "data"],
    outputs: ["cache_key", "cached_data"],
  },
  analyze: {
    description: "Says what the cached data holds.",
    inputs: ["cached_data"],
    outputs: ["analysis"],
  },
  survey: {
    description: "A whole workflow of its own: counts words.",
    inputs: ["document"],
    outputs: ["result", "summary", "metrics"],
  },
  audit: {
    description: "Another one: looks for long words.",
    inputs: ["document"],
    outputs: ["result", "analysis", "metrics"],
  },
  archive: {
    description: "Keeps the metrics that were written last.",
    inputs: ["metrics"],
    outputs: ["receipt"],
  },
  count: {
    description: "Counts on from the number that it reads.",
    inputs: ["n"],
    outputs: ["n"],
  },
  send: {
    description: "Sends a part over a bad line: for the part `bad` two attempts fail.",
    inputs: ["part", "bad"],
    outputs: ["receipt"],
  },
};

/**
 * Returns the registry of a workflow: all page and linked types, and the example types that it
 * names.
 */
export function registryFor(text: string): Registry {
  const more = Object.entries(exampleTypes).filter(([type]) => text.includes(`"${type}"`));
  return { ...Object.fromEntries(more), ...pageTypes, ...linkedRegistry };
}
