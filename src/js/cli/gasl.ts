import type { Graph } from "../gasl/graph.js";
import { GaslSession } from "../gasl/session.js";
import type { Diagnostic, ExecutionRecord, Json } from "../types.js";
import type { Command, Outcome } from "./command.js";
import { readText } from "./files.js";
import {
  formatGraphDiagnostics,
  nodeTableHelp,
  nodeTableOption,
  readGraph,
} from "./graph-source.js";
import { locatedProblems, type PlanSource, planSource } from "./plan-source.js";
import { formatDiagnostics, printable } from "./report.js";
import { UsageError } from "./usage-error.js";

/** Maximum number of rows that are printed of a result. */
const MAX_PRINTED_ROWS = 50;

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
      printable(`${path ?? "-"}: ${graph.format}`),
      printable(graph.prompt()),
      formatGraphDiagnostics(graph.diagnostics, path, options),
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
    return runPlan(readGraph(path, options), planSource("commands", commands.join("\n")));
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
    const source = planSource(path ?? "-", readText(path));
    return runPlan(readGraph(graphPath, options), source);
  },
};

async function runPlan(graph: Graph, source: PlanSource): Promise<Outcome> {
  const session = new GaslSession({ graph });
  const result = await session.run(source.plan);
  const problems = locatedProblems(
    source,
    result.diagnostics as readonly Diagnostic[],
    result.records,
  );
  const last = result.records.at(-1);
  const rows = last && resultValue(session, last);
  const lines = [
    ...result.records.map((record) => printable(`${record.status}: ${record.command}`)),
    formatDiagnostics(problems, source),
    printable(rowsText(rows)),
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
