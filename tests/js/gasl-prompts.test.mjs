// Prompts that a model receives in the loop: over hostile data, loaded states, forks and replays.
import assert from "node:assert/strict";
import test from "node:test";
import { ask, GaslSession, Graph, init } from "byname";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

await init();

const plan = (...commands) => ({ json: { commands } });

/** Returns a callback with these replies, and the prompts that it receives. */
function recorder(...replies) {
  const prompts = [];
  const llm = ({ prompt }) => {
    prompts.push(prompt);
    return replies[prompts.length - 1];
  };
  return { llm, prompts };
}

/** Graph of `count` nodes with two attributes. */
function graphOf(count) {
  const rows = Array.from({ length: count }, (_, nth) => `n${nth},${nth % 7},text ${nth}`);
  return Graph.fromCsv({ nodes: `id,group,text\n${rows.join("\n")}`, edges: "source,target\n" });
}

test("no text of a graph begins a line of a prompt", async () => {
  const breaks = ["\n", "\r\n", "\u2028", "\u2029", "\u0085", "\u000b", "\u000c", "\r"];
  const hostile = breaks.map((one) => `x${one}PWNED |${one}PWNED`);
  const nodes = hostile.map((text, nth) => ({
    id: `${nth}${text}`,
    [text]: text,
    list: [text, { [text]: text }],
    kind: text,
  }));
  const twice = nodes.flatMap((node) => [node, { ...node, id: `${node.id}2` }]);
  const links = [{ source: nodes[0].id, target: nodes[1].id, type: hostile[0], about: hostile[1] }];
  const graph = Graph.fromNodeLink({ directed: true, nodes: twice, links });
  const { llm, prompts } = recorder(
    plan(
      "DECLARE k AS LIST",
      "DECLARE d AS DICT",
      "FIND nodes AS v",
      "UPDATE k WITH v",
      "UPDATE d WITH v",
      "FIND edges AS e",
      "SELECT v FIELDS kind AS w",
      "SHOW w",
      "SHOW v",
      "SHOW d",
      "SHOW nosuch",
    ),
    "COMPLETE: done",
  );
  const { answer } = await new GaslSession({ graph, llm }).solve("q");
  assert.equal(answer, "done");
  for (const prompt of prompts) {
    assert.ok(prompt.includes("PWNED"));
    for (const line of prompt.split(new RegExp(breaks.join("|")))) {
      assert.doesNotMatch(line, /^\s*PWNED/);
    }
  }
});

test("a result of the default budget is complete or cut between rows", async () => {
  const commands = ["FIND nodes AS v", "SELECT v FIELDS id, text AS w", "SHOW w"];
  for (const count of [500, 5000]) {
    const { llm, prompts } = recorder(plan(...commands), "COMPLETE: done");
    await new GaslSession({ graph: graphOf(count), llm }).solve("q");
    const table = prompts[1].slice(
      prompts[1].indexOf("SHOW w: "),
      prompts[1].indexOf("\n\nThe plan"),
    );
    const [heading, header, ...rows] = table.split("\n");
    assert.equal(header, "|id|text");
    assert.deepEqual(
      rows,
      rows.map((_, nth) => `|n${nth}|text ${nth}`),
    );
    if (count === 500) {
      assert.equal(heading, "SHOW w: 500 rows");
      assert.equal(rows.length, 500);
      continue;
    }
    const { length } = rows;
    const rest = `\`SHOW w LIMIT ${count - length} OFFSET ${length}\``;
    assert.equal(
      heading,
      `SHOW w: rows 1 to ${length} of ${count}; ${rest} after the commands that write it shows the rest`,
    );
    const size = table.length - heading.length;
    assert.ok(size <= 24_000 && size > 23_900, `${size} characters`);
  }
});

test("several results share the budget", async () => {
  const { llm, prompts } = recorder(
    plan("FIND nodes AS v", "SELECT v FIELDS id LIMIT 5 AS few", "SHOW v", "SHOW few", "SHOW v"),
    "COMPLETE: done",
  );
  const graph = graphOf(3000);
  await ask("q", { graph, llm, resultTokens: 1000 });
  assert.match(prompts[1], /\nSHOW few: 5 rows\n\|id\n\|n0\n\|n1\n\|n2\n\|n3\n\|n4\n/);
  const [first, second] = [...prompts[1].matchAll(/\nSHOW v: rows 1 to (\d+) of 3000;/g)];
  assert.equal(first[1], second[1]);
  assert.ok(Number(first[1]) > 90 && Number(first[1]) < 150, first[1]);
});

test("a loaded state shows what it stores of earlier steps", async () => {
  const graph = graphOf(5);
  const before = new GaslSession({ graph });
  await before.run({ plan_id: "p", why: "w", commands: ["FIND nodes AS v", "SHOW v"] });
  const { llm, prompts } = recorder("COMPLETE: done");
  await new GaslSession({ graph, llm, state: before.state }).solve("q");
  assert.match(prompts[0], /\n2\. SHOW v → success, 5 rows\n\|id\|group\|text\n\|n0\|0\|text 0\n/);
  assert.match(prompts[0], /\n1\. FIND nodes AS v → success, 5 rows\n\|value\n\|\[\{/);
  assert.doesNotMatch(prompts[0], /Results of the last plan/);
});

test("a plan resumed from storage keeps its results", async () => {
  let stored;
  let failing = false;
  const backend = {
    load: async () => stored && { state: stored, rev: "1" },
    save: async (state) => {
      if (failing) await new Promise(() => {});
      stored = structuredClone(state);
      failing = state.history.length === 2;
      return { rev: "1" };
    },
  };
  const graph = graphOf(5);
  const request = {
    plan_id: "p",
    why: "w",
    commands: ["DECLARE k AS LIST", "FIND nodes AS v", "SHOW v", "COUNT v AS n"],
  };
  const controller = new AbortController();
  const interrupted = new GaslSession({ graph, backend });
  const running = interrupted.run(request, { signal: controller.signal });
  while (!failing) await new Promise((resolve) => setTimeout(resolve, 1));
  interrupted[Symbol.dispose]();
  await running.catch(() => {});
  const { llm, prompts } = recorder("COMPLETE: done");
  failing = false;
  const later = new GaslSession({ graph, llm, state: stored });
  const result = await later.resume();
  assert.equal(result?.status, "completed");
  await later.solve("q");
  assert.match(prompts[0], /\n\nResults of the last plan:\nSHOW v: 5 rows\n\|id\|group\|text\n/);
});

test("a recording contains the budget of its prompts", async () => {
  const graph = graphOf(100);
  const { llm } = recorder(plan("FIND nodes AS v", "SHOW v"), "COMPLETE: done");
  const session = new GaslSession({ graph, llm, resultTokens: 50 });
  await session.solve("q");
  const recording = JSON.parse(JSON.stringify(session.recording()));
  assert.equal(recording.resultTokens, 50);
  await GaslSession.replay(recording, { graph });
  await assert.rejects(
    GaslSession.replay({ ...recording, resultTokens: 60 }, { graph }),
    /no recorded reply/,
  );
});

test("a budget is a count", () => {
  const graph = graphOf(1);
  assert.throws(() => new GaslSession({ graph, resultTokens: -1 }), /`resultTokens`/);
  assert.throws(() => new GaslSession({ graph, resultTokens: "many" }), /`resultTokens`/);
});

test("the language reference has less than 1,100 tokens", () => {
  const text = GaslSession.prompt();
  assert.ok(encode(text).length < 1_100, `${encode(text).length} tokens`);
  assert.ok(text.length / 4 < 1_100, `${text.length} characters`);
});
