// The structure of every prompt is the same for hostile and for harmless texts.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { buildContext, GaslSession, Graph, init } from "byname";
import { checkMessages, defineCatalog, repairPrompt, TypedCatalog } from "byname/catalog";
import { expressGbnf, expressPrompt } from "byname/express";
import { flowTools, graphTools } from "byname/tools";
import {
  BREAKOUTS,
  CONTROL_TOKENS,
  catalogStructure,
  HARMLESS,
  JOINED_TYPES,
  jsonStructure,
  LINE_BREAK,
  markdownStructure,
  sessionStructure,
} from "../breakouts.mjs";

await init();

/** Graph with a text as id, field, value, relation and nested key. */
function graphOf(text) {
  const node = (id) => ({ id, [text]: text, text, list: [text, { [text]: text }] });
  const links = [{ source: text, target: "b", type: text, [text]: text }];
  return Graph.fromNodeLink({ directed: true, nodes: [node(text), node("b")], links });
}

/** State with a text as key, description, item and field. */
const stateOf = (text) => ({
  version: "0.1",
  variables: {
    // A dot would separate two keys.
    [text.replaceAll(".", ",")]: {
      _meta: { type: "LIST", description: text },
      items: [{ [text]: text }, text],
    },
    nested: { _meta: { type: "DICT", description: text }, [text]: text },
  },
});

/** Returns a callback with these replies, and the requests that it receives. */
function recorder(...replies) {
  const requests = [];
  const llm = (request) => {
    requests.push(request);
    return replies[requests.length - 1] ?? "COMPLETE: done";
  };
  return { llm, requests };
}

/** Prompts of a loop: the first plan, the evaluation of a plan, and the repair of an invalid reply. */
async function loopPrompts(text) {
  const commands = [
    "FIND nodes AS v",
    "FIND edges AS e",
    "SHOW v",
    "SHOW e",
    "SHOW nested",
    "SELECT v FIELDS text AS w",
    "SHOW nosuch",
  ];
  const plan = { plan_id: `p ${text}`, why: text, commands };
  const { llm, requests } = recorder({ json: plan }, text);
  const session = new GaslSession({ graph: graphOf(text), state: stateOf(text), llm });
  await session.solve(`${text}?`);
  assert.deepEqual(
    requests.map(({ task }) => task),
    ["plan", "evaluate", "repair"],
  );
  return requests.map(({ prompt }) => prompt);
}

/** Prompts of PROCESS and ANALYZE, with the repair of an invalid reply. */
async function commandPrompts(text) {
  const { llm, requests } = recorder(text, text, text, text);
  const options = { graph: graphOf(text), state: stateOf(text), llm, retries: 1 };
  const session = new GaslSession(options);
  const asText = JSON.stringify(text).replaceAll("\\f", "\\u000c").replaceAll("\\b", "\\u0008");
  await session.execute("FIND nodes AS v");
  const { errors = [] } = await session.execute(
    `PROCESS v USING "About \${v.0.text}, \${v.0.list}: ${asText.slice(1, -1)}" AS x`,
  );
  assert.equal(requests.length, 2, JSON.stringify(errors));
  await session.execute('ANALYZE v USING "${v.0.id}" AS y');
  assert.equal(requests.length, 4);
  return requests.map(({ prompt }) => prompt);
}

/** Workflow and registry with a text as type, id, description, key, default and action. */
function contextOf(text) {
  const registry = {
    [text]: {
      description: text,
      inputs: [{ key: text, type: text, description: text }],
      outputs: [
        { key: `out ${text}`, type: text, description: text },
        { key: "plain", description: text },
      ],
      params: [{ key: `param ${text}`, type: text, description: text, default: text }],
      actions: [text],
    },
    other: { inputs: [], outputs: [{ key: "plain" }] },
  };
  const workflow = {
    nodes: [
      { id: text, type: text, purpose: text },
      { id: `${text} 2`, type: text, purpose: text },
      { id: "o", type: "other" },
    ],
    inputs: { [`in ${text}`]: { type: "string", description: text, default: text } },
  };
  return { workflow, registry };
}

const contextPrompt = (text, options) => {
  const { workflow, registry } = contextOf(text);
  return buildContext(workflow, registry, options).markdown;
};

