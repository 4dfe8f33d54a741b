// Recognition of logs by the surface page of the playground.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const server = await createServer({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  configFile: false,
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, ws: false, hmr: false },
});
const { describeLog, recogniseLog } = await server.ssrLoadModule("/www/surface/log-format.ts");
const { agentLog } = await server.ssrLoadModule("/www/surface/examples/agent-log.ts");
await server.close();

const surfaceId = "s";

test("recognises a log of byname/devtools", async () => {
  const { init, Surface } = await import("byname");
  const { attach, Recorder } = await import("byname/devtools");
  await init();
  const surface = new Surface();
  const recorder = new Recorder();
  attach({ surfaces: surface }, { recorder });
  surface.receive({ createSurface: { surfaceId, components: [] } });
  surface.receive({ updateDataModel: { surfaceId, nodes: { root: { a: 1 } } } });
  const expected = "HAM in `{messages}`, 2 messages, 1 surface";
  assert.equal(describeLog(recogniseLog(recorder.export())), expected);
});
const created = { version: "v0.9", createSurface: { surfaceId, catalogId: "basic" } };
const components = [{ id: "root", component: "Text", text: { path: "/name" } }];
const updated = { version: "v0.9", updateComponents: { surfaceId, components } };
const data = { version: "v0.9", updateDataModel: { surfaceId, path: "/name", value: "Ann" } };
const log = [created, updated, data];

const json = (value) => JSON.stringify(value);
const lines = (values) => values.map(json).join("\n");
const events = (values) => values.map((one) => `data: ${json(one)}\n\n`).join("");
const snapshot = (operations) => ({
  type: "ACTIVITY_SNAPSHOT",
  messageId: "m",
  activityType: "a2ui-surface",
  content: { a2ui_operations: operations },
});
const resource = (text) => ({
  type: "resource",
  resource: { uri: "a2ui://s", mimeType: "application/a2ui+json", text },
});
const ham = [
  {
    createSurface: {
      surfaceId,
      components: [{ id: "root", component: "Text", text: { binding: { key: "a" } } }],
    },
  },
  { updateDataModel: { surfaceId, nodes: { root: { a: "Ann" } } } },
];

