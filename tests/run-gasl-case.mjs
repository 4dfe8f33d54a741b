// Runs the cases of tests/cases/gasl through the facade, in Node and in a browser, also in a
// worker. The file tests/gasl_cases.rs runs them against the core; tests/README.md describes their
// format.

import people from "./cases/gasl/graphs/people.json" with { type: "json" };
import routes from "./cases/gasl/graphs/routes.json" with { type: "json" };
import { CaseFailure, expectCodes, expectSame, expectTrue, show } from "./compare.mjs";
import { adapterOf, respondingAdapter } from "./gasl/adapter.mjs";
import { at, expand, expectDiagnostics, match } from "./gasl/match.mjs";
import { Script } from "./gasl/script.mjs";

const GRAPHS = { people, routes };
const NOW = "2026-01-02T03:04:05.000Z";

/** Runs a case; throws a CaseFailure at the first step that does not meet its expectation. */
export async function runGaslCase(written, { Graph, GaslSession }) {
  const test = expand(written);
  const modes = test.adapter === "both" ? [false, true] : [test.adapter !== undefined];
  for (const remote of modes) {
    try {
      await runOver(test, remote, { Graph, GaslSession });
    } catch (error) {
      if (!remote || !(error instanceof CaseFailure)) throw error;
      throw new CaseFailure(`over an adapter: ${error.message}`);
    }
  }
}

async function runOver(test, remote, { Graph, GaslSession }) {
  const source = typeof test.graph === "object" ? test.graph : GRAPHS[test.graph ?? "people"];
  const run = { Graph, GaslSession, remote, queries: [], hashes: new Map(), sessions: new Map() };
  run.imported = remote ? undefined : await read(source, Graph);
  const { answers } = Object(test.adapter);
  const serve = () => (answers ? respondingAdapter(answers) : adapterOf(source, run.queries));
  run.graph = run.imported ?? serve();
  run.script = new Script(test.model ?? []);
  run.options = {
    ...test.options,
    graph: run.graph,
    now: () => NOW,
    ...(test.model && { llm: (request) => run.script.reply(request) }),
  };
  // In a worker, the first call throws the error.
  const open = async () => await new GaslSession(run.options).state;
  if (test.constructorThrows) return await expectThrow(open, test);
  run.session = new GaslSession(run.options);
  run.script.act = (reply) => step(run, { ...reply, ...stepOfReply(reply) }, `in the callback`);
  for (const [index, each] of test.steps.entries()) {
    await step(run, each, `step ${index} ${show(each)}`);
    if (run.script.failure) throw run.script.failure;
  }
  run.script.expectUsed("at the end");
}

function read(source, Graph) {
  if (source.graphml) return Graph.fromGraphML(source.graphml);
  if (source.csv) return Graph.fromCsv(source.csv);
  return Graph.fromNodeLink(source);
}

/** Returns the action of a reply on the session as a step. */
function stepOfReply(reply) {
  const [name] = ["execute", "run", "remember"].filter((one) => Object.hasOwn(reply, `$${one}`));
  return { [name]: reply[`$${name}`] };
}

async function expectThrow(act, { constructorThrows: codes }) {
  let thrown;
  try {
    await act();
  } catch (error) {
    thrown = error;
  }
  expectTrue(thrown?.name === "GaslError", `threw ${thrown?.stack ?? thrown}`);
  expectHelp(thrown.diagnostics, "thrown");
  expectCodes(thrown.diagnostics.map(({ code }) => code).sort(), codes, "thrown");
}

async function step(run, each, what) {
  const action = Object.keys(ACTIONS).find((name) => Object.hasOwn(each, name));
  expectTrue(action !== undefined, `${what}: unknown action`);
  try {
    await ACTIONS[action](run, each, what);
  } catch (error) {
    if (error instanceof CaseFailure) throw error;
    throw new CaseFailure(`${what}: threw ${error?.stack ?? error}`);
  }
}

