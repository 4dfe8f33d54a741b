// Secrets of a workflow: a run never displays them, and restores them when it resumes.

import assert from "node:assert/strict";
import test from "node:test";
import { buildContext, compileFlow, init } from "byname";
import { codesOf, flowOf, workflowOf } from "../flow/make.mjs";

await init();

const KEY = "sk-Zq9/73-secret";
const INPUTS = { key: { secret: true }, topic: {} };

/** Runs a workflow and returns its result, its events and all of its output as text. */
async function runWithOutput(flow, options) {
  const events = [];
  const result = await flow.run({ ...options, onEvent: (event) => events.push(event) });
  return { result, events, shown: JSON.stringify([events, result.trace, result.diagnostics]) };
}

const nodes = [
  ["login", "key", "token", { params: { header: "Bearer $key" } }],
  ["fetch", "token", "page"],
];

const echo = ({ id, inputs, params }) =>
  id === "login"
    ? { outputs: { token: { of: inputs.key, said: `I got ${params.header}!`, [inputs.key]: 1 } } }
    : { outputs: { page: `${inputs.token.of} is the key` } };

test("a node gets the secret, and no output of a run contains it", async () => {
  const flow = flowOf(nodes, { inputs: INPUTS, outputs: { page: {} } });
  const calls = [];
  const work = (call) => {
    calls.push(call);
    return echo(call);
  };
  const { result, shown, events } = await runWithOutput(flow, {
    nodes: { work },
    inputs: { key: KEY },
  });
  assert.equal(result.status, "completed");
  assert.deepEqual(calls[0].inputs, { key: KEY });
  assert.deepEqual(calls[0].params, { header: `Bearer ${KEY}` });
  assert.equal(calls[1].inputs.token.of, KEY);
  assert.ok(!shown.includes(KEY), shown);
  assert.match(shown, /«secret:key»/);
  assert.deepEqual(events[0].params, { header: "Bearer «secret:key»" });
  // The outputs are for the caller, who passed the secret.
  assert.equal(result.outputs.page, `${KEY} is the key`);
});

test("hides a secret in an error too", async () => {
  const flow = flowOf(nodes, { inputs: INPUTS });
  for (const fail of [
    (key) => {
      throw new Error(`401 for ${key}`);
    },
    (key) => Promise.reject(`no ${key}`),
    (key) => ({ outputs: { [key]: 1, token: 1 } }),
    (key) => ({ outputs: {}, action: key }),
  ]) {
    const work = ({ id, inputs }) => (id === "login" ? fail(inputs.key) : { outputs: { page: 1 } });
    const { shown } = await runWithOutput(flow, { nodes: { work }, inputs: { key: KEY } });
    assert.ok(!shown.includes(KEY), shown);
  }
});

test("contexts and exports contain no secret", () => {
  const workflow = workflowOf(nodes, { inputs: { key: { secret: true, default: KEY } } });
  const context = buildContext(workflow, {});
  assert.ok(!JSON.stringify(context).includes(KEY), context.markdown);
  const { flow } = compileFlow(workflow, {});
  assert.ok(!JSON.stringify(flow.toJSON()).includes(KEY));
  assert.ok(!flow.toMermaid().includes(KEY));
});

test("a resumed run has the secret again", async () => {
  const flow = flowOf(nodes, { inputs: INPUTS, outputs: { page: {} } });
  const first = ({ id, ...call }) => {
    if (id === "fetch") throw new Error("offline");
    return echo({ id, ...call });
  };
  const interrupted = await flow.run({ nodes: { work: first }, inputs: { key: KEY } });
  const resume = JSON.parse(JSON.stringify(interrupted.trace));
  const calls = [];
  const work = (call) => {
    calls.push(call);
    return echo(call);
  };
  const { result, shown } = await runWithOutput(flow, {
    nodes: { work },
    inputs: { key: KEY },
    resume,
  });
  assert.equal(result.outputs.page, `${KEY} is the key`);
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0].inputs, {
    token: { of: KEY, said: `I got Bearer ${KEY}!`, [KEY]: 1 },
  });
  assert.ok(!shown.includes(KEY), shown);
  // Without it no node is called, and the missing secret is named.
  const without = await flow.run({ nodes: { work }, resume });
  assert.deepEqual([without.status, without.diagnostics[0].code], ["failed", "FLOW049"]);
  assert.match(without.diagnostics[0].message, /`key`/);
  assert.equal(calls.length, 1);
});

