// Runs the cases of tests/cases/flow through the facade, in Node and in a browser, also in a
// worker. The file tests/flow_cases.rs runs them against the core; tests/README.md describes their
// format.

import usual from "./cases/flow/registries/usual.json" with { type: "json" };
import { CaseFailure, expectTrue, expectWellFormed, show, sorted } from "./compare.mjs";
import { expand, match } from "./gasl/match.mjs";

const REGISTRIES = { usual };

const registryOf = ({ registry = {} }) =>
  typeof registry === "string" ? REGISTRIES[registry] : registry;

/** Runs a case; throws a CaseFailure if it does not meet an expectation. */
export async function runFlowCase(written, api) {
  const test = expand(written);
  for (const { what, actual, expected } of await observe(test, api)) match(actual, expected, what);
}

/** Replaces the expectations of a case by the actual values, except forms. */
export async function blessFlowCase(written, api) {
  for (const { actual, of, key } of await observe(written, api)) {
    const isForm = Object.keys(Object(of[key])).some((name) => name.startsWith("$"));
    if (!isForm) of[key] = actual;
  }
}

/** Returns each expectation with its actual value: `{what, actual, expected, of, key}`. */
async function observe(test, api) {
  const results = [];
  const compare = async (of, actuals, where) => {
    for (const key of Object.keys(of)) {
      expectTrue(Object.hasOwn(actuals, key), `${where}: unknown expectation ${key}`);
      const actual = await actuals[key]();
      results.push({ what: `${where}${key}`, actual, expected: of[key], of, key });
    }
  };
  const given = [test.workflow ?? test.text, registryOf(test)];
  const { context: shown, ...options } = planOptions(test, api);
  await compare(test.expect ?? {}, aspects(given, options, shown, api), "");
  for (const [index, each] of (test.templates ?? []).entries()) {
    const { value, diagnostics } = api.resolveTemplate(
      each.template,
      each.scope ?? test.scope ?? {},
    );
    expectWellFormed(diagnostics, `template ${index}`);
    const actuals = { value: () => value, ...diagnosticAspects(diagnostics) };
    await compare(each.expect, actuals, `template ${index} ${show(each.template)}: `);
  }
  if (!test.runs) return results;
  const planned = shown ? { ...options, context: shown } : options;
  const compiled = await api.compileFlow(...given, planned);
  expectTrue(compiled.ok, `does not compile: ${show(compiled.diagnostics)}`);
  let trace;
  for (const [index, run] of test.runs.entries()) {
    const actuals = await runOnce(compiled.flow, test, run, trace);
    trace = actuals.trace();
    await compare(run.expect, actuals, `run ${index}: `);
  }
  return results;
}

/** Returns the options, with the context that the planner received. */
function planOptions({ options = {}, plan }, { buildContext }) {
  if (!plan) return options;
  const context = buildContext(plan.workflow, registryOf(plan), options);
  return { ...options, context: JSON.parse(JSON.stringify(context)) };
}

/** Returns a function for each aspect of a workflow that a case can expect. */
function aspects([workflow, registry], options, shown, api) {
  const compile = async () => {
    const all = shown ? { ...options, context: shown } : options;
    const compiled = await api.compileFlow(workflow, registry, all);
    expectWellFormed(compiled.diagnostics, "compile");
    return compiled;
  };
  const context = () => api.buildContext(workflow, registry, options);
  const texts = async (name) => diagnosticAspects((await compile()).diagnostics)[name]();
  return {
    assigned: () => api.assignIds(workflow, registry),
    collisions: () => api.detectCollisions(workflow, registry, options),
    mappings: () => api.generateMappings(workflow, registry, options),
    markdown: () => context().markdown,
    nodes: () => context().nodes,
    compiles: async () => (await compile()).ok,
    compiled: async () => mappingsOf(await (await compile()).flow.toJSON()),
    diagnostics: () => texts("diagnostics"),
    says: () => texts("says"),
    help: () => texts("help"),
    json: async () => (await compile()).flow.toJSON(),
    mermaid: async () => (await compile()).flow.toMermaid(),
  };
}

/** Returns the mappings of an export in the format of `generateMappings`. */
function mappingsOf({ nodes }) {
  const mapped = {};
  for (const node of nodes) {
    const parts = ["output_mappings", "input_mappings", "output_aliases"];
    const own = parts.filter((part) => Object.hasOwn(node, part));
    if (own.length > 0) {
      mapped[node.id] = Object.fromEntries(own.map((part) => [part, node[part]]));
    }
  }
  return mapped;
}

