// Random workflows with error edges, batches and workflows inside of nodes, which are interrupted
// at every call, suspended and resumed. The results are those of the interpreter, and no finished
// call is made twice.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";
import { subflow, suspend } from "byname/flow";
import { answerOfScript, inputsWithoutItem } from "../flow/answers.mjs";
import { interpret, nameOutputs, portsOf } from "../flow/reference.mjs";
import { randomWorkflow, SHAPES } from "../flow/workflows.mjs";
import { Random } from "../random/random.mjs";

await init();

const MANY = Number(process.env.FLOW_CASES ?? 15);
/** A run is interrupted at every call; without `BYNAME_FULL` at every second one, the even or the odd ones by its seed. */
const STEP = process.env.BYNAME_FULL ? 1 : 2;
const copy = (value) => JSON.parse(JSON.stringify(value));

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: a resumed run equals an uninterrupted one`, async (t) => {
    const counts = { ran: 0, resumed: 0, answers: 0, children: 0 };
    for (let seed = 1; seed <= MANY; seed += 1) {
      const generated = randomWorkflow(seed, shape);
      const { workflow, registry, given } = generated;
      if (nameOutputs(workflow, registry).conflict) continue;
      const compiled = compileFlow(workflow, registry);
      if (!compiled.ok) continue;
      try {
        await check(new Interrupted(seed, generated, compiled.flow, counts));
      } catch (error) {
        error.message += `\nseed ${seed}: ${JSON.stringify({ workflow, registry, given })}`;
        throw error;
      }
      counts.ran += 1;
      compiled.flow[Symbol.dispose]();
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(counts.ran > MANY / 6 && counts.resumed > counts.ran && counts.answers > 0);
  });
}

async function check(interrupted) {
  const expected = interpret(
    interrupted.generated.workflow,
    interrupted.generated.registry,
    interrupted.generated,
  );
  const first = interrupted.seed % STEP;
  for (const concurrency of [1, 4]) {
    const traces = [];
    const whole = await interrupted.runToEnd({ concurrency, traces });
    interrupted.compare(whole, expected, `concurrency ${concurrency}`);
    const count = Math.min(whole.calls.length, 12);
    for (let cut = first; cut < count; cut += STEP) {
      const what = `cut after ${cut}, concurrency ${concurrency}`;
      interrupted.compare(await interrupted.runToEnd({ concurrency, cut }), expected, what);
    }
    // Calls with a changed input run again, and no old value remains.
    const changed = Object.fromEntries(
      Object.entries(interrupted.generated.given).map(([key, value]) => [key, [value, "changed"]]),
    );
    const generated = { ...interrupted.generated, given: changed };
    const other = interpret(generated.workflow, generated.registry, generated);
    for (let cut = first; cut < count; cut += STEP) {
      const what = `inputs changed after ${cut}, concurrency ${concurrency}`;
      interrupted.compare(await interrupted.runToEnd({ concurrency, cut, changed }), other, what);
    }
    // A process can end after any stored trace.
    for (const [at, trace] of traces.entries()) {
      if (at % 3 !== 0) continue;
      const what = `checkpoint ${at}, concurrency ${concurrency}`;
      interrupted.compare(
        await interrupted.runToEnd({ concurrency, resume: trace }),
        expected,
        what,
      );
    }
  }
}

/** A random workflow whose nodes are interrupted, suspended, or run by another workflow. */
class Interrupted {
  constructor(seed, generated, flow, counts) {
    this.seed = seed;
    this.generated = generated;
    this.flow = flow;
    this.counts = counts;
    this.children = new Map();
  }

  /** Reports whether a call is suspended before it responds; not every node is. */
  isSuspended({ id, pass, index, resumed }) {
    const chance = new Random(this.seed * 31 + pass * 7 + Number(id.slice(1)));
    return index === null && resumed === undefined && chance.chance(0.2);
  }

  /** Runs until the end; answers the suspended nodes, and resumes once after `cut` calls. */
  async runToEnd({ concurrency, cut, resume, traces, changed }) {
    const record = { calls: [], reads: {}, finished: new Set(), repeated: [] };
    const nodes = this.nodes(record, () => stop?.());
    let trace = resume;
    let answers;
    let stop;
    let inputs = this.generated.given;
    this.left = cut ?? Number.POSITIVE_INFINITY;
    for (let round = 0; round < 60; round += 1) {
      const abort = new AbortController();
      stop = () => abort.abort(new Error("power cut"));
      const events = [];
      const result = await this.flow.run({
        nodes,
        inputs,
        concurrency,
        signal: abort.signal,
        onEvent: (event) => event.kind === "finished" && events.push(event),
        ...(trace !== undefined && { resume: copy(trace) }),
        ...(answers && { answers }),
        ...(traces && { onCheckpoint: async (stored) => void traces.push(copy(stored)) }),
      });
      for (const { node, pass, index } of events) record.finished.add(`${node}#${pass}#${index}`);
      trace = result.trace;
      answers = undefined;
      if (result.status === "cancelled") {
        this.left = Number.POSITIVE_INFINITY;
        this.counts.resumed += 1;
        if (changed) {
          inputs = changed;
          record.finished.clear();
        }
        continue;
      }
      if (result.status !== "paused")
        return { ...record, result, isComplete: resume === undefined };
      this.counts.answers += result.waiting.length;
      answers = Object.fromEntries(
        result.waiting.map(({ node, payload }) => [node, `to ${payload}`]),
      );
    }
    throw new Error("the run did not end");
  }

  nodes(record, stop) {
    const { workflow } = this.generated;
    const own = new Random(this.seed);
    const callback = async (call) => {
      const { id, pass, index, params } = call;
      const key = `${id}#${pass}#${index}`;
      if (this.left <= 0) {
        stop();
        return new Promise(() => {});
      }
      if (this.isSuspended(call)) return suspend(key);
      if (call.resumed !== undefined) assert.equal(call.resumed, `to ${key}`);
      if (record.finished.has(key)) record.repeated.push(key);
      this.left -= 1;
      record.calls.push(key);
      const { action } = this.generated.script(id, pass);
      record.reads[`${id}#${pass}`] = { params, inputs: inputsWithoutItem(call), action };
      for (let ticks = own.below(3); ticks > 0; ticks -= 1) await new Promise(setImmediate);
      return answerOfScript(this.generated, call);
    };
    const wrapped = (call) => (this.isChild(call) ? this.child(callback, call) : callback(call));
    return Object.fromEntries(workflow.nodes.map(({ type }) => [type, wrapped]));
  }

  /** Reports whether a workflow runs a node: one that has no actions of its own. */
  isChild({ id, pass, index }) {
    const { action } = this.generated.script(id, pass);
    return index === null && action === "default" && (Number(id.slice(1)) + this.seed) % 4 === 0;
  }

  /** Runs a node in a workflow of two nodes, the last of which makes the call. */
  child(callback, call) {
    this.counts.children += 1;
    const node = this.generated.workflow.nodes.find(({ id }) => id === call.id);
    if (!this.children.has(call.id)) {
      const { inputs, outputs } = portsOf(node, this.generated.registry);
      const names = [...new Set([...inputs, "prompt"])];
      const compiled = compileFlow(
        {
          inputs: Object.fromEntries(names.map((key) => [key, {}])),
          nodes: [
            { id: "first", type: "first", inputs: [], outputs: ["ready"] },
            { id: "last", type: "last", inputs: ["ready", ...names], outputs },
          ],
          outputs: Object.fromEntries(outputs.map(({ key }) => [key, `\${out_${key}}`])),
          mappings: {
            last: {
              output_mappings: Object.fromEntries(outputs.map(({ key }) => [key, `out_${key}`])),
            },
          },
        },
        {},
      );
      this.children.set(call.id, compiled.flow);
    }
    const nodes = {
      first: () => ({ outputs: { ready: true } }),
      last: ({ resumed }) => callback({ ...call, ...(resumed !== undefined && { resumed }) }),
    };
    return subflow(this.children.get(call.id), { nodes })(call);
  }

  compare({ reads, repeated, result, isComplete }, expected, what) {
    const text = `${what}: ${JSON.stringify(result.diagnostics)}`;
    assert.equal(result.status, "completed", text);
    assert.deepEqual(result.outputs, expected.outputs, text);
    for (const [step, read] of Object.entries(reads)) {
      assert.deepEqual(read, expected.reads[step], `${text}: ${step}`);
    }
    assert.deepEqual(repeated, [], `${text}: repeated`);
    if (isComplete) assert.deepEqual(Object.keys(reads).sort(), Object.keys(expected.reads).sort());
  }
}
