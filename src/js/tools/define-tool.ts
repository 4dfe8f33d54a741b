import { assertOptions, throwMisuse } from "../arguments.js";
import type { JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { checkArguments } from "./argument-check.js";
import { fitResult } from "./page.js";
import { argumentFailure, failureResult, thrownFailure } from "./result.js";
import type { Tool, ToolsOptions } from "./types.js";

const DEFAULT_CHARACTERS = 8000;
const MIN_RESULT_CHARACTERS = 1000;

/** Tool before its arguments, errors and sizes are checked. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** Schemas of the arguments by name. */
  properties: JsonObject;
  required?: string[];
  /** Runs the tool with checked arguments. */
  run(args: JsonObject, signal: AbortSignal | undefined): JsonObject | Promise<JsonObject>;
}

/** Returns the maximum length of results. Throws for unknown options and a wrong length. */
export function maxCharactersOf(
  options: ToolsOptions,
  others: readonly string[],
  caller: string,
): number {
  assertOptions(options, [...others, "maxCharacters"], `the options of \`${caller}\``);
  const { maxCharacters = DEFAULT_CHARACTERS } = options;
  if (!Number.isInteger(maxCharacters) || maxCharacters < MIN_RESULT_CHARACTERS)
    throwMisuse(
      `expected \`maxCharacters\` to be an integer of at least ${MIN_RESULT_CHARACTERS}, found ${maxCharacters}`,
    );
  return maxCharacters;
}

/** Creates a tool whose results fit and whose errors are results. */
export function defineTool(definition: ToolDefinition, maxCharacters: number): Tool {
  const { name, description, properties, required = [] } = definition;
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  const execute: Tool["execute"] = async (args, options) => {
    const result = await runTool(definition, inputSchema, args, options?.signal);
    return fitResult(result, maxCharacters);
  };
  // Hosts may change the schema that they get.
  return { name, description, inputSchema: structuredClone(inputSchema), execute };
}

async function runTool(
  definition: ToolDefinition,
  inputSchema: Json,
  args: Json,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  try {
    if (signal?.aborted) return failureResult("cancelled", "the call was cancelled");
    const checked = checkArguments(inputSchema, args);
    if ("fields" in checked) return argumentFailure(checked.fields);
    return await definition.run(checked.args, signal);
  } catch (reason) {
    return thrownFailure(reason, signal);
  }
}
