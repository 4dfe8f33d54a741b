// Runs the ```gasl blocks of docs/gasl.md: one command per line, over a graph of tests/cases/gasl/graphs.
import assert from "node:assert/strict";
import people from "../cases/gasl/graphs/people.json" with { type: "json" };
import routes from "../cases/gasl/graphs/routes.json" with { type: "json" };
import { actionsOf, checkDiagnostics, expectation, json } from "./blocks.mjs";

const GRAPHS = { people, routes };

/**
 * Runs one block in a new session; `info` is the name of the graph (`people` if there is none).
 * With `plan` after the name, the lines run as one plan; else each line is a command of its own.
 */
export async function runGaslBlock(block, { Graph, GaslSession }) {
  const [graph = "people", mode] = block.info.split(" ").filter((word) => word !== "");
  assert.ok(
    GRAPHS[graph],
    `unknown graph \`${graph}\`; available: ${Object.keys(GRAPHS).join(", ")}`,
  );
  const actions = actionsOf(block);
  const replies = actions.flatMap(({ expected }) =>
    expected.filter(([key]) => key === "reply").map(([, text]) => text),
  );
  const llm = () => replies.shift() ?? assert.fail("the model was called without a `# reply`");
  const session = new GaslSession({ graph: Graph.fromNodeLink(GRAPHS[graph]), llm });
  if (mode === "plan") await runPlan(session, actions);
  else
    for (const action of actions)
      await inContext(action, async () =>
        check(session, action, await session.execute(action.text)),
      );
  assert.deepEqual(replies, [], "replies that were not requested");
}

/** Runs all lines as one plan, and compares the errors and the last record of each command with its line. */
async function runPlan(session, actions) {
  const commands = actions.map(({ text }) => text);
  const result = await session.run({ plan_id: "example", why: "show the rule", commands });
  const written = (index) =>
    result.diagnostics.filter(({ location }) =>
      location?.pointer?.startsWith(`/commands/${index}`),
    );
  for (const [index, action] of actions.entries()) {
    const record = result.records.findLast(({ command }) => command === action.text);
    const errors = [...written(index), ...(record?.errors ?? [])];
    await inContext(action, () => check(session, action, { status: "not run", ...record, errors }));
  }
}

async function inContext(action, body) {
  try {
    await body();
  } catch (error) {
    error.message = `line ${action.line}: ${action.text}\n${error.message}`;
    throw error;
  }
}

function check(session, { text, expected }, record) {
  const failed = expected.some(([key]) => key === "error");
  const status = expectation(expected, "status") ?? (failed ? undefined : "success");
  checkDiagnostics(expected, record.errors ?? [], assert);
  if (status !== undefined) assert.equal(record.status, status);
  const name =
    /\bAS\s+(\w+)(?:\s*;|\s+--.*)?\s*$/i.exec(text)?.[1] ?? /^\w+\s+([\w.]+)/.exec(text)?.[1];
  const value = () => session.variable(name) ?? session.state[name];
  const rows = expectation(expected, "rows");
  if (rows !== undefined)
    assert.deepEqual(
      value().map((row) => row.id),
      json(rows),
    );
  const count = expectation(expected, "count");
  if (count !== undefined) assert.equal(record.metrics.count, Number(count));
  const written = expectation(expected, "value");
  if (written !== undefined) assert.deepEqual(value(), json(written));
}
