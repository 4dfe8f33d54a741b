// Messages to an agent, validated with the JSON Schemas of A2UI.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import Ajv from "ajv/dist/2020.js";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";

const folder = new URL("../../../shared/data/a2ui/", import.meta.url);
const hasSchemas = existsSync(folder);
const skip = hasSchemas ? false : "the folder of the schemas is missing";

await init();

/** Returns the validator of messages to an agent. */
function validator(version, name) {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const read = (file) => JSON.parse(readFileSync(new URL(`${version}/${file}`, folder), "utf8"));
  const { $id: base, ...messages } = read(name);
  if (base === undefined) return ajv.compile(messages);
  ajv.addSchema(read("common_types.json"));
  // A call may name a function of any catalog.
  const $defs = { anyFunction: { type: "object", additionalProperties: true } };
  ajv.addSchema({ $id: new URL("catalog.json", base).href, $defs });
  return ajv.compile({ $id: base, ...messages });
}

/** Returns one message of each kind. */
async function messagesTo(version) {
  const sent = [];
  const any = { args: { value: "any" } };
  const catalog = basicCatalog.extend({
    functions: { remote: any, open: { ...any, allowedCallers: "rendererOrAgent" } },
  });
  const surface = new Surface({ catalog, onAction: (one) => target.sendAction(one) });
  const target = a2uiTarget(surface, {
    catalogs: { basic: catalog },
    functions: { open: ({ value }) => value },
    onMessage: (message) => sent.push(message),
  });
  const receive = (body) => target.receive({ version, ...body });
  const context = { a: 1, b: { call: "nothing" }, c: [{ d: null }] };
  const components = [
    { id: "root", component: "Column", children: ["go", "text"] },
    { id: "go", component: "Button", child: "text", action: { event: { name: "go", context } } },
    { id: "text", component: "Text", text: { call: "remote", args: { value: "x" } } },
    { id: "other", component: "Nothing", catalogId: "unknown" },
  ];
  receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  receive({ updateComponents: { surfaceId: "s", components } });
  renderToString(surface, { functions: target.functions });
  surface.trigger("root/go", "action");
  const calls = [
    { call: "open" },
    { call: "remote" },
    { call: "open", args: { value: { x: [1] } } },
  ];
  for (const [at, call] of calls.entries()) {
    const callFunction = { catalogId: "basic", ...call };
    receive({ callRendererFunction: { functionCallId: `c${at}`, callFunction } });
  }
  receive({ callRendererFunction: { functionCallId: "c9" } });
  target[Symbol.dispose]();
  return sent;
}

const cases = [
  ["v1.0", "v1_0/3-bare", "renderer_to_agent.json"],
  ["v0.9", "v0_9_1", "client_to_server.json"],
];
for (const [version, path, name] of cases) {
  test(`${version}: actions, calls, responses and errors have the specified form`, {
    skip,
  }, async () => {
    const validate = validator(path, name);
    const sent = await messagesTo(version);
    // Agents of v0.9 know neither calls nor responses.
    const isKnown = (one) => version === "v1.0" || "action" in one || "error" in one;
    const kinds = new Set(sent.flatMap(Object.keys));
    const expected = version === "v1.0" ? ["action", "callAgentFunction", "error"] : ["action"];
    for (const kind of expected) assert.ok(kinds.has(kind), `${kind} of ${[...kinds]}`);
    for (const message of sent.filter(isKnown)) {
      const errors = validate(message) ? [] : validate.errors.map((one) => one.message);
      assert.deepEqual(errors, [], JSON.stringify(message));
    }
  });
}
