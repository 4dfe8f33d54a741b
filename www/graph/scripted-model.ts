import type { Json } from "byname";
import type { LlmRequest, LlmResult } from "byname/llm";

/**
 * Scripted stand-in for a model that reads rows: matches keywords in each description. It reads its
 * input, so that it also fits a changed plan.
 */

const TOPIC_PATTERNS: [RegExp, string][] = [
  [/kelp|forest|div(er|ing)/i, "kelp"],
  [/flood|storm|cellar/i, "floods"],
  [/mud|shell|shore|chart/i, "sediment"],
  [/tide|gauge|fjord/i, "tides"],
];
const METHOD_PATTERNS: [RegExp, string][] = [
  [/gauge|minute/i, "gauges"],
  [/logs|charts|draw/i, "archives"],
  [/layers|cores|shells/i, "cores"],
  [/drone|divers/i, "counting"],
  [/model|basin/i, "models"],
];

function processReply({ prompt }: LlmRequest): LlmResult {
  const rows = [...prompt.matchAll(/^\[(.+?)\] (\{.*\})$/gm)].flatMap(([, id = "", row = ""]) => {
    try {
      return [{ id, row: JSON.parse(row) as { [name: string]: Json } }];
    } catch {
      // A truncated row is not valid JSON.
      return [];
    }
  });
  const items = rows.map(({ id, row }) => {
    const words = `${id} ${String(row["description"] ?? "")}`;
    const found = (list: [RegExp, string][]) => list.find(([word]) => word.test(words))?.[1];
    return {
      about: id,
      topic: found(TOPIC_PATTERNS) ?? "other",
      method: found(METHOD_PATTERNS) ?? "observation",
    };
  });
  const provenance = rows.map(({ id, row: { description } }, item) => ({
    item,
    input_id: id,
    ...(typeof description === "string" && { snippet: description }),
  }));
  return { json: { items, provenance }, model: "scripted" };
}

function analyzeReply({ prompt }: LlmRequest): LlmResult {
  const counts = new Map<string, number>();
  for (const [, method = ""] of prompt.matchAll(/"method":\s*"([^"]+)"/g)) {
    counts.set(method, (counts.get(method) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const rationale = most
    ? `Of ${counts.size} methods, ${most[0]} are named most often: ${most[1]} times.`
    : "Nothing was read yet.";
  return { json: { rationale }, model: "scripted" };
}

export const coastTopics = { process: processReply, analyze: analyzeReply };
