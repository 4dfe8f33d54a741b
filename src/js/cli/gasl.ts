import { Graph } from "../gasl/graph.js";
import { GaslSession } from "../gasl/session.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../types.js";
import type { Command, Options, Outcome } from "./command.js";
import { readBytes, readText } from "./files.js";
import { formatDiagnostics } from "./report.js";
import { UsageError } from "./usage-error.js";

/** Maximum number of rows that are printed of a result. */
const MAX_PRINTED_ROWS = 50;

/** Option of the commands that read a graph. */
export const nodeTableOption = { "node-table": { type: "string" } } as const;
export const nodeTableHelp = {
  "node-table": "table of nodes (CSV), if the file of the graph is a table of edges",
};

/** Reads a graph of any format from a file, or from two tables. */
export function readGraph(path: string | undefined, options: Options): Graph {
  const nodeTable = options["node-table"];
  if (typeof nodeTable !== "string") return Graph.from(readBytes(path));
  return Graph.fromCsv({ nodes: readBytes(nodeTable), edges: readBytes(path) });
}

export const graphInfo: Command = {
  name: "graph info",
  usage: "[FILE]",
  summary: "prints the format, the size and the fields of a graph",
  options: nodeTableOption,
  optionHelp: nodeTableHelp,
  async run([path], options) {
    const graph = readGraph(path, options);
    const summary = graph.summary();
    const lines = [
      `${path ?? "-"}: ${graph.format}`,
      graph.prompt(),
      formatDiagnostics(graph.diagnostics, { name: path ?? "-" }),
    ];
    const json = {
      format: graph.format,
      ...summary,
      diagnostics: graph.diagnostics,
    } as unknown as Json;
    return { text: lines.filter((line) => line !== "").join("\n"), json };
  },
};

export const graphQuery: Command = {
  name: "graph query",
  usage: "FILE COMMAND…",
  summary: "runs GASL commands on a graph and prints the rows of the last one",
  options: nodeTableOption,
  optionHelp: nodeTableHelp,
  async run([path, ...commands], options) {
    if (path === undefined || commands.length === 0)
      throw new UsageError('expected a file and commands, such as "FIND nodes AS x"');
    const plan = { plan_id: "query", why: "command line", commands };
    return runPlan(readGraph(path, options), plan, path);
  },
};

export const gaslRun: Command = {
  name: "gasl run",
  usage: "PLAN",
  summary: "runs a plan on a graph: JSON, or a text with one command per line",
  options: { graph: { type: "string" }, ...nodeTableOption },
  optionHelp: { graph: "file of the graph; required", ...nodeTableHelp },
  async run([path], options) {
    const graphPath = options["graph"];
    if (typeof graphPath !== "string") throw new UsageError("expected the option `--graph FILE`");
    const text = readText(path);
    const plan = /^\s*\{/.test(text) ? text : planOf(text);
    return runPlan(readGraph(graphPath, options), plan, path ?? "-");
  },
};

function planOf(text: string): Plan {
  const commands = text.split("\n").filter((line) => line.trim() !== "");
  return { plan_id: "plan", why: "command line", commands };
}

async function runPlan(graph: Graph, plan: Plan | string, name: string): Promise<Outcome> {
  const session = new GaslSession({ graph });
  const result = await session.run(plan);
  const problems = [...result.diagnostics, ...result.records.flatMap(({ errors = [] }) => errors)];
  const last = result.records.at(-1);
  const rows = last && resultValue(session, last);
  const lines = [
    ...result.records.map((record) => `${record.status}: ${record.command}`),
    formatDiagnostics(problems as Diagnostic[], { name }),
    rowsText(rows),
  ];
  const ended = result.status === "completed" || result.status === "stopped_empty";
  return {
    text: lines.filter((line) => line !== "").join("\n"),
    json: { result: result as unknown as Json, value: rows ?? null },
    failed: !ended,
  };
}

/** Returns the value that a command has written, or that it shows. */
function resultValue(session: GaslSession, { command }: ExecutionRecord): Json | undefined {
  const name = /\bAS\s+(\w+)\s*$/i.exec(command)?.[1] ?? /^\s*SHOW\s+(\w+)/i.exec(command)?.[1];
  return name === undefined ? undefined : session.variable(name);
}

function rowsText(value: Json | undefined): string {
  if (value === undefined) return "";
  if (!Array.isArray(value)) return JSON.stringify(value);
  const rows = value.slice(0, MAX_PRINTED_ROWS).map((row) => JSON.stringify(row));
  const rest = value.length - rows.length;
  return [...rows, ...(rest > 0 ? [`${rest} more rows; use --json for all`] : [])].join("\n");
}
