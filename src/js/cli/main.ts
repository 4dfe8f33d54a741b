import "../index.inline.js";
import { closestMatch } from "../catalog/check/suggestions.js";
import { GaslError } from "../diagnostic-error.js";
import { errorMessage } from "../errors.js";
import type { Diagnostic } from "../types.js";
import { check } from "./check.js";
import type { Command, Outcome } from "./command.js";
import { convert } from "./convert.js";
import { flowCheck, flowContext, flowMermaid, flowRun } from "./flow.js";
import { gaslRun, graphInfo, graphQuery } from "./gasl.js";
import { InputError } from "./input-error.js";
import { mcp } from "./mcp.js";
import { grammar, prompt, schema } from "./model-texts.js";
import { parseOptions } from "./parse-options.js";
import { formatDiagnostics, printable } from "./report.js";
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
    const { diagnostics = [] } = Object(error) as { diagnostics?: readonly Diagnostic[] };
    if (diagnostics.length > 0 && words.includes("--json"))
      return { stdout: JSON.stringify({ diagnostics }), stderr: "", code: 1 };
    if (error instanceof InputError) return { stdout: "", stderr: error.message, code: 1 };
    if (error instanceof GaslError)
      return { stdout: "", stderr: formatDiagnostics(diagnostics, { name: "graph" }), code: 1 };
    const message = printable(errorMessage(error));
    return { stdout: "", stderr: `byname: ${message}`, code: error instanceof UsageError ? 2 : 1 };
  }
}

async function run(words: readonly string[]): Promise<CliResult> {
  const found = commandOf(words);
  if (found === undefined) {
    const isHelp = words.length === 0 || words[0] === "--help" || words[0] === "help";
    if (isHelp) return { stdout: overview(commands), stderr: "", code: 0 };
    const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (group.length > 0 && words[1] === "--help")
      return { stdout: overview(group), stderr: "", code: 0 };
    if (words[0] === "--version") return { stdout: versionOf(), stderr: "", code: 0 };
    throw new UsageError(unknownCommand(words));
  }
  const { command, rest } = found;
  const { values, positionals } = parseOptions(command, rest);
  if (values["help"] === true) return { stdout: helpOf(command), stderr: "", code: 0 };
  const extra = positionals[maxPositionals(command)];
  if (extra !== undefined)
    throw new UsageError(
      `unexpected \`${extra}\`; the usage is \`byname ${command.name} ${command.usage}\``,
    );
  const outcome = await command.run(positionals, values);
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

/** Returns the help of commands: all, or those of a group. */
function overview(listed: readonly Command[]): string {
  const width = Math.max(...listed.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = listed.map(
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

function helpOf({ name, usage, summary, optionHelp = {}, hasJson = true }: Command): string {
  const options = { ...optionHelp, ...(hasJson && { json: "prints the result as JSON" }) };
  const width = Math.max(10, ...Object.keys(options).map(({ length }) => length));
  const lines = Object.entries(options).map(
    ([option, text]) => `  --${option.padEnd(width)} ${text}`,
  );
  return [`Usage: byname ${name} ${usage}`, "", `It ${summary}.`, "", ...lines].join("\n");
}
