import { throwMisuse } from "../arguments.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { signalOption } from "./adapters.js";
import type { Tool } from "./types.js";

/** Result of a tool as MCP sends it. */
export interface McpResult {
  content: { type: "text"; text: string }[];
  isError?: boolean;
}

/** Returns a result in the form of MCP. */
export function toMcpResult(result: Json): McpResult {
  const isError = isJsonObject(result) && result["ok"] === false;
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    ...(isError && { isError }),
  };
}

/** Returns the descriptions of tools as `tools/list` sends them. */
export function toMcpList(tools: readonly Tool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** Arguments that the SDK passes besides those of the model. */
interface McpExtra {
  signal?: AbortSignal;
}

/** `McpServer` or `Server` of `@modelcontextprotocol/sdk`, version 1. */
interface McpServerParts {
  registerTool?: (
    name: string,
    config: object,
    run: (args: Json, extra: McpExtra) => Promise<McpResult>,
  ) => unknown;
  registerCapabilities?: (capabilities: object) => void;
  setRequestHandler?: (
    schema: object,
    run: (request: McpRequest, extra: McpExtra) => Promise<object>,
  ) => void;
}

interface McpRequest {
  params: { name: string; arguments?: JsonObject };
}

/**
 * Adds tools to a server of `@modelcontextprotocol/sdk`. An `McpServer` may have other tools; a
 * `Server` has only these.
 */
export function registerMcp(server: object, tools: readonly Tool[]): void {
  const { registerTool, setRequestHandler } = server as McpServerParts;
  if (typeof registerTool === "function") addTools(server as McpServerParts, tools);
  else if (typeof setRequestHandler === "function") handleRequests(server as McpServerParts, tools);
  else throwMisuse("expected an `McpServer` or a `Server` of `@modelcontextprotocol/sdk`");
}

function addTools(server: McpServerParts, tools: readonly Tool[]): void {
  for (const { name, description, inputSchema, execute } of tools) {
    server.registerTool?.(
      name,
      { description, inputSchema: passThrough(inputSchema) },
      async (args, extra) => toMcpResult(await execute(args, signalOption(extra?.signal))),
    );
  }
}

/**
 * Returns a schema with the interface of Zod 4 that accepts everything and has the given JSON Schema.
 * The tool checks its arguments itself, so that the model sees the fields with errors.
 */
function passThrough(inputSchema: Json): object {
  return {
    _zod: {
      def: { type: "object", shape: {} },
      // Zod completes the returned object.
      toJSONSchema: () => structuredClone(inputSchema),
      run: (payload: object) => payload,
    },
  };
}

function handleRequests(server: McpServerParts, tools: readonly Tool[]): void {
  server.registerCapabilities?.({ tools: {} });
  server.setRequestHandler?.(requestSchema("tools/list"), async () => ({
    tools: toMcpList(tools),
  }));
  server.setRequestHandler?.(requestSchema("tools/call"), async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return toMcpResult(unknownTool(params.name, tools));
    const result = await tool.execute(params.arguments ?? {}, signalOption(extra?.signal));
    return toMcpResult(result);
  });
}

/** Returns the result for the name of a tool that does not exist. */
export function unknownTool(name: string, tools: readonly Tool[]): JsonObject {
  const help = `use one of ${tools.map((tool) => `\`${tool.name}\``).join(", ")}`;
  return { ok: false, error: { kind: "arguments", message: `unknown tool \`${name}\``, help } };
}

/** Returns a schema with the interface of Zod 3 from which the SDK reads the method of a request. */
function requestSchema(method: string): object {
  return {
    shape: { method: { value: method } },
    safeParse: (data: unknown) => ({ success: true, data }),
  };
}
