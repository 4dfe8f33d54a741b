import { abortable } from "../abort.js";
import { assertFunction } from "../arguments.js";
import { Graph } from "../gasl/graph.js";
import { GaslSession } from "../gasl/session.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, ExecutionRecord, Json, Plan, PlanResult } from "../types.js";
import { defineTool, maxCharactersOf } from "./define-tool.js";
import { pageRows, pageText, pageValue, RANGE_PROPERTIES, rangeOf, restPart } from "./page.js";
import { argumentFailure, diagnosticsPart, failureResult, withDiagnostics } from "./result.js";
import type { Tool, ToolsOptions } from "./types.js";

/** Characters of a description of the language besides its text. */
const LANGUAGE_REST = 200;

/** Number of characters for the other parts of a description. */
const DESCRIPTION_REST = 1200;

/** Session with the maximum length of results. */
interface GraphToolContext {
  readonly session: GaslSession;
  readonly maxCharacters: number;
  /** The last plan, so that plans run one after the other. */
  running: Promise<unknown>;
  /** Loading of a stored state. */
  loading: Promise<void> | undefined;
  planCount: number;
}

/** Returns the tools with which a model queries a graph: describe, run a plan, rows, evidence. */
export function graphTools(session: GaslSession, options: ToolsOptions = {}): Tool[] {
  assertFunction(session?.run, "`run` of the session");
  const maxCharacters = maxCharactersOf(options, [], "graphTools");
  const context: GraphToolContext = {
    session,
    maxCharacters,
    running: Promise.resolve(),
    loading: undefined,
    planCount: 0,
  };
  const tools = [describeGraph, runPlan, showRows, evidence];
  return tools.map((tool) => defineTool(tool(context), maxCharacters));
}

/** Loads a stored state before the first call, because reading a session does not load it. */
async function loadState(
  context: GraphToolContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  context.loading ??= load(context.session).catch((reason) => {
    // The next call tries again.
    context.loading = undefined;
    throw reason;
  });
  await (signal ? abortable(context.loading, signal) : context.loading);
}

/** Loads the state with a plan without commands, which is rejected and changes nothing. */
async function load(session: GaslSession): Promise<void> {
  await session.run({ plan_id: "load", why: "load", commands: [] });
}

const describeGraph = (context: GraphToolContext) => ({
  name: "describe_graph",
  description:
    "Describes the graph (counts, fields with values), the variables, and GASL, the language of run_plan. Call it first.",
  properties: {
    language: { type: "boolean", description: "false leaves out the description of GASL" },
    offset: { type: "integer", minimum: 0, description: "index of the first character of `graph`" },
    gaslOffset: {
      type: "integer",
      minimum: 0,
      description: "returns only `gasl`, from the character with this index",
    },
  },
  async run(
    { language = true, offset = 0, gaslOffset }: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    await loadState(context, signal);
    const { session, maxCharacters } = context;
    if (gaslOffset !== undefined) return languagePart(gaslOffset as number, maxCharacters);
    const reference = language === true && offset === 0 ? GaslSession.prompt() : "";
    const isFitting = JSON.stringify(reference).length <= maxCharacters - DESCRIPTION_REST - 300;
    const gasl = isFitting ? reference : "";
    // JSON text has a backslash for each line break.
    const budget = Math.max(300, maxCharacters - JSON.stringify(gasl).length - DESCRIPTION_REST);
    const call = (at: number): string =>
      `call describe_graph with {"language":false,"offset":${at}}`;
    const { text, rest } = pageText(outlineOf(session), offset as number, budget, call);
    return {
      ok: true,
      graph: text,
      ...(rest !== undefined && { rest }),
      variables: Object.keys(session.summary()),
      ...(gasl !== "" && { gasl }),
      ...(!isFitting && { gaslRest: `GASL is left out; ${callLanguage(0)}` }),
    };
  },
});

function callLanguage(offset: number): string {
  return `call describe_graph with {"gaslOffset":${offset}}`;
}

/** Returns a part of the description of GASL. */
function languagePart(offset: number, maxCharacters: number): JsonObject {
  const { text, rest } = pageText(
    GaslSession.prompt(),
    offset,
    maxCharacters - LANGUAGE_REST,
    callLanguage,
  );
  return { ok: true, gasl: text, ...(rest !== undefined && { rest }) };
}

function outlineOf({ graph }: GaslSession): string {
  if (graph instanceof Graph) return graph.prompt();
  return "a graph of the host; run `FIND nodes LIMIT 5 AS sample` to see its fields";
}