test("keeps a page that looks like a marker", async () => {
  const pages = [
    "«secret:key»",
    "a «secret:key» b",
    "«secret:topic»",
    "«secret!:key»",
    "«secret!!:key» «secret",
    "«secret:key~text»",
    "«secret:key/0»",
  ];
  const flow = flowOf(
    [
      ["fetch", "key", "pages"],
      ["post", "pages", "sent"],
    ],
    { inputs: INPUTS, outputs: { sent: {} } },
  );
  const fails = ({ id }) => {
    if (id === "post") throw new Error("offline");
    return { outputs: { pages: [...pages, { "«secret:key»": KEY }] } };
  };
  const interrupted = await flow.run({ nodes: { work: fails }, inputs: { key: KEY } });
  assert.ok(!JSON.stringify(interrupted.trace).includes(KEY));
  let got;
  const work = ({ inputs }) => {
    got = inputs.pages;
    return { outputs: { sent: 1 } };
  };
  const resume = JSON.parse(JSON.stringify(interrupted.trace));
  const { status } = await flow.run({ nodes: { work }, inputs: { key: KEY }, resume });
  assert.equal(status, "completed");
  assert.deepEqual(got, [...pages, { "«secret:key»": KEY }]);
});

test("hides secrets that are not texts, and secrets that are part of one another", async () => {
  const inputs = {
    pin: { secret: true },
    login: { secret: true },
    short: { secret: true },
    empty: { secret: true },
  };
  const secrets = {
    pin: 482_913,
    login: { user: "ada", list: ["pass-1", 7] },
    short: "pass",
    empty: "",
  };
  const flow = flowOf(
    [
      ["a", "pin login short empty", "x"],
      ["b", "x", "y"],
    ],
    { inputs, outputs: { y: {} } },
  );
  const x = (inputs) => ({
    all: [inputs.pin, inputs.login, inputs.short, inputs.empty],
    text: `pin ${inputs.pin}, ${inputs.login.list[0]}, ${inputs.short}`,
  });
  const fails = ({ id, inputs }) => {
    if (id === "b") throw new Error(`${inputs.x.text}`);
    return { outputs: { x: x(inputs) } };
  };
  const { result, shown, events } = await runWithOutput(flow, {
    nodes: { work: fails },
    inputs: secrets,
  });
  // An event keeps its own keys, whatever the name of a secret.
  assert.equal(events[0].pass, 1);
  for (const secret of ["482913", "pass-1", ':"pass"', " pass"]) {
    assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
  }
  let got;
  const work = ({ inputs }) => {
    got = inputs.x;
    return { outputs: { y: 1 } };
  };
  const resume = JSON.parse(JSON.stringify(result.trace));
  await flow.run({ nodes: { work }, inputs: secrets, resume });
  assert.deepEqual(got, x(secrets));
});

test("hides secrets in unusual outputs", async () => {
  const flow = flowOf(
    [
      ["a", "key", "x", { params: { p: "$key" } }],
      ["b", "x", "y", { batch: { items: ["$key", "$x"] } }],
    ],
    { inputs: INPUTS, outputs: { y: {} } },
  );
  // Truncated, encoded by JSON, and joined.
  const work = ({ id, inputs }) => {
    if (id === "a") return { outputs: { x: JSON.stringify({ k: inputs.key }) } };
    throw new Error(`${"x".repeat(490)}${inputs.item} ${inputs.x}`);
  };
  const quoted = 'sk-"quoted"\\key\n2';
  for (const key of [KEY, quoted]) {
    const { shown } = await runWithOutput(flow, {
      nodes: { work },
      inputs: { key },
      concurrency: 2,
    });
    for (const form of [key, JSON.stringify(key).slice(1, -1)]) {
      assert.ok(!shown.includes(JSON.stringify(form).slice(1, -1)), `${form} in ${shown}`);
      assert.ok(!shown.includes(form.slice(0, 8)), `a part of ${form} in ${shown}`);
    }
  }
});

