import type { Json } from "../types.js";
import type { Tool } from "./types.js";

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
  // The AI SDK recognises a JSON Schema by this key, as its `jsonSchema` returns it.
  const key = Symbol.for("vercel.ai.schema");
  return {
    description,
    inputSchema: { [key]: true, _type: undefined, jsonSchema: inputSchema, validate },
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
