// Runs the data of tests/cases/flow through the facade, in Node and in a browser;
// tests/flow_cases.rs runs it over the core. tests/README.md says how a case is written.

import usual from "./cases/flow/registries/usual.json" with { type: "json" };
import { CaseFailure, expectTrue, expectWellFormed, show, sorted } from "./compare.mjs";
import { expand, match } from "./gasl/match.mjs";

const REGISTRIES = { usual };

const registryOf = ({ registry = {} }) =>
  typeof registry === "string" ? REGISTRIES[registry] : registry;

/** Throws a CaseFailure where anything is not as the case says. */
export async function runFlowCase(written, api) {
  const test = expand(written);
  for (const { what, actual, expected } of await observe(test, api)) match(actual, expected, what);
}

/** Writes what there is into what a case expects, where that is not a form. */
export async function blessFlowCase(written, api) {
  for (const { actual, of, key } of await observe(written, api)) {
    const isForm = Object.keys(Object(of[key])).some((name) => name.startsWith("$"));
    if (!isForm) of[key] = actual;
  }
}

/** For everything that a case expects, what there is: `{what, actual, expected, of, key}`. */
async function observe(test, api) {
  const seen = [];
  const look = (of, actuals, where) => {
    for (const key of Object.keys(of)) {
      expectTrue(Object.hasOwn(actuals, key), `${where}: nothing is called ${key}`);
      const actual = actuals[key]();
      seen.push({ what: `${where}${key}`, actual, expected: of[key], of, key });
    }
  };
  const given = [test.workflow ?? test.text, registryOf(test)];
  const { context: shown, ...options } = planned(test, api);
  look(test.expect ?? {}, aspects(given, options, shown, api), "");
  for (const [index, each] of (test.templates ?? []).entries()) {
    const { value, diagnostics } = api.resolveTemplate(
      each.template,
      each.scope ?? test.scope ?? {},
    );
    expectWellFormed(diagnostics, `template ${index}`);
    const told = { value: () => value, ...toldOf(diagnostics) };
    look(each.expect, told, `template ${index} ${show(each.template)}: `);
  }
  if (!test.runs) return seen;
  const compiled = api.compileFlow(...given, shown ? { ...options, context: shown } : options);
  expectTrue(compiled.ok, `does not compile: ${show(compiled.diagnostics)}`);
  let trace;
  for (const [index, run] of test.runs.entries()) {
    const actuals = await runOnce(compiled.flow, test, run, trace);
    trace = actuals.trace();
    look(run.expect, actuals, `run ${index}: `);
  }
  return seen;
}

/** The options, with the context of what the planner was shown. */
function planned({ options = {}, plan }, { buildContext }) {
  if (!plan) return options;
  const context = buildContext(plan.workflow, registryOf(plan), options);
  return { ...options, context: JSON.parse(JSON.stringify(context)) };
}

/** What can be expected of a workflow. */
function aspects([workflow, registry], options, shown, api) {
  const compile = () => {
    const all = shown ? { ...options, context: shown } : options;
    const compiled = api.compileFlow(workflow, registry, all);
    expectWellFormed(compiled.diagnostics, "compile");
    return compiled;
  };
  const context = () => api.buildContext(workflow, registry, options);
  const told = (name) => toldOf(compile().diagnostics)[name]();
  return {
    assigned: () => api.assignIds(workflow, registry),
    collisions: () => api.detectCollisions(workflow, registry, options),
    mappings: () => api.generateMappings(workflow, registry, options),
    markdown: () => context().markdown,
    nodes: () => context().nodes,
    compiles: () => compile().ok,
    compiled: () => mappingsOf(compile().flow.toJSON()),
    diagnostics: () => told("diagnostics"),
    says: () => told("says"),
    help: () => told("help"),
    json: () => compile().flow.toJSON(),
    mermaid: () => compile().flow.toMermaid(),
  };
}

/** The mappings in an export, as `generateMappings` has them. */
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

/** Diagnostics as `CODE /pointer`, and their texts. */
function toldOf(diagnostics) {
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
    ...(run.inputs && { inputs: run.inputs }),
    ...(run.concurrency !== undefined && { concurrency: run.concurrency }),
    ...(run.maxSteps !== undefined && { maxSteps: run.maxSteps }),
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
    ...toldOf(result.diagnostics),
  };
}

const passed = (node, pass) => (pass > 1 ? `${node}#${pass}` : node);

function eventName({ kind, node, pass, item }) {
  return `${kind} ${passed(node, pass)}${item === null ? "" : `[${item}]`}`;
}

/** Answers calls from the data of a case. */
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
    // Whoever begins later ends sooner, where several are at work.
    await new Promise((done) => setTimeout(done, 6 - Math.min(this.calls.length, 6)));
    const { action, ...outputs } = answer;
    const all = { ...standard(this.#node(id), this.registry), ...outputs };
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

/** What a node answers that the script says nothing of: `id key` for each declared output. */
function standard(node, registry) {
  const outputs = node.outputs ?? registry[node.type]?.outputs ?? [];
  const keys = outputs.map((output) => output.key ?? output);
  return Object.fromEntries(keys.map((key) => [key, `${node.id} ${key}`]));
}
