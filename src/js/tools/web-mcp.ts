import { throwMisuse } from "../arguments.js";
import type { Json } from "../types.js";
import { type McpResult, toMcpResult } from "./mcp.js";
import type { Tool } from "./types.js";

/** `document.modelContext` of WebMCP; `navigator.modelContext` in earlier drafts. */
interface ModelContext {
  registerTool?: (tool: object, options?: { signal: AbortSignal }) => unknown;
  unregisterTool?: (name: string) => unknown;
}

/**
 * Offers tools to the agent of the browser (WebMCP). Returns a function that withdraws them, after
 * which running calls are cancelled.
 */
export function registerWebMcp(modelContext: object, tools: readonly Tool[]): () => void {
  const context = modelContext as ModelContext;
  if (typeof context?.registerTool !== "function")
    throwMisuse("expected `document.modelContext`, found an object without `registerTool`");
  const controller = new AbortController();
  const { signal } = controller;
  const added: string[] = [];
  const remove = (): void => {
    if (signal.aborted) return;
    controller.abort(new Error("the tools were withdrawn"));
    // Earlier drafts have `unregisterTool` in place of the signal.
    for (const name of added) ignoreErrors(() => context.unregisterTool?.(name));
  };
  try {
    for (const { name, description, inputSchema, execute } of tools) {
      const run = async (args: Json): Promise<McpResult> =>
        toMcpResult(await execute(args, { signal }));
      context.registerTool({ name, description, inputSchema, execute: run }, { signal });
      added.push(name);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

/** Calls a function that throws for a tool which the signal has removed. */
function ignoreErrors(run: () => unknown): void {
  try {
    run();
  } catch {
    // The tool is gone.
  }
}
