// Grammars for models: the checker accepts random texts of each. A reply that a grammar allows and the checker rejects
// costs a local model a repair.
import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, GaslSession, Graph, init } from "byname";
import { checkMessages } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { compileExpress, expressGbnf } from "byname/express";
import { formatOf } from "../../eval/ui/formats.mjs";
import { workflowGrammar } from "../../eval/workflows/texts.mjs";
import { matcher, sampler } from "../gbnf.mjs";

await init();

/** Returns a function with the same numbers from 0 to 1 in each run (Lehmer). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Derives texts and asserts that `check` returns no diagnostics, except for `isAllowed` ones. */
function assertAccepted(grammar, count, check, isAllowed = () => false) {
  const next = sampler(grammar, numbers(7));
  for (let index = 0; index < count; index += 1) {
    const text = next();
    const found = check(text).filter((one) => one.severity !== "info" && !isAllowed(one));
    assert.deepEqual(found, [], text);
  }
}

/** Codes about the content of texts: names in templates, formats of dates, and URLs. */
const CONTENT = ["CAT010", "CAT013", "CAT014", "CAT017"];

/** A list of fields may repeat one, which a grammar cannot prevent. */
const isRepeatedField = ({ message }) => message.startsWith("duplicate ");

/** Grammar of the plans of a session, as a model receives it. */
async function planGrammar() {
  let grammar = "";
  const graph = Graph.from({ nodes: [{ id: "a" }], links: [] });
  const llm = (request) => {
    grammar = request.grammar.gbnf;
    return "COMPLETE: x";
  };
  await new GaslSession({ graph, llm }).solve("q");
  return grammar;
}

test("commands of the GASL grammar are valid", () => {
  const check = (text) => GaslSession.check(text).diagnostics;
  assertAccepted(GaslSession.gbnf(), 1000, check, isRepeatedField);
});

test("plans of the GASL grammar are JSON with valid commands", async () => {
  assertAccepted(
    await planGrammar(),
    500,
    (text) => {
      const { commands = [] } = JSON.parse(text);
      return commands.flatMap((command) => GaslSession.check(command).diagnostics);
    },
    isRepeatedField,
  );
});

test("the GASL grammar has no keyword as a name", async () => {
  const matches = matcher(GaslSession.gbnf());
  const find = (name) => matches(`FIND nodes AS ${name}`);
  const where = (field) => matches(`FIND nodes WHERE ${field} = 1 AS x`);
  for (const name of ["as", "and", "where", "with", "returning", "limit", "follow", "is", "in"]) {
    assert.equal(find(name), false, name);
    assert.equal(where(name), false, name);
    assert.equal(where(name.toUpperCase()), false, name);
    for (const longer of [`${name}_1`, `${name}x`, `x${name}`]) {
      assert.ok(find(longer), longer);
      assert.ok(where(longer), longer);
    }
  }
  for (const name of ["a", "an", "w", "wher", "wheres", "i", "isa", "people", "z9"])
    assert.ok(find(name) && where(name), name);
  for (const name of ["9a", "_a", "a-b", "a b"]) assert.equal(find(name), false, name);
});

test("messages of the HAM grammar are valid, except for repeated keys and the content of texts", () => {
  const isRepeated = ({ code }) => ["JSON012", "CAT011", ...CONTENT].includes(code);
  const check = (text) => checkMessages(basicCatalog, text);
  assertAccepted(basicCatalog.gbnf(), 150, check, isRepeated);
  assertAccepted(basicCatalog.gbnf({ surfaceId: "main" }), 50, check, isRepeated);
});

test("blocks of the Express grammar are valid, except for repeated keys and the content of texts", () => {
  const isRepeated = ({ message }) => message.endsWith("occurs twice");
  const isContent = ({ code }) => ["EXP014", ...CONTENT].includes(code);
  const check = (text) => {
    const { diagnostics } = compileExpress(text, { catalog: basicCatalog });
    // A statement with a repeated key is left out.
    return diagnostics.some(isRepeated) ? [] : diagnostics;
  };
  assertAccepted(expressGbnf(basicCatalog), 200, check, isContent);
});

test("the grammars of the evaluation are complete", async () => {
  const [a2ui, testing] = await Promise.all([import("byname/a2ui"), import("byname/testing")]);
  const catalog = basicCatalog.extend({ examples: [] });
  const { grammar } = formatOf("a2ui", { catalog, a2ui, testing });
  const matches = matcher(grammar);
  const update = { surfaceId: "main", path: "/a/0/b", value: 1 };
  assert.ok(matches(JSON.stringify({ version: "v1.0", updateDataModel: update })));
  assert.equal(matches('{"updateDataModel":{"nodes":{"a":1}}}'), false);
  const registry = { fetch: { inputs: ["url"], outputs: ["response"] } };
  const nodes = { one: "fetch", two: "fetch" };
  const names = ["one_response", "two_response", "one.response"];
  const isOrder = ({ code }) => code === "FLOW014" || code === "FLOW020";
  assertAccepted(
    workflowGrammar(nodes, names, registry),
    100,
    (text) => compileFlow(text, registry).diagnostics,
    isOrder,
  );
});