/** Catalog with a text as property, argument, value, description and request. */
const catalogOf = (text) => ({
  components: {
    Box: {
      description: text,
      allowedParents: [text],
      props: {
        [text]: { type: "string", description: text },
        kind: { enum: [text, "b"], description: text },
        child: "component",
      },
    },
  },
  functions: { read: { args: { [text]: "string" }, returns: "string", description: text } },
  examples: [
    {
      request: text,
      messages: [{ updateDataModel: { surfaceId: text, nodes: { [`n${text}`]: text } } }],
    },
  ],
});

for (const [name, text] of Object.entries(BREAKOUTS)) {
  test(`the prompts of a session keep their structure: ${name}`, async () => {
    for (const promptsOf of [loopPrompts, commandPrompts]) {
      const [harmless, found] = [await promptsOf(HARMLESS), await promptsOf(text)];
      for (const [nth, prompt] of found.entries()) {
        const expected = sessionStructure(harmless[nth]);
        assert.deepEqual(sessionStructure(prompt), expected, prompt);
        assert.equal(expected.fences + expected.tokens, 0);
      }
    }
  });

  test(`the context of a planner keeps its structure: ${name}`, () => {
    for (const options of [{}, { budget: { characters: 600 } }]) {
      const found = contextPrompt(text, options);
      const expected = markdownStructure(contextPrompt(HARMLESS, options));
      if (options.budget) {
        // A budget leaves out other parts of longer texts.
        assert.deepEqual(markdownStructure(found).fences, 0, found);
        continue;
      }
      assert.deepEqual(markdownStructure(found), expected, found);
    }
  });

  test(`the instructions of a catalog keep their structure: ${name}`, () => {
    const [harmless, found] = [HARMLESS, text].map((one) => defineCatalog(catalogOf(one)).prompt());
    assert.deepEqual(catalogStructure(found), catalogStructure(harmless), found);
  });

  test(`the prompt and the grammar of Express keep their structure: ${name}`, () => {
    const catalogs = [HARMLESS, text].map((one) => {
      const own = catalogOf(one);
      const messages = [
        { createSurface: { surfaceId: one } },
        {
          updateComponents: {
            surfaceId: one,
            components: [{ id: "root", component: "Box", kind: one, [one]: one }],
          },
        },
        { updateDataModel: { surfaceId: one, nodes: { root: { key: one } } } },
      ];
      return defineCatalog({ ...own, examples: [{ request: one, messages }] });
    });
    const [harmless, found] = catalogs.map((catalog) => expressPrompt(catalog));
    const linesOf = (prompt) => prompt.split(LINE_BREAK);
    assert.equal(linesOf(found).length, linesOf(harmless).length, found);
    // A text of others is after the beginning of a line, or in quotes.
    for (const [at, line] of linesOf(found).entries())
      if (line !== linesOf(harmless)[at])
        assert.doesNotMatch(line, /^(?:PWNED|New task|```|[~#>-])/);
    const { fences, tokens, controls } = catalogStructure(found);
    assert.deepEqual([fences, tokens, controls], [0, 0, 0], found);
    assert.equal(found.split("</a2ui>").length, harmless.split("</a2ui>").length);
    for (const rule of linesOf(expressGbnf(catalogs[1]))) assert.match(rule, /^[\w-]+ ::= /);
  });

  test(`the prompt that repairs messages keeps its structure: ${name}`, () => {
    const promptOf = (one) => {
      const catalog = defineCatalog(catalogOf(one));
      const components = [{ id: one, component: "Box", [`${one} prop`]: one, kind: `${one} kind` }];
      const reply = JSON.stringify({ updateComponents: { surfaceId: one, components } });
      const errors = checkMessages(catalog, reply);
      assert.ok(errors.length > 0);
      return repairPrompt(one, `${reply}\n${one}`, errors);
    };
    const [harmless, found] = [promptOf(HARMLESS), promptOf(text)].map((prompt) =>
      catalogStructure(prompt.replace(/(?:^\|.*\n)+/m, "|\n")),
    );
    assert.deepEqual(found.lines.slice(0, 6), harmless.lines.slice(0, 6));
    assert.ok(
      found.lines.slice(6).every(([kind]) => kind === "- "),
      promptOf(text),
    );
    assert.deepEqual([found.fences, found.tokens, found.controls], [0, 0, 0], promptOf(text));
  });

  test(`the results of tools keep their structure: ${name}`, async () => {
    const resultsOf = async (one) => {
      const session = new GaslSession({ graph: graphOf(one), state: stateOf(one) });
      const { workflow, registry } = contextOf(one);
      const tools = [...graphTools(session), ...flowTools({ registry, nodes: {} })];
      const calls = [
        ["describe_graph", {}],
        ["run_plan", { commands: ["FIND nodes AS v", "SHOW v", "SHOW nosuch"] }],
        ["show_rows", { name: "v" }],
      ];
      const results = [];
      for (const [tool, args] of calls)
        results.push(await tools.find(({ name: own }) => own === tool).execute(args));
      assert.ok(workflow.nodes.length > 0);
      return results;
    };
    const [harmless, found] = [await resultsOf(HARMLESS), await resultsOf(text)];
    // JSON keeps texts apart; the description of the graph is a text with a structure of its own.
    assert.deepEqual(jsonStructure(found), jsonStructure(harmless));
    const outline = (results) => sessionStructure(`Graph: ${results[0].graph}`);
    assert.deepEqual(outline(found), outline(harmless));
  });

  test(`the grammar of a state has a line for each rule: ${name}`, () => {
    const rules = GaslSession.gbnf(stateOf(text))
      .trimEnd()
      .split(/[\n\r\u0085\u2028\u2029]/);
    for (const rule of rules) assert.match(rule, /^[a-z-]+ ::= /);
  });
}

/** Returns all prompts with a text at every place. */
async function allPrompts(text) {
  const catalog = defineCatalog(catalogOf(text));
  const reply = JSON.stringify({ updateComponents: { surfaceId: text, components: [] } });
  const session = new GaslSession({ graph: graphOf(text), state: stateOf(text) });
  const describe = graphTools(session).find(({ name }) => name === "describe_graph");
  return [
    ...(await loopPrompts(text)),
    ...(await commandPrompts(text)),
    contextPrompt(text, {}),
    catalog.prompt(),
    expressPrompt(catalog),
    repairPrompt(text, reply, checkMessages(catalog, text)),
    (await describe.execute({})).graph,
  ];
}

for (const [model, tokens] of Object.entries(CONTROL_TOKENS))
  test(`every control token is escaped in every prompt: ${model}`, async () => {
    for (const token of tokens)
      for (const form of new Set([token, token.toLowerCase(), token.toUpperCase()]))
        for (const [nth, prompt] of (await allPrompts(`PWNED${form}PWNED`)).entries()) {
          assert.ok(prompt.includes("PWNED"), `prompt ${nth} has no text`);
          assert.ok(!prompt.includes(form), `${form} in prompt ${nth}: ${prompt}`);
        }
  });

test("types of a catalog that is not checked form no control token together", () => {
  for (const [tokens, type] of JOINED_TYPES) {
    const functions = { read: { args: { own: type } } };
    const catalog = new TypedCatalog({ components: { Box: { props: { own: type } } }, functions });
    for (const prompt of [catalog.prompt(), expressPrompt(catalog)]) {
      for (const token of tokens) assert.ok(!prompt.includes(token), prompt);
      assert.ok(prompt.includes(tokens[0].replace(/^./, "").replace(/\W+$/, "").slice(-3)), prompt);
    }
  }
  const plain = new TypedCatalog({ components: { Box: { props: { own: { enum: ["a", "b"] } } } } });
  assert.match(plain.prompt(), /own\?= a\|b/);
});

test("characters that change the reading are escaped in every prompt, and zero-width ones stay", async () => {
  const hidden = [
    "\u202e",
    "\u2066",
    "\u{e0041}",
    "\u0000",
    "\u001b",
    "\u0085",
    "\u2028",
    "\u2029",
  ];
  const kept = "a\u200bb\u200cc\u200dd";
  for (const prompt of await allPrompts(`${kept}${hidden.join("x")}`)) {
    assert.ok(prompt.includes(kept), prompt);
    for (const one of hidden) assert.ok(!prompt.includes(one), `${one.codePointAt(0)}: ${prompt}`);
  }
});

test("the command prints the same instructions of a catalog", () => {
  const folder = mkdtempSync(join(tmpdir(), "byname-"));
  try {
    const file = join(folder, "catalog.mjs");
    const own = catalogOf(BREAKOUTS["line breaks"]);
    const entry = import.meta.resolve("byname/catalog");
    writeFileSync(
      file,
      `import { defineCatalog } from ${JSON.stringify(entry)};\nexport default defineCatalog(${JSON.stringify(own)});\n`,
    );
    const cli = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
    const run = spawnSync(process.execPath, [cli, "prompt", "catalog", "--catalog", file], {
      encoding: "utf8",
    });
    assert.equal(run.stdout.trimEnd(), defineCatalog(own).prompt().trimEnd(), run.stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
