// The tools of `byname/tools` with the AI SDK and the MCP SDK.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { GaslSession, Graph, init } from "byname";
import { graphTools, registerMcp, toAiSdk } from "byname/tools";
import { z } from "zod";

await init();
const folder = mkdtempSync(join(tmpdir(), "byname-tools-"));
after(() => rmSync(folder, { recursive: true }));

const edges = "source,target\na,b\nb,c\n";
const newTools = () => graphTools(new GaslSession({ graph: Graph.fromCsv({ edges }) }));
const names = ["describe_graph", "run_plan", "show_rows", "evidence"];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Returns a model of the AI SDK that makes a call, then answers. */
function modelOf(toolName, input) {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      turn += 1;
      const call = { type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(input) };
      const isFirst = turn === 1;
      return {
        content: isFirst ? [call] : [{ type: "text", text: "done" }],
        finishReason: { unified: isFirst ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

test("the AI SDK calls the tools, and its model sees the fields with errors", async () => {
  const tools = toAiSdk(newTools());
  const ask = async (input) => {
    const model = modelOf("run_plan", input);
    const result = await generateText({ model, tools, prompt: "?", stopWhen: stepCountIs(2) });
    const [first] = model.doGenerateCalls;
    assert.deepEqual(
      first.tools.map(({ name }) => name),
      names,
    );
    assert.deepEqual(first.tools[1].inputSchema.required, ["commands"]);
    assert.equal(result.text, "done");
    return result.steps[0].toolResults[0].output;
  };
  const found = await ask({ commands: ["FIND nodes AS x"] });
  assert.equal(found.results[0].total, 3);
  const wrong = await ask({ commands: "FIND nodes AS x" });
  assert.equal(wrong.error.fields[0].field, "/commands");
});

/** Connects a client to a server in this process. */
async function connect(server) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

/** Calls the tools of a graph with three nodes as a client does. */
async function checkClient(client, expected = names) {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    expected,
  );
  const plan = tools.find(({ name }) => name === "run_plan");
  assert.deepEqual(plan.inputSchema.required, ["commands"]);
  assert.equal(plan.inputSchema.properties.commands.items.type, "string");
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return { isError: result.isError ?? false, ...JSON.parse(result.content[0].text) };
  };
  assert.match((await call("describe_graph", {})).graph, /3 nodes, 2 edges/);
  const found = await call("run_plan", { commands: ["FIND nodes AS x"] });
  assert.deepEqual([found.isError, found.results[0].total], [false, 3]);
  const rows = await call("show_rows", { name: "x", limit: 1 });
  assert.match(rows.rest, /"offset":1/);
  const wrong = await call("run_plan", { commands: 7 });
  assert.deepEqual([wrong.isError, wrong.error.fields[0].field], [true, "/commands"]);
  const failed = await call("run_plan", { commands: ["FIND nodez AS x"] });
  assert.deepEqual([failed.isError, failed.diagnostics[0].code], [true, "GASL001"]);
  await assert.rejects(
    client.callTool({ name: "run_plan", arguments: { commands: ["FIND nodes AS x"] } }, undefined, {
      signal: AbortSignal.abort(new Error("stopped")),
    }),
    /stopped/,
  );
}

test("an McpServer has the tools besides its own", async () => {
  const server = new McpServer({ name: "graph", version: "1" });
  registerMcp(server, newTools());
  const own = { description: "Adds.", inputSchema: { a: z.number() } };
  server.registerTool("add", own, async ({ a }) => ({
    content: [{ type: "text", text: `${a + 1}` }],
  }));
  const client = await connect(server);
  await checkClient(client, [...names, "add"]);
  const { content } = await client.callTool({ name: "add", arguments: { a: 1 } });
  assert.equal(content[0].text, "2");
  await client.close();
});

test("a Server has the tools, and rejects other names", async () => {
  const server = new Server({ name: "graph", version: "1" });
  registerMcp(server, newTools());
  const client = await connect(server);
  await checkClient(client);
  const unknown = await client.callTool({ name: "absent", arguments: {} });
  assert.equal(unknown.isError, true);
  await client.close();
  assert.throws(() => registerMcp({}, newTools()), { code: "argument" });
});

test("`byname mcp` serves a graph over the standard input and output", async () => {
  const path = join(folder, "graph.csv");
  writeFileSync(path, edges);
  const program = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", path],
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "byname");
  await client.ping();
  await checkClient(client);
  await client.close();
});
