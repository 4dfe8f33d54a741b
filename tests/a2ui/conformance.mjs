// Runs the conformance vectors of A2UI. Each case returns undefined, or the reason why it does not pass.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { runAction, runCall, runFunction, runSelectCatalog } from "./conformance/calls.mjs";
import { folder } from "./conformance/catalogs.mjs";
import { runDataModel } from "./conformance/data.mjs";
import {
  runAccessibility,
  runCapabilities,
  runDataModelMetadata,
  runMessages,
  runResolvePath,
} from "./conformance/messages.mjs";
import { runNodes } from "./conformance/nodes.mjs";
import { runChunks, runText } from "./conformance/parser.mjs";
import { runSchemaCase } from "./conformance/schema-cases.mjs";
import { runCommonType } from "./conformance/types.mjs";

/** Whether the vectors are available. */
export const hasVectors = existsSync(folder);

/** Folders of suites, each with the function that runs a case. */
const groups = [
  { path: "core", ending: ".yaml", run: runVector },
  { path: "agent", ending: ".yaml", run: runVector },
  { path: "schema_cases/v0_9_1", ending: ".json", run: runSchemaCase },
  { path: "schema_cases/v1_0", ending: ".json", run: runSchemaCase },
];

/** Returns the suites: `{ name, cases, run }`, sorted by name in each folder. */
export function suites() {
  return groups.flatMap(({ path, ending, run }) => {
    const url = new URL(`conformance/${path}/`, folder);
    const files = readdirSync(url).filter((file) => file.endsWith(ending));
    return files.sort().flatMap((file) => {
      const content = parse(readFileSync(new URL(file, url), "utf8"));
      const name = `${path === "core" ? "" : `${path}/`}${file.slice(0, -ending.length)}`;
      if (Array.isArray(content)) return [{ name, cases: content, run }];
      const { tests, schema, catalog } = content;
      if (tests === undefined) return [];
      const cases = tests.map((one) => ({ ...one, name: one.description, schema, catalog, path }));
      return [{ name, cases, run }];
    });
  });
}

/** Actions of the vectors that are run, each with its function. */
const actions = {
  accessibility_check: runAccessibility,
  data_model: runDataModel,
  dispatch_action: runAction,
  evaluate_function: runFunction,
  fix_payload: runText,
  get_renderer_capabilities: runCapabilities,
  get_renderer_data_model: runDataModelMetadata,
  handle_rpc: runCall,
  has_parts: runText,
  parse_full: runText,
  process_chunk: runChunks,
  process_messages: runMessages,
  resolve_nodes: runNodes,
  resolve_path: runResolvePath,
  select_catalog: runSelectCatalog,
  validate: runMessages,
  validate_common_type: runCommonType,
};

/** Reasons why actions have no equivalent. */
const notRun = {
  catalog_schema: "catalogs are not written as JSON Schema",
  common_types_schema: "the common types are not written as JSON Schema",
  from_json: "catalogs are not read from JSON Schema",
};

/** Runs a case. Returns undefined if it passes, else the reason. */
export async function runVector(vector) {
  const action = actions[vector.action];
  return action === undefined
    ? (notRun[vector.action] ?? `the action \`${vector.action}\` is not run`)
    : action(vector);
}

async function reasonOf(run, vector) {
  try {
    return await run(vector);
  } catch (error) {
    return `throws ${error}`;
  }
}

/** Returns the results: `{ name, count, failed: [{ name, reason }] }` for each suite. */
export async function results() {
  const all = [];
  for (const { name, cases, run } of suites()) {
    const failed = [];
    for (const vector of cases) {
      const reason = await reasonOf(run, vector);
      if (reason !== undefined) failed.push({ name: vector.name, reason });
    }
    all.push({ name, count: cases.length, failed });
  }
  return all;
}

/** Returns the table of the results for `docs/a2ui.md`. */
export async function resultTable() {
  const rows = (await results()).map(({ name, count, failed }) => {
    const reasons = [...groupByReason(failed)].map(([reason, vectors]) =>
      vectors.length === 1
        ? `\`${vectors[0].name}\`: ${reason}`
        : `${vectors.length} cases: ${reason}`,
    );
    const cell = reasons.join("; ").replaceAll("|", "\\|");
    return `| ${name} | ${count} | ${count - failed.length} | ${cell} |`;
  });
  return ["| suite | cases | passed | not passed |", "|---|--:|--:|---|", ...rows].join("\n");
}

function groupByReason(failed) {
  const groups = new Map();
  for (const one of failed) groups.set(one.reason, [...(groups.get(one.reason) ?? []), one]);
  return groups;
}
