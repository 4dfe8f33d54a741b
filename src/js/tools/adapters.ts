import type { Json } from "../types.js";
import type { Tool } from "./types.js";

/** Key by which the AI SDK recognises a JSON Schema (`jsonSchema` of `ai`, versions 5 and 6). */
const AI_SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/** Tool in the form of the AI SDK. */
export interface AiSdkTool {
  description: string;
  inputSchema: unknown;
  execute(args: Json, options?: { abortSignal?: AbortSignal }): Promise<Json>;
}

/** Returns the `tools` of `generateText` and `streamText` of the AI SDK. */
export function toAiSdk(tools: readonly Tool[]): { [name: string]: AiSdkTool } {
  return Object.fromEntries(tools.map((tool) => [tool.name, aiSdkTool(tool)]));
}

function aiSdkTool({ description, inputSchema, execute }: Tool): AiSdkTool {
  // The tool checks its arguments itself, so that the model sees the fields with errors.
  const validate = (value: unknown) => ({ success: true, value });
  return {
    description,
    inputSchema: { [AI_SDK_SCHEMA]: true, _type: undefined, jsonSchema: inputSchema, validate },
    execute: (args, options) => execute(args, signalOption(options?.abortSignal)),
  };
}

/** Returns the `tools` of chat completions of OpenAI and compatible servers. */
export function toOpenAI(tools: readonly Tool[]): Json[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
}

/** Returns the `tools` of Anthropic's Messages API. */
export function toAnthropic(tools: readonly Tool[]): Json[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
}

/** Returns the options of `execute` for a signal that may be absent. */
export function signalOption(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
