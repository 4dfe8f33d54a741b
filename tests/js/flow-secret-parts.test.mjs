// Secrets of several lines and long secrets: messages truncate, quote and join texts, and templates
// escape them.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, GaslSession, Graph, HamStore, init } from "byname";
import { linkedNodes, linkedRegistry, subflow } from "byname/flow";

await init();

const LINES = "MIIEvQIBADANBgk\nqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIB";
const LONG = Array.from({ length: 150 }, (_, at) => `K${at.toString(36)}Zq7w`).join("");
const SECRETS = [LINES, LONG];

/** Maximum length of a part of a secret that a message may show. */
const MAX_PART = 11;

/** Fails if a value contains a part of a secret, also between escapes and with other white space. */
function assertFree(value, secret, what) {
  const text = JSON.stringify(value).replace(/\\+[nrt]?|\s+/g, "");
  const compact = secret.replace(/\\+[nrt]?|\s+/g, "");
  for (let at = 0; at + MAX_PART < compact.length; at++) {
    const found = text.indexOf(compact.slice(at, at + MAX_PART + 1));
    assert.equal(found, -1, `${what}: ${text.slice(Math.max(found - 80, 0), found + 40)}`);
  }
}

/** Runs a workflow whose input `key` is secret; fails if something of its run contains the secret. */
async function assertHidden(what, secret, registry, nodes, workflow) {
  const compiled = compileFlow({ inputs: { key: { secret: true } }, ...workflow }, registry);
  const { flow } = compiled;
  assert.ok(flow, JSON.stringify(compiled.diagnostics));
  const seen = [];
  const { trace, diagnostics, status } = await flow.run({
    nodes,
    inputs: { key: secret },
    onEvent: (event) => seen.push(event),
    onCheckpoint: (checkpoint) => {
      seen.push(structuredClone(checkpoint));
    },
  });
  assertFree(diagnostics, secret, `${what}: diagnostics`);
  assertFree(seen, secret, `${what}: events and checkpoints`);
  assertFree(trace, secret, `${what}: trace`);
  return { flow, trace, diagnostics, status };
}

const fail = (message) => {
  throw new Error(message);
};

/** Results of a node with the secret param `p`. */
const outcomes = {
  "an undeclared output": ({ p }) => ({ outputs: { o: 1, [p]: 1 } }),
  "undeclared outputs that begin with a secret late": ({ p }) => ({
    outputs: Object.fromEntries([
      ["o", 1],
      ...Array.from({ length: 40 }, (_, at) => [`${"x".repeat(at + 20)}${p}`, 1]),
    ]),
  }),
  "an unknown action": ({ p }) => ({ outputs: { o: 1 }, action: p }),
  "an error": ({ p }) => fail(`${"y ".repeat(200)} ${p}`),
  "the action `error`": ({ p }) => ({ outputs: {}, action: "error", error: `no ${p}` }),
  "an unreadable result": ({ p }) => ({
    get outputs() {
      return fail(`bad ${p}`);
    },
  }),
  "a circular result": ({ p }) => {
    const o = {};
    o[p] = o;
    return { outputs: { o } };
  },
};

const registry = { a: { outputs: ["o"], actions: ["default", "done"] } };
const one = (type, params) => ({ nodes: [{ id: "a", type, params }] });

for (const [what, outcome] of Object.entries(outcomes)) {
  const node = ({ params }) => outcome(params);
  test(`a run shows no part of a secret: ${what}`, async () => {
    for (const secret of SECRETS) {
      const workflow = one("a", { p: "${key}" });
      const { diagnostics } = await assertHidden(what, secret, registry, { a: node }, workflow);
      assert.match(diagnostics[0].message, /«secret:key/);
    }
  });

  test(`a nested workflow shows no part of a secret: ${what}`, async () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "a", to: "b", action: "error" },
    ];
    const handler = { id: "b", type: "b", params: { q: "see ${a.error.message ?? 1}" } };
    const inner = compileFlow(
      {
        inputs: { k: {} },
        nodes: [{ id: "a", type: "a", params: { p: "${k}" } }, handler],
        edges,
        outputs: { said: { optional: true } },
      },
      { ...registry, b: { outputs: ["said"] } },
    ).flow;
    const batch = compileFlow(
      {
        inputs: { k: {} },
        nodes: [
          {
            id: "a",
            type: "a",
            params: { p: "${item}" },
            batch: { items: ["${k}", "b"], on_error: "continue" },
          },
        ],
      },
      registry,
    ).flow;
    const implementations = { a: node, b: ({ params }) => ({ outputs: { said: params.q } }) };
    for (const secret of SECRETS) {
      for (const flow of [inner, batch]) {
        const nodes = { in: subflow(flow, { nodes: implementations }) };
        await assertHidden(
          what,
          secret,
          { in: { outputs: [] } },
          nodes,
          one("in", { k: "${key}" }),
        );
      }
    }
  });
}

