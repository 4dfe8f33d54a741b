import { parseArgs } from "node:util";
import { closestMatch, quote } from "../catalog/check/suggestions.js";
import { errorMessage } from "../errors.js";
import type { Command } from "./command.js";
import { UsageError } from "./usage-error.js";

/** Options and positional arguments of a command. */
interface Arguments {
  values: { [name: string]: string | boolean };
  positionals: string[];
}

/** Parses the words after a command. Throws a `UsageError` for an unknown or an empty option. */
export function parseOptions(command: Command, words: readonly string[]): Arguments {
  const json = command.hasJson === false ? {} : ({ json: { type: "boolean" } } as const);
  const options = { ...command.options, ...json, help: { type: "boolean" } as const };
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    for (const [name, value] of Object.entries(values))
      if (value === "") throw new UsageError(`expected a value of \`--${name}\`, found nothing`);
    return { values: values as Arguments["values"], positionals };
  } catch (error) {
    throw toUsageError(error, command, Object.keys(options));
  }
}

/** Returns an error about options without the advice of Node, and with the closest option. */
function toUsageError(error: unknown, { name }: Command, known: readonly string[]): unknown {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return error;
  const message = errorMessage(error);
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return new UsageError(message.split(/\n|\. /)[0] as string);
  const [, option = ""] = /'(-.*?)'/.exec(message) ?? [];
  const match = closestMatch(option.replace(/^-+/, ""), known);
  const help =
    match === undefined ? `\`byname ${name} --help\` lists all` : `did you mean \`--${match}\`?`;
  return new UsageError(`unknown option ${quote(option)} of \`${name}\`; ${help}`);
}
