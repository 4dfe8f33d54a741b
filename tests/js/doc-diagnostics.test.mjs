// Examples of docs/diagnostic-codes.md: they run, and print the output of the page. With BLESS=1
// the page is rewritten instead.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import {
  buildContext,
  compileFlow,
  GaslSession,
  Graph,
  HamStore,
  init,
  resolveTemplate,
  Surface,
} from "byname";
import { checkMessages, defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { importWorkflow, suspend } from "byname/flow";
import { messageStream, Surfaces } from "byname/messages";
import { memoryStorage } from "byname/storage";

await init();

const AsyncFunction = (async () => {}).constructor;

const url = new URL("../../docs/diagnostic-codes.md", import.meta.url);
const page = readFileSync(url, "utf8");
const example = /^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms;

/** Node types of the examples. */
const types = {
  api: { inputs: ["url"], outputs: ["response", "status"] },
  llm: { inputs: ["prompt"], outputs: ["analysis"] },
  note: { inputs: [], outputs: ["note"] },
  counter: { inputs: ["total"], outputs: ["total"] },
  poll: { inputs: [], outputs: ["state"], actions: ["again", "done"] },
  maybe: { inputs: [], outputs: [{ key: "hint", optional: true }] },
  search: { params: [{ key: "query", required: true }], outputs: ["hits"] },
};

/** Catalog of the examples. */
const books = defineCatalog({
  components: {
    Shelf: { props: { books: "children" } },
    Book: {
      props: {
        title: { type: "string", required: true },
        pages: { type: "integer", minimum: 1 },
        cover: ["hard", "soft"],
      },
    },
  },
});

/** Sections by code. */
const sections = new Map(
  page
    .split(/^##+ /m)
    .map((text) => [
      /^(?:JSON|HAM|CAT|GASL|TPL|FLOW)\d{3}$/m.exec(text.split("\n", 1)[0])?.[0],
      text,
    ])
    .filter(([code]) => code !== undefined),
);

if (process.env.BLESS) {
  const printed = await Promise.all(
    [...page.matchAll(example)].map(([, code]) => runExampleCode(code)),
  );
  const blessed = page.replace(example, (block, _, output) => {
    const unchanged = block.slice(0, block.length - output.length - 3);
    return `${unchanged}${printed.shift()}\n\`\`\``;
  });
  writeFileSync(url, blessed);
} else {
  for (const [name, text] of sections) {
    test(`runs the examples of ${name}`, async () => {
      const examples = [...text.matchAll(example)];
      assert.ok(examples.length > 0, "no example");
      for (const [, code, output] of examples) {
        const printed = await runExampleCode(code);
        assert.equal(`${printed}\n`, output, code);
        assert.ok(printed.includes(`${name} `), `${name} is not among\n${printed}`);
      }
    });
  }

  test("every code of the table has its section, with the same severity", () => {
    const rows = [...page.matchAll(/^\| ((?:JSON|HAM|CAT|GASL|TPL|FLOW)\d{3}) \| (\w+) \|/gm)];
    assert.deepEqual(
      rows.map(([, name]) => name),
      [...sections.keys()],
    );
    for (const [, name, severity] of rows) {
      assert.match(sections.get(name), new RegExp(`^${name} ${severity}`, "m"));
    }
  });
}

/** Runs an example; returns the values passed to `show`. */
async function runExampleCode(code) {
  const lines = [];
  const show = (result) => {
    const diagnostics = Array.isArray(result) ? result : (result.diagnostics ?? result.errors);
    for (const diagnostic of diagnostics) lines.push(...formatDiagnostic(diagnostic));
  };
  const classes = {
    HamStore,
    Surface,
    messageStream,
    Surfaces,
    renderToString,
    suspend,
    checkMessages,
    importWorkflow,
    memoryStorage,
    basicCatalog,
    Graph,
    GaslSession,
    buildContext,
    resolveTemplate,
  };
  const names = {
    ...classes,
    books,
    show,
    refused: thrownBy,
    session,
    plan,
    types,
    compile,
    run: runFlow,
  };
  const body = new AsyncFunction(...Object.keys(names), `"use strict";\n${code}`);
  await body(...Object.values(names));
  return lines.join("\n");
}

/** Returns a session over two people and a place. */
function session(options = {}) {
  const graph = Graph.fromCsv({
    nodes: "id,kind\nada,PERSON\nben,PERSON\nrome,PLACE\n",
    edges: "source,target,type\nada,rome,LIVES\nben,rome,LIVES\n",
  });
  return new GaslSession({ graph, ...options });
}

/** Returns a plan of these commands. */
function plan(...commands) {
  return { plan_id: "p", why: "an example", commands };
}

/** Compiles a workflow, or the nodes of one. */
function compile(workflow, options) {
  return compileFlow(Array.isArray(workflow) ? { nodes: workflow } : workflow, types, options);
}

/** Runs a workflow and returns its result. */
function runFlow(workflow, nodes) {
  return compile(workflow).flow.run({ nodes });
}

/** Returns the error that a call throws. */
function thrownBy(call) {
  const missing = new Error("no error was thrown");
  const identity = (error) => error;
  try {
    const result = call();
    if (!(result instanceof Promise)) throw missing;
    return result.then(() => Promise.reject(missing), identity);
  } catch (error) {
    if (error === missing) throw error;
    return error;
  }
}

function formatDiagnostic({ code, severity, message, help, location }) {
  const lines = [`${code} ${severity}${formatLocation(location)}: ${message}`];
  if (help !== undefined) lines.push(`  help: ${help}`);
  return lines;
}

function formatLocation(location) {
  if (location === undefined) return "";
  if (location.kind === "pointer") return ` at "${location.pointer}"`;
  return ` at ${location.start}–${location.end}`;
}