const runPlan = (context: GraphToolContext) => ({
  name: "run_plan",
  description:
    "Runs GASL commands one after the other and returns the status of each, and the rows of the last result and of each SHOW. Variables are readable until the next plan; keys of DECLARE remain.",
  properties: {
    commands: {
      type: "array",
      minItems: 1,
      items: { type: "string", minLength: 1, description: "one GASL command" },
      description: 'GASL commands, such as ["FIND nodes AS x", "SHOW x"]',
    },
    why: { type: "string", description: "the purpose of the plan" },
    plan_id: { type: "string", minLength: 1, description: "a name of the plan; may be left out" },
    config: {
      type: "object",
      properties: {
        stop_on_error: { type: "boolean", description: "true by default" },
        continue_on_empty: {
          type: "boolean",
          description: "whether to run on after an empty result; false by default",
        },
      },
      additionalProperties: false,
      description: 'such as {"continue_on_empty": true}; may be left out',
    },
  },
  required: ["commands"],
  async run(args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
    const result = await runNext(context, args, signal);
    return planResult(context, result, (args["commands"] as string[]).length);
  },
});

/** Runs a plan after those that are running, because a session rejects a second one. */
async function runNext(
  context: GraphToolContext,
  { commands, why = "", plan_id: name, config }: JsonObject,
  signal: AbortSignal | undefined,
): Promise<PlanResult> {
  const { session, running: previous } = context;
  context.planCount += 1;
  const plan = {
    plan_id: (name as string | undefined) ?? `tool-${context.planCount}`,
    why: why as string,
    ...(config !== undefined && { config: config as NonNullable<Plan["config"]> }),
  };
  const run = async (): Promise<PlanResult> => {
    await (signal ? abortable(previous, signal) : previous);
    return session.run({ ...plan, commands: commands as string[] }, signal ? { signal } : {});
  };
  const result = run();
  context.running = Promise.all([previous, result]).catch(() => {});
  return result;
}

function planResult(
  context: GraphToolContext,
  result: PlanResult,
  commandCount: number,
): JsonObject {
  const { status, records, diagnostics } = result;
  const problems = [
    ...diagnostics,
    ...records.flatMap(({ errors = [] }) => errors as Diagnostic[]),
  ];
  const left = commandCount - records.length;
  const parts = {
    status,
    steps: records.map(stepOf),
    results: resultsOf(context, records),
    ...(left > 0 && { notRun: `the last ${left} of ${commandCount} commands were not run` }),
  };
  if (status === "cancelled")
    return { ...failureResult("cancelled", "the plan was cancelled"), ...parts };
  if (status === "failed") {
    const help = "apply the help of each diagnostic and run the corrected commands";
    return {
      ...failureResult("diagnostics", "the plan failed", { help }),
      ...parts,
      ...diagnosticsPart(problems),
    };
  }
  return { ok: true, ...parts, ...diagnosticsPart(problems) };
}

function stepOf({ command, status, metrics }: ExecutionRecord): JsonObject {
  const { rows, ...counts } = metrics;
  return { command, status, ...(counts as JsonObject) };
}

/** Returns the rows of each SHOW, and the value of the last command. */
function resultsOf(context: GraphToolContext, records: readonly ExecutionRecord[]): Json[] {
  const shows = records.filter(({ metrics }) => Array.isArray(metrics["rows"]));
  const last = records.at(-1);
  const [, quoted, plain] =
    /\bAS\s+(?:`([^`]+)`|([^\s;`]+))[\s;]*$/i.exec(last?.command ?? "") ?? [];
  const name = quoted ?? plain;
  const isNamed = name !== undefined && context.session.variable(name) !== undefined;
  const count = shows.length + (isNamed ? 1 : 0);
  // Steps and diagnostics need the other half.
  const share = Math.max(1000, Math.floor(context.maxCharacters / 2 / Math.max(1, count)));
  return [
    ...shows.map((record) => shownRows(record, share)),
    ...(isNamed ? [{ name, ...valuePart(context.session, name, share) }] : []),
  ];
}

