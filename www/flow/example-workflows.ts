import type { Json } from "byname";

const weatherNode = (id: string, station: string): Json => ({
  id,
  type: "weather",
  params: { station },
});

/** Several sources of one type; first example of the paper on mappings. */
export const aggregationWorkflow: Json = {
  nodes: [
    weatherNode("source1", "harbour"),
    weatherNode("source2", "island"),
    weatherNode("source3", "hill"),
    {
      id: "average",
      type: "mean",
      params: { values: ["$source1_temperature", "$source2_temperature", "$source3_temperature"] },
    },
    {
      id: "report",
      type: "text",
      params: { template: "$mean °C on average, $source1_humidity % humidity at the harbour" },
    },
  ],
  outputs: { report: { source: "$text" } },
};

const pickNode = (id: string, from: string): Json => ({
  id,
  type: "json",
  params: { from, path: "temperature" },
});

/** The basic types: fetch, extract a value, compare, format a text. */
export const fetchingWorkflow: Json = {
  nodes: [
    { id: "coast", type: "fetch", params: { url: "weather/harbour.json" } },
    pickNode("warmth", "$coast_response"),
    { id: "inland", type: "fetch", params: { url: "weather/hill.json" } },
    pickNode("chill", "$inland_response"),
    {
      id: "warmer",
      type: "branch",
      params: { value: "$warmth_value", is: ">", than: "$chill_value" },
    },
    { id: "sea", type: "text", params: { template: "The sea: $warmth_value °C" } },
    { id: "hills", type: "text", params: { template: "The hills: $chill_value °C" } },
  ],
  edges: [
    { from: "coast", to: "warmth" },
    { from: "inland", to: "chill" },
    { from: "warmth", to: "warmer" },
    { from: "chill", to: "warmer" },
    { from: "warmer", to: "sea", action: "yes" },
    { from: "warmer", to: "hills", action: "no" },
  ],
  outputs: { go_to: { source: "$text" } },
};

export const cachingWorkflow: Json = {
  inputs: { station: { required: true } },
  nodes: [
    { id: "fetch-data", type: "fetch-data" },
    { id: "process-cache", type: "process-cache" },
    { id: "analyze", type: "analyze" },
  ],
  outputs: { analysis: {}, cache_key: {} },
};

export const compositionWorkflow: Json = {
  inputs: { document: { required: true } },
  nodes: [
    { id: "A", type: "survey", purpose: "The first workflow" },
    { id: "B", type: "audit", purpose: "The second one" },
    { id: "archive", type: "archive" },
    {
      id: "compare",
      type: "text",
      params: { template: "A: $A_result ($summary). B: $B_result ($analysis)." },
    },
  ],
  outputs: { comparison: { source: "$text" }, receipt: {} },
};

export const loopWorkflow: Json = {
  inputs: { parts: { default: 3 }, n: { default: 0 } },
  nodes: [
    { id: "next", type: "count" },
    {
      id: "send",
      type: "send",
      params: { part: "$n", bad: 2 },
      retry: { max_attempts: 3, backoff_ms: 300 },
    },
    { id: "more", type: "branch", params: { value: "$n", is: "<", than: "$parts" } },
    { id: "rest", type: "wait", params: { ms: 100 } },
    { id: "done", type: "text", params: { template: "$n parts were sent, last $receipt" } },
  ],
  edges: [
    { from: "next", to: "send" },
    { from: "send", to: "more" },
    { from: "more", to: "rest", action: "yes" },
    { from: "rest", to: "next" },
    { from: "more", to: "done", action: "no" },
  ],
  start_node: "next",
  outputs: { report: { source: "$text" } },
};

export const branchesWorkflow: Json = {
  inputs: { language: { default: "de" } },
  nodes: [
    { id: "which", type: "branch", params: { value: "$language", is: "==", than: "de" } },
    { id: "german", type: "text", params: { template: "Guten Tag" } },
    { id: "english", type: "text", params: { template: "Good day" } },
    { id: "greet", type: "text", params: { template: "$text, it is good to see you" } },
  ],
  edges: [
    { from: "which", to: "german", action: "yes" },
    { from: "which", to: "english", action: "no" },
    { from: "german", to: "greet" },
    { from: "english", to: "greet" },
  ],
  outputs: { greeting: { source: "$greet_text" } },
};

/** A batch with a failed item, an approval by a person, and a failure with its own edge. */
export const approvalWorkflow: Json = {
  inputs: { stations: { required: true } },
  nodes: [
    {
      id: "read",
      type: "weather",
      batch: { items: "$stations", as: "one", on_error: "continue" },
      params: { station: "$one" },
    },
    {
      id: "draft",
      type: "text",
      params: { template: "Temperatures $temperature, no answer from ${read.errors[0].item}" },
    },
    { id: "approve", type: "approve", params: { question: "$draft_text" } },
    { id: "publish", type: "send", params: { part: "$draft_text", bad: "$draft_text" } },
    {
      id: "store",
      type: "text",
      params: { template: "Stored for later: ${publish.error.message}" },
    },
    { id: "discard", type: "text", params: { template: "Discarded" } },
    { id: "sent", type: "text", params: { template: "Sent: $receipt" } },
  ],
  edges: [
    { from: "read", to: "draft" },
    { from: "draft", to: "approve" },
    { from: "approve", to: "publish", action: "yes" },
    { from: "approve", to: "discard", action: "no" },
    { from: "publish", to: "sent" },
    { from: "publish", to: "store", action: "error" },
  ],
  outputs: { report: { source: "${store.text ?? sent.text ?? discard.text}" } },
};

/** Two nodes of one type that runs a workflow of its own. */
export const nestedWorkflow: Json = {
  nodes: [
    { id: "coast", type: "station-report", params: { station: "harbour" } },
    { id: "inland", type: "station-report", params: { station: "hill" } },
    { id: "report", type: "text", params: { template: "$coast_line. $inland_line." } },
  ],
  outputs: { report: { source: "$text" } },
};

export const batchWorkflow: Json = {
  inputs: { stations: { required: true } },
  nodes: [
    {
      id: "read",
      type: "weather",
      batch: { items: "$stations", as: "one" },
      params: { station: "$one" },
    },
    { id: "average", type: "mean", params: { values: "$temperature" } },
    {
      id: "line",
      type: "text",
      batch: { items: "$temperature", as: "degrees" },
      params: { template: "$degrees °C" },
    },
    { id: "report", type: "text", params: { template: "$line_text: $mean °C on average" } },
  ],
  outputs: { report: { source: "$report_text" } },
};
