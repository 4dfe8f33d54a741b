import { parseArgs } from "node:util";
import "../index.inline.js";
import { closestMatch } from "../catalog/check/suggestions.js";
import { GaslError } from "../diagnostic-error.js";
import { errorMessage } from "../errors.js";
import type { Diagnostic } from "../types.js";
import type { Command, Outcome } from "./command.js";
import { convert } from "./convert.js";
import { flowCheck, flowContext, flowMermaid, flowRun } from "./flow.js";
import { gaslRun, graphInfo, graphQuery } from "./gasl.js";
import { mcp } from "./mcp.js";
import { check } from "./messages.js";
import { grammar, prompt, schema } from "./model-texts.js";
import { formatDiagnostics } from "./report.js";
import { UsageError } from "./usage-error.js";
import { versionOf } from "./version.js";

const commands: readonly Command[] = [
  ...[check, convert, prompt, schema, grammar],
  ...[graphInfo, graphQuery, gaslRun, mcp],
  ...[flowCheck, flowContext, flowRun, flowMermaid],
];

/** Streams and exit code of a call of the command line. */
export interface CliResult {
  stdout: string;
  stderr: string;
  code: 0 | 1 | 2;
}

/** Runs the command line. Code 1 is an input with errors, 2 a wrong use. */
export async function runCli(words: readonly string[]): Promise<CliResult> {
  try {
    return await run(words);
  } catch (error) {
    const { diagnostics } = Object(error) as { diagnostics?: readonly Diagnostic[] };
    if (diagnostics !== undefined && diagnostics.length > 0 && words.includes("--json"))
      return { stdout: JSON.stringify({ diagnostics }), stderr: "", code: 1 };
    if (error instanceof GaslError)
      return {
        stdout: "",
        stderr: formatDiagnostics(diagnostics ?? [], { name: "graph" }),
        code: 1,
      };
    const isUsage = error instanceof UsageError || isParseError(error);
    return { stdout: "", stderr: `byname: ${errorMessage(error)}`, code: isUsage ? 2 : 1 };
  }
}

async function run(words: readonly string[]): Promise<CliResult> {
  const found = commandOf(words);
  if (found === undefined) {
    const isHelp = words.length === 0 || words[0] === "--help" || words[0] === "help";
    if (isHelp) return { stdout: overview(), stderr: "", code: 0 };
    if (words[0] === "--version") return { stdout: versionOf(), stderr: "", code: 0 };
    throw new UsageError(unknownCommand(words));
  }
  const { command, rest } = found;
  const flags = { json: { type: "boolean" }, help: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: { ...command.options, ...flags },
    allowPositionals: true,
  });
  if (values["help"] === true) return { stdout: helpOf(command), stderr: "", code: 0 };
  const extra = positionals[maxPositionals(command)];
  if (extra !== undefined)
    throw new UsageError(
      `unexpected \`${extra}\`; the usage is \`byname ${command.name} ${command.usage}\``,
    );
  const outcome = await command.run(positionals, values as { [name: string]: string | boolean });
  return toResult(outcome, values["json"] === true);
}

function toResult({ text, notes, json, failed = false }: Outcome, asJson: boolean): CliResult {
  const stdout = asJson ? JSON.stringify(json) : text;
  return { stdout, stderr: asJson ? "" : (notes ?? ""), code: failed ? 1 : 0 };
}

/** Returns the command that the first one or two words name, and the other words. */
function commandOf(
  words: readonly string[],
): { command: Command; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const command = commands.find((one) => one.name === name);
    if (command && words.length >= length) return { command, rest: words.slice(length) };
  }
  return undefined;
}

/** Returns the maximum number of positional arguments: that of the words in the usage. */
function maxPositionals({ usage }: Command): number {
  return usage.endsWith("…") ? Number.POSITIVE_INFINITY : usage.split(" ").length;
}

/** Returns the message about words that name no command, with the closest commands. */
function unknownCommand(words: readonly string[]): string {
  const [first = ""] = words;
  const names = commands.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  const closest = closestMatch(words.slice(0, 2).join(" "), names) ?? closestMatch(first, names);
  const near = group.length > 0 ? group : closest === undefined ? [] : [closest];
  const found = `unknown command \`${words.join(" ")}\``;
  if (near.length === 0) return `${found}; \`byname --help\` lists all`;
  return `${found}; did you mean ${near.map((name) => `\`${name}\``).join(" or ")}?`;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`,
  );
  return [
    "Usage: byname COMMAND [--json] [--help], byname --version",
    "",
    ...lines,
    "",
    "FILE is `-` or absent for the standard input.",
    "Exit codes: 0 no errors, 1 errors in the input, 2 wrong use.",
  ].join("\n");
}

function helpOf({ name, usage, summary, optionHelp = {} }: Command): string {
  const options = { ...optionHelp, json: "prints the result as JSON" };
  const lines = Object.entries(options).map(([option, text]) => `  --${option.padEnd(10)} ${text}`);
  return [`Usage: byname ${name} ${usage}`, "", `It ${summary}.`, "", ...lines].join("\n");
}

/** Returns whether an error is about the options of the command line. */
function isParseError(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}
