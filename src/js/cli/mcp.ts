import process from "node:process";
import { GaslSession } from "../gasl/session.js";
import { graphTools } from "../tools/graph-tools.js";
import type { Command, Options } from "./command.js";
import {
  formatGraphDiagnostics,
  nodeTableHelp,
  nodeTableOption,
  readGraph,
} from "./graph-source.js";
import { serveMcp } from "./mcp-server.js";
import { UsageError } from "./usage-error.js";
import { versionOf } from "./version.js";

const INSTRUCTIONS =
  "Answers questions about a graph. Call describe_graph first, then run_plan with GASL commands.";

export const mcp: Command = {
  name: "mcp",
  usage: "FILE",
  hasJson: false,
  summary: "serves a graph to a model over the standard input and output (MCP)",
  options: { "max-characters": { type: "string" }, ...nodeTableOption },
  optionHelp: {
    "max-characters": "maximum length of a result; 8000 by default",
    ...nodeTableHelp,
  },
  async run([path, ...others], options) {
    if (path === undefined || path === "-" || others.length > 0)
      throw new UsageError("expected one file of a graph; the standard input has the messages");
    const limit = limitOf(options);
    const graph = readGraph(path, options);
    // The standard output has only messages.
    const warnings = formatGraphDiagnostics(graph.diagnostics, path, options);
    if (warnings !== "") process.stderr.write(`${warnings}\n`);
    const tools = graphTools(new GaslSession({ graph }), limit);
    const info = { name: "byname", version: versionOf(), instructions: INSTRUCTIONS };
    const write = (line: string): void => process.stdout.write(`${line}\n`);
    await serveMcp(process.stdin, write, tools, info);
    return { text: "", json: null };
  },
};

function limitOf(options: Options): { maxCharacters?: number } {
  const text = options["max-characters"];
  if (text === undefined) return {};
  const maxCharacters = Number(text);
  if (Number.isInteger(maxCharacters) && maxCharacters >= 1000) return { maxCharacters };
  throw new UsageError("expected `--max-characters` to be an integer of at least 1000");
}