test("hides numbers in a secret object, and restores them", async () => {
  const params = { p: "pin ${s.pin}", r: "$s.list" };
  const flow = flowOf(
    [
      ["a", "", "x", { params }],
      ["b", "x", "y"],
    ],
    {
      inputs: { s: { secret: true } },
      outputs: { y: {} },
    },
  );
  const secrets = { s: { pin: 4711234, list: [987654] } };
  const work = ({ id, params: { p, r }, inputs: { x } }) => {
    if (id === "a") return { outputs: { x: { p, r, pin: 4711234 } } };
    if (x !== undefined) throw new Error(`no use for ${x.pin}`);
  };
  const { result, shown } = await runWithOutput(flow, { nodes: { work }, inputs: secrets });
  for (const number of ["4711234", "987654"]) assert.ok(!shown.includes(number), shown);
  const calls = [];
  const rest = async ({ inputs: { x } }) => {
    calls.push(x);
    return { outputs: { y: 1 } };
  };
  const resume = JSON.parse(JSON.stringify(result.trace));
  await flow.run({ nodes: { work: rest }, inputs: secrets, resume });
  assert.deepEqual(calls, [{ p: "pin 4711234", r: [987654], pin: 4711234 }]);
});

test("does not take a part of a secret for another secret, whatever their names", async () => {
  const secrets = {
    c: { k: "first of c", l: 12345678 },
    "c/0": "s3cret slash",
    "c~key": "s3cret tilde",
    "c/0~key": "s3cret both",
    "c/1~text": "s3cret text",
    "c»": "s3cret closed",
    "c~~": "s3cret twice",
  };
  const inputs = Object.fromEntries(Object.keys(secrets).map((name) => [name, { secret: true }]));
  const flow = flowOf(
    [
      ["a", Object.keys(secrets).join(" "), "y"],
      ["b", "y", "z"],
    ],
    { inputs, outputs: { z: {} } },
  );
  const work = ({ id, inputs: received }) => {
    if (id === "b") throw new Error("offline");
    const texts = Object.entries(received).map(([name, value]) =>
      name === "c" ? `${value.k} and ${value.l}` : `Bearer ${value}`,
    );
    return { outputs: { y: [received, texts] } };
  };
  const interrupted = await flow.run({ nodes: { work }, inputs: secrets });
  const resume = JSON.parse(JSON.stringify(interrupted.trace));
  const secretTexts = Object.values(secrets).filter((one) => typeof one === "string");
  for (const word of [...secretTexts, "first of c", "12345678"]) {
    assert.ok(!JSON.stringify(resume).includes(word), word);
  }
  let got;
  const again = ({ inputs: received }) => {
    got = received.y;
    return { outputs: { z: 1 } };
  };
  const { status } = await flow.run({ nodes: { work: again }, inputs: secrets, resume });
  assert.equal(status, "completed");
  const texts = Object.entries(secrets).map(([name, value]) =>
    name === "c" ? `${value.k} and ${value.l}` : `Bearer ${value}`,
  );
  assert.deepEqual(got, [secrets, texts]);
  // Only the missing one is named.
  const { c, ...others } = secrets;
  const without = await flow.run({ nodes: { work: again }, inputs: others, resume });
  assert.deepEqual([without.status, codesOf(without)], ["failed", ["FLOW049"]]);
  assert.match(without.diagnostics[0].message, /`c`/);
});

test("keeps an input that looks like a marker when a run resumes", async () => {
  const flow = flowOf(
    [
      ["a", "key", "y"],
      ["b", "y page", "z"],
    ],
    { inputs: { ...INPUTS, page: {} }, outputs: { z: {} } },
  );
  const inputs = { key: KEY, page: "evil «secret:key» and «secret!" };
  const interrupted = await flow.run({
    inputs,
    nodes: {
      work: ({ id }) => {
        if (id === "b") throw new Error("busy");
        return { outputs: { y: 1 } };
      },
    },
  });
  const resume = JSON.parse(JSON.stringify(interrupted.trace));
  for (const inputsOfResume of [inputs, { key: KEY }]) {
    let got;
    const work = (call) => {
      got = call.inputs.page;
      return { outputs: { z: 1 } };
    };
    const { status } = await flow.run({ nodes: { work }, inputs: inputsOfResume, resume });
    assert.deepEqual([status, got], ["completed", inputs.page]);
  }
});

test("escapes text that looks like a marker in the message of a failure", async () => {
  const flow = flowOf([["a", "key", "y"]], { inputs: INPUTS });
  const failed = [];
  const { diagnostics } = await flow.run({
    inputs: { key: KEY },
    nodes: {
      work: () => {
        throw new Error(`the page says «secret:key» and ${KEY}`);
      },
    },
    onEvent: (event) => event.kind === "failed" && failed.push(JSON.stringify(event)),
  });
  const page = "the page says «secret!:key» and «secret:key»";
  assert.equal(diagnostics[0].message, `\`a\` failed: ${page}`);
  assert.ok(failed.length === 1 && failed[0].includes(page), failed[0]);
});