/** Returns functions for the diagnostics as `CODE /pointer`, their messages and their help. */
function diagnosticAspects(diagnostics) {
  const place = ({ location }) =>
    location === null || location === undefined
      ? ""
      : ` ${location.kind === "pointer" ? location.pointer : `${location.start}-${location.end}`}`;
  return {
    diagnostics: () => sorted(diagnostics.map((one) => `${one.code}${place(one)}`)),
    says: () => diagnostics.map(({ message }) => message).join("\n"),
    help: () => diagnostics.map(({ help }) => help ?? "").join("\n"),
  };
}

async function runOnce(flow, test, run, trace) {
  const workflow = test.workflow ?? JSON.parse(test.text);
  const host = new Host(workflow, registryOf(test), run.script ?? {});
  const events = [];
  const result = await flow.run({
    nodes: host.callbacks(),
    signal: host.stop.signal,
    onEvent: (event) => events.push(event),
    // The core alone waits for all running calls, too.
    graceMs: 200,
    ...(run.inputs && { inputs: run.inputs }),
    ...(run.concurrency !== undefined && { concurrency: run.concurrency }),
    ...(run.maxSteps !== undefined && { maxSteps: run.maxSteps }),
    ...(run.maxBytes !== undefined && { maxBytes: run.maxBytes }),
    ...(run.resume && { resume: JSON.parse(JSON.stringify(trace)) }),
  });
  expectWellFormed(result.diagnostics, "run");
  host.expectUsed();
  return {
    status: () => result.status,
    outputs: () => result.outputs,
    store: () => result.store,
    calls: () => host.calls,
    trace: () => result.trace,
    steps: () =>
      result.trace.steps.map(({ node, pass, status }) => `${passed(node, pass)} ${status}`),
    events: () => events.map((event) => eventName(event)),
    shown: () => JSON.stringify([events, result.trace, result.diagnostics]),
    ...diagnosticAspects(result.diagnostics),
  };
}

const passed = (node, pass) => (pass > 1 ? `${node}#${pass}` : node);

function eventName({ kind, node, pass, index }) {
  return `${kind} ${passed(node, pass)}${index === null ? "" : `[${index}]`}`;
}

/** Host that responds from the data of a case. */
class Host {
  calls = [];
  stop = new AbortController();
  #counts = new Map();

  constructor(workflow, registry, script) {
    this.workflow = workflow;
    this.registry = registry;
    this.script = script;
  }

  callbacks() {
    const types = this.workflow.nodes.map(({ type }) => type);
    return Object.fromEntries(types.map((type) => [type, (call) => this.#answer(call)]));
  }

  async #answer({ id, inputs, params, attempt }) {
    const bare = Object.keys(params).length === 0;
    this.calls.push([attempt > 1 ? `${id} again` : id, inputs, ...(bare ? [] : [params])]);
    const count = this.#counts.get(id) ?? 0;
    this.#counts.set(id, count + 1);
    const answers = [this.script[id] ?? {}].flat();
    const answer = answers[Math.min(count, answers.length - 1)];
    if (answer.$throw !== undefined) throw new Error(answer.$throw);
    if (answer.$abort) this.stop.abort(new Error("enough"));
    if (answer.$hang || answer.$abort) return new Promise(() => {});
    if (answer.$return !== undefined) return answer.$return;
    // Of concurrent calls, the last one responds first.
    await new Promise((done) => setTimeout(done, 6 - Math.min(this.calls.length, 6)));
    const { action, ...outputs } = answer;
    const all = { ...defaultOutputs(this.#node(id), this.registry), ...outputs };
    for (const [key, value] of Object.entries(outputs)) if (value?.$leave) delete all[key];
    return { outputs: all, ...(action !== undefined && { action }) };
  }

  #node(id) {
    return this.workflow.nodes.find((node) => node.id === id);
  }

  expectUsed() {
    for (const [id, script] of Object.entries(this.script)) {
      const count = this.#counts.get(id) ?? 0;
      if (!Array.isArray(script) || count >= script.length) continue;
      throw new CaseFailure(`${id} was called ${count} times, not ${script.length}`);
    }
  }
}

/** Returns the default outputs of a node: `id key` for each declared output. */
function defaultOutputs(node, registry) {
  const outputs = node.outputs ?? registry[node.type]?.outputs ?? [];
  const keys = outputs.map((output) => output.key ?? output);
  return Object.fromEntries(keys.map((key) => [key, `${node.id} ${key}`]));
}