for (const [name, text, expected] of [
  ["a list", json(log), "A2UI v0.9 in a JSON list, 3 messages, 1 surface"],
  [
    "a list on several lines",
    JSON.stringify(log, null, 2),
    "A2UI v0.9 in a JSON list, 3 messages, 1 surface",
  ],
  ["lines", lines(log), "A2UI v0.9 in JSON lines, 3 messages, 1 surface"],
  [
    "values on several lines",
    log.map((one) => JSON.stringify(one, null, 2)).join("\n"),
    "A2UI v0.9 in JSON lines, 3 messages, 1 surface",
  ],
  [
    "an object with messages",
    json({ messages: log }),
    "A2UI v0.9 in `{messages}`, 3 messages, 1 surface",
  ],
  [
    "server-sent events",
    `: hi\n\n${events(log)}data: [DONE]\n\n`,
    "A2UI v0.9 in server-sent events, 3 messages, 1 surface",
  ],
  [
    "growing snapshots",
    events([{ type: "RUN_STARTED" }, snapshot(log.slice(0, 2)), snapshot(log)]),
    "A2UI v0.9 in AG-UI events, 3 messages, 1 surface",
  ],
  [
    "operations as text",
    json(snapshot(json(log))),
    "A2UI v0.9 in AG-UI events, 3 messages, 1 surface",
  ],
  [
    "A2A parts",
    json({ kind: "message", parts: [{ kind: "data", data: log }] }),
    "A2UI v0.9 in A2A parts, 3 messages, 1 surface",
  ],
  [
    "an A2A response",
    json({ jsonrpc: "2.0", id: 1, result: { parts: [{ kind: "data", data: log }] } }),
    "A2UI v0.9 in A2A parts, 3 messages, 1 surface",
  ],
  [
    "an event of A2A v1.0",
    json({ artifactUpdate: { artifact: { parts: [{ data: log }] } } }),
    "A2UI v0.9 in A2A parts, 3 messages, 1 surface",
  ],
  [
    "an MCP result",
    json({ jsonrpc: "2.0", id: 1, result: { content: [resource(json(log))] } }),
    "A2UI v0.9 in MCP results, 3 messages, 1 surface",
  ],
  [
    "an envelope",
    lines([{ type: "createSurface", payload: created.createSurface }, updated]),
    "A2UI v0.9 in JSON lines, 1 message, 1 surface",
  ],
  ["one message", json(created), "A2UI v0.9, 1 message, 1 surface"],
  [
    "v0.8",
    lines([
      { surfaceUpdate: { surfaceId, components: [] } },
      { beginRendering: { surfaceId, root: "r" } },
    ]),
    "A2UI v0.8 in JSON lines, 2 messages, 1 surface",
  ],
  [
    "1.0",
    json([{ version: "1.0", createSurface: { surfaceId } }]),
    "A2UI v1.0 in a JSON list, 1 message, 1 surface",
  ],
  [
    "keys of v1.0",
    json([
      {
        updateComponents: {
          surfaceId,
          components: [{ id: "root", component: "Text", text: { "@path": "/a" } }],
        },
      },
    ]),
    "A2UI v1.0 in a JSON list, 1 message, 1 surface",
  ],
  [
    "no version",
    json([{ createSurface: { surfaceId } }]),
    "A2UI in a JSON list, 1 message, 1 surface",
  ],
  [
    "two versions and surfaces",
    lines([created, { version: "v1.0", createSurface: { surfaceId: "t" } }]),
    "A2UI v0.9 and v1.0 in JSON lines, 2 messages, 2 surfaces",
  ],
  ["HAM", lines(ham), "HAM in JSON lines, 2 messages, 1 surface"],
  [
    "a broken message",
    `${lines(log)}\n{"version":"v0.9","updateDataModel":{"surfaceId":`,
    "A2UI v0.9 in JSON lines, 3 messages, 1 surface",
  ],
  [
    "only a broken message",
    '{"version":"v0.9","updateDataModel":{"surfaceId":',
    "A2UI, no complete message",
  ],
  [
    "text around messages",
    `Here it is:\n\`\`\`json\n${lines(log)}\n\`\`\`\nDone.`,
    "A2UI v0.9 in JSON lines, 3 messages, 1 surface",
  ],
]) {
  test(`recognises ${name}`, () => assert.equal(describeLog(recogniseLog(text)), expected));
}

test("returns null for texts without messages", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const others = [
    "",
    "hello",
    '{"u1": {"name": "Ann"}}',
    '{"nodes": [], "links": []}',
    "<html>",
    deep,
  ];
  for (const text of others) assert.equal(recogniseLog(text), null, text.slice(0, 40));
});

test("the example of a log states its format", () => {
  const { text, language, surfaces } = agentLog.log;
  const format = recogniseLog(text);
  assert.deepEqual([format.language, format.surfaces], [language, surfaces]);
  assert.equal(describeLog(format), "A2UI v0.9 in AG-UI events, 3 messages, 1 surface");
  assert.match(agentLog.steps[0].note, /^A2UI v0.9 in AG-UI events,/);
});

const cases = new URL("../../../shared/cases/ui/", import.meta.url);
const folder = existsSync(cases) ? cases : undefined;
test("recognises the collected inputs", { skip: folder ? false : "the inputs are missing" }, () => {
  const files = readdirSync(folder).filter((name) => /\.(?:jsonl|txt)$/.test(name));
  assert.ok(files.length > 20);
  for (const file of files) {
    const format = recogniseLog(readFileSync(new URL(file, folder), "utf8"));
    const isHam = /ham/.test(file);
    assert.equal(format?.language, isHam ? "HAM" : "A2UI", file);
    assert.ok(format.messageCount > 0, file);
  }
});
