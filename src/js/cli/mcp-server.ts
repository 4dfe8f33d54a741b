import { isJsonObject, type JsonObject } from "../json-value.js";
import { toMcpList, toMcpResult, unknownTool } from "../tools/mcp.js";
import type { Tool } from "../tools/types.js";
import type { Json } from "../types.js";

/** Versions of the protocol whose messages this server reads, the latest first. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Maximum length of a line, in UTF-16 units. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** Description of a server in the response to `initialize`. */
export interface McpServerInfo {
  name: string;
  version: string;
  instructions: string;
}

type RequestId = string | number;

/** Server of the Model Context Protocol: one JSON-RPC message per line. */
class McpServer {
  readonly #tools: readonly Tool[];
  readonly #info: McpServerInfo;
  readonly #write: (line: string) => void;
  /** Running calls by the id of their request. */
  readonly #running = new Map<RequestId, AbortController>();

  constructor(tools: readonly Tool[], info: McpServerInfo, write: (line: string) => void) {
    this.#tools = tools;
    this.#info = info;
    this.#write = write;
  }

  /** Handles a line. Resolves when its response is written. */
  async receive(line: string): Promise<void> {
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      return this.#respondWithError(null, PARSE_ERROR, "expected a JSON-RPC message on one line");
    }
    if (!isJsonObject(message) || message["jsonrpc"] !== "2.0")
      return this.#respondWithError(
        null,
        INVALID_REQUEST,
        'expected an object with "jsonrpc": "2.0"',
      );
    const { id, method } = message;
    const params = isJsonObject(message["params"]) ? message["params"] : {};
    // A response; this server sends no requests.
    if (method === undefined) return;
    if (typeof method !== "string")
      return this.#respondWithError(null, INVALID_REQUEST, "expected `method` to be a string");
    if (id === undefined) return this.#handleNotification(method, params);
    if (typeof id !== "string" && typeof id !== "number")
      return this.#respondWithError(
        null,
        INVALID_REQUEST,
        "expected `id` to be a string or a number",
      );
    await this.#handleRequest(id, method, params);
  }

  async #handleRequest(id: RequestId, method: string, params: JsonObject): Promise<void> {
    if (method === "initialize") return this.#respond(id, this.#initialize(params));
    if (method === "ping") return this.#respond(id, {});
    if (method === "tools/list") return this.#respond(id, { tools: toMcpList(this.#tools) });
    if (method === "tools/call") return this.#callTool(id, params);
    this.#respondWithError(id, METHOD_NOT_FOUND, `unknown method \`${method}\``);
  }

  #initialize({ protocolVersion }: JsonObject): JsonObject {
    const { instructions, ...serverInfo } = this.#info;
    const isKnown = PROTOCOL_VERSIONS.includes(protocolVersion as string);
    return {
      protocolVersion: isKnown ? (protocolVersion as string) : (PROTOCOL_VERSIONS[0] as string),
      capabilities: { tools: {} },
      serverInfo,
      instructions,
    };
  }

  async #callTool(id: RequestId, { name, arguments: args }: JsonObject): Promise<void> {
    if (typeof name !== "string")
      return this.#respondWithError(id, INVALID_PARAMS, "expected `name` to be the name of a tool");
    if (this.#running.has(id))
      return this.#respondWithError(
        id,
        INVALID_REQUEST,
        `a request with the id \`${id}\` is running`,
      );
    const tool = this.#tools.find((one) => one.name === name);
    if (tool === undefined) return this.#respond(id, toMcpResult(unknownTool(name, this.#tools)));
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await tool.execute(args ?? {}, { signal: controller.signal });
      // The client expects no response to a call that it has cancelled.
      if (!controller.signal.aborted) this.#respond(id, toMcpResult(result));
    } finally {
      this.#running.delete(id);
    }
  }

  #handleNotification(method: string, { requestId }: JsonObject): void {
    if (method === "notifications/cancelled") this.#running.get(requestId as RequestId)?.abort();
  }

  #respond(id: RequestId, result: object): void {
    this.#write(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  #respondWithError(id: RequestId | null, code: number, message: string): void {
    this.#write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }
}

/** Serves tools to the client that writes the input, until the input ends. */
export async function serveMcp(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
  tools: readonly Tool[],
  info: McpServerInfo,
): Promise<void> {
  const server = new McpServer(tools, info, write);
  const pending = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    if (line.trim() === "") continue;
    const handled = server.receive(line);
    pending.add(handled);
    handled.finally(() => pending.delete(handled));
  }
  await Promise.all(pending);
}

/** Yields the lines of a text in bytes. Throws for a line that is too long. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of input) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      yield [...parts, piece].join("");
      parts = [];
      length = 0;
    }
    parts.push(last);
    length += last.length;
    if (length > MAX_LINE_LENGTH)
      throw new Error(
        `expected a line of at most ${MAX_LINE_LENGTH} characters in the standard input`,
      );
  }
  yield parts.join("");
}