function shownRows({ command, metrics }: ExecutionRecord, share: number): JsonObject {
  const [, quoted, plain = ""] = /^\s*SHOW\s+(?:`([^`]+)`|([^\s;]+))/i.exec(command) ?? [];
  const name = quoted ?? plain;
  const offset = Number(/\bOFFSET\s+(\d+)/i.exec(command)?.[1] ?? 0);
  const all = metrics["rows"] as Json[];
  const range = { offset: 0, limit: undefined };
  const { rows } = pageRows(all, range, share, () => "") as { rows: Json[] };
  const total = typeof metrics["count"] === "number" ? metrics["count"] : all.length;
  return { name, rows, total, ...restPart(total, offset, rows.length, callShowRows(name)) };
}

function callShowRows(name: string): (offset: number) => string {
  return (offset) => `call show_rows with {"name":${JSON.stringify(name)},"offset":${offset}}`;
}

function valuePart(session: GaslSession, name: string, share: number): JsonObject {
  const value = session.variable(name);
  if (!Array.isArray(value)) return pageValue(value ?? null, 0, share, callShowRows(name));
  return pageRows(value, { offset: 0, limit: undefined }, share, callShowRows(name));
}

const showRows = (context: GraphToolContext) => ({
  name: "show_rows",
  description:
    "Returns rows of a variable of the last plan, or of a declared key, a part at a time.",
  properties: {
    name: { type: "string", pattern: "^[^`\\r\\n]+$", description: "the variable" },
    fields: {
      type: "array",
      items: { type: "string" },
      description: "fields to return; all by default",
    },
    ...RANGE_PROPERTIES,
  },
  required: ["name"],
  async run(args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
    await loadState(context, signal);
    const { session, maxCharacters } = context;
    const name = args["name"] as string;
    const value = session.variable(name);
    if (value === undefined) {
      // Reports an unknown name with the similar ones.
      const record = await session.execute(`SHOW \`${name}\` LIMIT 1`, signal ? { signal } : {});
      if (signal?.aborted) return failureResult("cancelled", "the call was cancelled");
      // The location is one of the text of the command above.
      const errors = (record.errors ?? []).map(({ location: _, ...error }) => error);
      return withDiagnostics(errors as Diagnostic[], {});
    }
    const call = (offset: number): string =>
      `call show_rows with ${JSON.stringify({ ...args, offset })}`;
    if (!Array.isArray(value))
      return { ok: true, ...pageValue(value, rangeOf(args).offset, maxCharacters, call) };
    const fields = args["fields"] as string[] | undefined;
    const unknown = fields && unknownFields(value, fields);
    if (unknown && unknown.length > 0) return argumentFailure(unknown);
    const rows = fields ? value.map((row) => pickFields(row, fields)) : value;
    return { ok: true, ...pageRows(rows, rangeOf(args), maxCharacters, call) };
  },
});

/** Reports fields that no row has. */
function unknownFields(rows: readonly Json[], fields: readonly string[]) {
  const known = new Set(rows.flatMap((row) => (isJsonObject(row) ? Object.keys(row) : [])));
  if (rows.length === 0) return [];
  const names = [...known].slice(0, 30).map((name) => `\`${name}\``);
  return fields.flatMap((name, at) =>
    known.has(name)
      ? []
      : [
          {
            field: `/fields/${at}`,
            message: `unknown field \`${name}\``,
            help: `use ${names.join(", ") || "no `fields`, because the rows are not objects"}`,
          },
        ],
  );
}

function pickFields(row: Json, fields: readonly string[]): Json {
  if (!isJsonObject(row)) return row;
  return Object.fromEntries(
    fields.flatMap((name) => (Object.hasOwn(row, name) ? [[name, row[name] as Json]] : [])),
  );
}

const evidence = (context: GraphToolContext) => ({
  name: "evidence",
  description: "Returns the findings under a declared key, each with its sources.",
  properties: {
    key: { type: "string", minLength: 1, description: "a key of DECLARE" },
    ...RANGE_PROPERTIES,
  },
  required: ["key"],
  async run(args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
    await loadState(context, signal);
    const { session, maxCharacters } = context;
    const key = args["key"] as string;
    const findings = session.evidence(key) as Json[];
    const keys = Object.keys(session.summary());
    if (findings.length === 0 && !keys.includes(key.split(".")[0] ?? "")) {
      const known = keys.slice(0, 30).map((name) => `\`${name}\``);
      const help = known.length > 0 ? `use ${known.join(", ")}` : "declare a key first: DECLARE";
      return argumentFailure([{ field: "/key", message: `unknown key \`${key}\``, help }]);
    }
    const call = (offset: number): string =>
      `call evidence with ${JSON.stringify({ ...args, offset })}`;
    return { ok: true, ...pageRows(findings, rangeOf(args), maxCharacters, call) };
  },
});