test("messages about commands and updates show no part of a secret", async () => {
  for (const secret of SECRETS) {
    const session = new GaslSession({
      graph: Graph.from({ nodes: [{ id: "a", t: "x" }], edges: [] }),
    });
    const nodes = linkedNodes({ session, store: new HamStore() });
    const commands = [
      "FIND nodes WHERE ${key} = 1 AS x",
      "FIND nodes WHERE t = ${key} AS x",
      'FIND nodes WHERE t = "${key}" AS x',
      "SELECT ${key} AS x",
      "${key}",
    ];
    const plan = (command) => ({ plan_id: "p", why: "w", commands: [command] });
    const plans = commands.map((command) => ({ plan: plan(command), variable: "x" }));
    plans.push({ plan: plan("FIND nodes AS x"), variable: "${key}" });
    for (const params of plans) {
      const what = JSON.stringify(params);
      await assertHidden(what, secret, linkedRegistry, nodes, one("gasl.plan", params));
    }
    const updates = [
      "${key}",
      '{"a": ${key}',
      { "~+ ${key}": 1 },
      { root: { a: "*${key}" } },
      { root: "${key}", a: { binding: { node: "${key}" } } },
    ];
    for (const update of updates) {
      const what = JSON.stringify(update);
      await assertHidden(what, secret, linkedRegistry, nodes, one("ham.apply", { update }));
    }
    const binding = { node: "root", key: "${key}" };
    await assertHidden("a binding", secret, linkedRegistry, nodes, one("ham.read", { binding }));
  }
});

test("secrets that templates insert as JSON several times are hidden and restored", async () => {
  for (const secret of [...SECRETS, 'pa"ss\\wo\trd']) {
    const ids = ["a", "b", "c", "d", "e"];
    const param = (at) => (at === 0 ? "cfg ${key}" : `see \${${ids[at - 1]}.${ids[at - 1]}}`);
    const workflow = {
      nodes: ids.map((id, at) => ({ id, type: id, params: { p: param(at) } })),
      edges: ids.slice(1).map((id, at) => ({ from: ids[at], to: id })),
    };
    const types = Object.fromEntries(ids.map((id) => [id, { outputs: [id] }]));
    const echo = ({ id, params }) => ({ outputs: { [id]: { q: params.p } } });
    const nodes = Object.fromEntries(ids.map((id) => [id, echo]));
    const { flow, status } = await assertHidden("templates", secret, types, nodes, workflow);
    assert.equal(status, "completed");
    const inputs = { key: { of: secret } };
    const fails = { ...nodes, e: () => fail("offline") };
    const { trace } = await flow.run({ nodes: fails, inputs });
    assertFree(trace, secret, "the trace");
    let got;
    const e = ({ params }) => {
      got = params.p;
      return { outputs: { e: 1 } };
    };
    await flow.run({ nodes: { ...fails, e }, inputs, resume: trace });
    let text = `cfg ${JSON.stringify(inputs.key)}`;
    for (let at = 1; at < ids.length; at++) text = `see ${JSON.stringify({ q: text })}`;
    assert.equal(got, text);
    const run = flow.begin({ inputs });
    for (let [call] = run.calls; call; [call] = run.calls) {
      assertFree(call, secret, "a call");
      run.answer(call.key, echo(run.reveal(call)));
    }
    assert.equal(run.result.status, "completed");
    assertFree(run.trace, secret, "the trace of a stepwise run");
  }
});

test("parts of short secrets and other words stay in messages", async () => {
  const { flow } = compileFlow(
    { inputs: { key: { secret: true } }, ...one("a", { p: "${key}" }) },
    registry,
  );
  const message = "cannot open the page: no connection";
  const { diagnostics } = await flow.run({
    nodes: { a: () => fail(message) },
    inputs: { key: "open the door" },
  });
  assert.equal(diagnostics[0].message, `\`a\` failed: ${message}`);
});