const ACTIONS = {
  execute: async (run, each, what) => {
    const { options } = abortOptions(run, each);
    const record = await run.session.execute(each.execute, { why: each.why ?? "", ...options });
    expectRecord(record, each.expect ?? {}, what);
  },
  /** Compares the ids of the nodes that match a condition. */
  where: async (run, each, what) => {
    const record = await run.session.execute(`FIND nodes WHERE ${each.where} AS found`);
    const status = each.ids.length > 0 ? "success" : "empty";
    expectRecord(record, { status, codes: each.codes ?? [] }, what);
    match(await run.session.variable("found"), { $column: { of: "id", is: each.ids } }, what);
  },
  /** Checks an assertion. */
  assert: async (run, each, what) => {
    const record = await run.session.execute(`ASSERT ${each.assert}`);
    expectRecord(record, { status: each.holds ? "success" : "error" }, what);
  },
  plan: async (run, { plan, id = "p", config, ...each }, what) => {
    const request = { plan_id: id, why: "because", commands: plan, ...(config && { config }) };
    await ACTIONS.run(run, { run: request, ...each }, what);
  },
  run: async (run, each, what) => {
    const { options, received } = abortOptions(run, each);
    const result = await run.session.run(each.run, options);
    expectSame(received, result.records, `${what}: records passed to onStep`);
    expectPlan(result, each.expect ?? {}, what);
  },
  solve: async (run, each, what) => {
    const { options } = abortOptions(run, each);
    const solved = await run.session.solve(each.solve, { ...each.options, ...options });
    expectSolved(solved, each.expect ?? {}, what);
  },
  check: async (run, each, what) => {
    const { ok, diagnostics } = await run.GaslSession.check(each.check);
    expectHelp(diagnostics, what);
    const expected = each.expect ?? {};
    const noExpectation = expected.codes === undefined && expected.help === undefined;
    expectSame(ok, expected.ok ?? noExpectation, `${what}: ok (${show(diagnostics)})`);
    if (noExpectation && ok) expectSame(diagnostics, [], `${what}: diagnostics`);
    if (expected.count) match(diagnostics.length, expected.count, `${what}: count`);
    expectDiagnostics(diagnostics, expected, what);
  },
  variable: async (run, each, what) => {
    match(await run.session.variable(each.variable), each.expect, what);
  },
  state: async (run, each, what) =>
    match(at(await run.session.state, each.state), each.expect, what),
  recording: async (run, each, what) => {
    match(at(await run.session.recording(), each.recording), each.expect, what);
  },
  evidence: async (run, each, what) =>
    match(await run.session.evidence(each.evidence), each.expect, what),
  snapshot: async (run, each, what) =>
    match(await run.session.snapshot(), { $part: each.snapshot }, what),
  snapshots: async (run, each, what) => match(await run.session.snapshots(), each.snapshots, what),
  /** Stores the current hash under a name. */
  remember: async (run, each) => {
    run.hashes.set(each.remember, (await run.session.snapshot()).hash);
  },
  sameHash: async (run, each, what) => {
    expectSame((await run.session.snapshot()).hash, run.hashes.get(each.sameHash), what);
  },
  otherHash: async (run, each, what) => {
    const { hash } = await run.session.snapshot();
    expectTrue(hash !== run.hashes.get(each.otherHash), `${what}: the same`);
  },
  /** Continues with a fork of the current state (null) or of a stored hash. */
  fork: async (run, each) => {
    if (each.from) run.sessions.set(each.from, run.session);
    const hash = each.fork === null ? undefined : run.hashes.get(each.fork);
    run.session = await run.session.fork(hash);
  },
  forkThrows: async (run, each, what) => {
    let thrown = false;
    try {
      await run.session.fork(each.forkThrows);
    } catch {
      thrown = true;
    }
    expectTrue(thrown, `${what}: did not throw`);
  },
  use: (run, each) => {
    run.session = run.sessions.get(each.use);
  },
  replay,
  /** Compares the requests to the model since the last such step. */
  asked: (run, each, what) => {
    const asked = run.script.asked.splice(0).map(({ signal, id, ...request }) => {
      expectTrue(typeof id === "string" && id.length > 0, `${what}: no id`);
      expectTrue(signal instanceof AbortSignal, `${what}: no signal`);
      expectTrue(!request.prompt.includes(NOW.slice(0, 10)), `${what}: a time in the prompt`);
      return request;
    });
    match(asked, each.asked, what);
  },
  /** Compares the queries to the adapter since the last such step, if there is an adapter. */
  queries: (run, each, what) => {
    if (run.remote) match(run.queries.splice(0), each.queries, what);
  },
  /** Compares the warnings of the import. */
  imported: (run, each, what) => {
    expectHelp(run.imported.diagnostics, what);
    expectCodes(run.imported.diagnostics.map(({ code }) => code).sort(), each.imported, what);
  },
};

/** Returns options that abort a step, and the list of records that `onStep` receives. */
function abortOptions(run, { abortAfterStep, abortOnAsk }) {
  const controller = new AbortController();
  const received = [];
  const asked = run.script.count;
  run.script.onAsk = (count) => {
    if (abortOnAsk !== undefined && count - asked === abortOnAsk) controller.abort();
  };
  const onStep = (record) => {
    received.push(record);
    if (received.length === abortAfterStep) controller.abort();
  };
  return { received, options: { signal: controller.signal, onStep } };
}

