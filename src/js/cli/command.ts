import type { ParseArgsConfig } from "node:util";
import type { Json } from "../types.js";

/** Values of the options of a command. */
export type Options = { readonly [name: string]: string | boolean | undefined };

/** Result of a command. */
export interface Outcome {
  /** Text for the terminal. */
  text: string;
  /** Text for the standard error. */
  notes?: string;
  /** Result for `--json`. */
  json: Json;
  /** Whether the input has errors. */
  failed?: boolean;
}

/** Command of the command line. */
export interface Command {
  /** Words after `byname`, such as `graph info`. */
  name: string;
  /** Positional arguments, as they are shown in the help. */
  usage: string;
  summary: string;
  /** Whether `--json` prints the result as JSON; true by default. */
  hasJson?: boolean;
  options?: ParseArgsConfig["options"];
  /** Meaning of each option. */
  optionHelp?: { readonly [name: string]: string };
  run(positionals: readonly string[], options: Options): Promise<Outcome>;
}
