// Host of an MCP App: calls a tool, shows the view of its resource in a sandboxed iframe, and connects both.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const info = { name: "host", version: "1.0.0" };
const client = new Client(info);
await client.connect(new StreamableHTTPClientTransport(new URL("/agent", location.href)));
const { tools } = await client.listTools();
const tool = tools.find(({ name }) => name === "book_table");
const resource = await client.readResource({ uri: tool._meta.ui.resourceUri });

const frame = document.createElement("iframe");
frame.sandbox = "allow-scripts allow-forms";
const policy =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:";
const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
document.querySelector("#app").append(frame);

const bridge = new AppBridge(client, info, { serverTools: {} });
bridge.oninitialized = async () => {
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(await client.callTool({ name: tool.name, arguments: {} }));
};
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = resource.contents[0].text.replace("<title>", `${head}<title>`);