function expectRecord(record, expected, what) {
  const { codes, help, says, location, status, ...rest } =
    typeof expected === "string" ? { status: expected } : expected;
  const errors = record.errors ?? [];
  expectHelp(errors, what);
  expectTrue(Number.isInteger(record.step) && record.step > 0, `${what}: step ${record.step}`);
  expectSame([record.started_at, record.finished_at], [NOW, NOW], `${what}: times`);
  match(record.status, status ?? "success", `${what}: status (${show(errors)})`);
  expectDiagnostics(errors, { codes, help, says, location }, what);
  for (const [key, value] of Object.entries(rest)) {
    match(record[key], key === "metrics" ? { $part: value } : value, `${what}: ${key}`);
  }
}

function expectPlan(result, expected, what) {
  const { codes, help, says, location, status, records, ...rest } =
    typeof expected === "string" ? { status: expected } : expected;
  expectHelp(result.diagnostics, what);
  const shown = show([result.records.map(statusOf), result.diagnostics]);
  match(result.status, status ?? "completed", `${what}: status (${shown})`);
  expectDiagnostics(result.diagnostics, { codes, help, says, location }, what);
  if (records) {
    expectSame(result.records.length, records.length, `${what}: number of records (${shown})`);
    for (const [index, record] of records.entries()) {
      expectRecord(result.records[index], record, `${what}: record ${index}`);
    }
  }
  for (const record of result.records) expectHelp(record.errors ?? [], what);
  for (const [key, value] of Object.entries(rest)) match(result[key], value, `${what}: ${key}`);
}

function statusOf({ command, status, errors }) {
  return [command.slice(0, 60), status, errors?.map(({ code }) => code)];
}

function expectSolved(solved, expected, what) {
  const { codes, help, says, status, plans, ...rest } =
    typeof expected === "string" ? { status: expected } : expected;
  expectHelp(solved.diagnostics, what);
  const shown = show([solved.answer, solved.diagnostics, solved.plans.map(({ status }) => status)]);
  match(solved.status, status ?? "complete", `${what}: status (${shown})`);
  expectDiagnostics(solved.diagnostics, { codes, help, says }, what);
  if (plans) {
    expectSame(solved.plans.length, plans.length, `${what}: number of plans (${shown})`);
    for (const [index, plan] of plans.entries()) {
      expectPlan(solved.plans[index], plan, `${what}: plan ${index}`);
    }
  }
  for (const [key, value] of Object.entries(rest)) match(solved[key], value, `${what}: ${key}`);
}

/** Checks that each diagnostic has a one-line message, a severity, and help if it is an error. */
function expectHelp(diagnostics, what) {
  expectTrue(Array.isArray(diagnostics), `${what}: diagnostics is not a list`);
  for (const diagnostic of diagnostics) {
    const { code, severity, message, help } = diagnostic;
    expectTrue(/^[A-Z]+\d{3}$/.test(code), `${what}: code ${show(diagnostic)}`);
    expectTrue(["error", "warning", "info"].includes(severity), `${what}: ${show(diagnostic)}`);
    expectTrue(message.length > 0 && !message.includes("\n"), `${what}: ${show(diagnostic)}`);
    if (severity === "error") expectTrue(help?.length > 0, `${what}: no help ${show(diagnostic)}`);
  }
}

/** Replays the recording, which must not call the model: it ends in the same state, or throws. */
async function replay(run, each, what) {
  const recording = await run.session.recording();
  for (const [pointer, value] of Object.entries(each.change ?? {})) put(recording, pointer, value);
  const graph = each.graph ? await run.Graph.fromNodeLink(GRAPHS[each.graph]) : run.graph;
  const before = run.script.count;
  let replayed;
  try {
    replayed = await run.GaslSession.replay(recording, { graph, strict: each.replay === "strict" });
  } catch (error) {
    expectTrue(error.name === "GaslError", `${what}: threw ${error?.stack ?? error}`);
    expectTrue(each.throws !== undefined, `${what}: ${show(error.diagnostics)}`);
    expectHelp(error.diagnostics, what);
    expectCodes([...new Set(error.diagnostics.map(({ code }) => code))].sort(), each.throws, what);
    return;
  } finally {
    expectSame(run.script.count, before, `${what}: the model was called`);
  }
  expectTrue(each.throws === undefined, `${what}: did not throw`);
  const { hash: ended } = await replayed.snapshot();
  const { hash } = await run.session.snapshot();
  if (each.other) expectTrue(ended !== hash, `${what}: the same hash`);
  else expectSame(ended, hash, `${what}: hash`);
  if (each.as) run.sessions.set(each.as, replayed);
}

function put(value, pointer, change) {
  const steps = pointer.split("/").slice(1);
  const last = steps.pop();
  const target = steps.reduce((found, one) => found[one], value);
  if (change?.$missing) delete target[last];
  else target[last] = change;
}
