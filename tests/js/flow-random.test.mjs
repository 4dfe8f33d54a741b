// Random workflows, compared with an interpreter that runs them sequentially over one flat store:
// every read, every output and every action must be equal.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, generateMappings, init } from "byname";
import { answerOfScript, inputsWithoutItem } from "../flow/answers.mjs";
import { ambiguous, hasShortcut, interpret, nameOutputs, portsOf } from "../flow/reference.mjs";
import { randomWorkflow, SHAPES } from "../flow/workflows.mjs";
import { Random } from "../random/random.mjs";

await init();

const MANY = Number(process.env.FLOW_CASES ?? (process.env.BYNAME_FULL ? 400 : 200));

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: reads only values that one flat store would have`, async (t) => {
    const counts = { ran: 0, ambiguous: 0, conflicts: 0, reads: 0 };
    for (let seed = 1; seed <= MANY; seed += 1) {
      const generated = randomWorkflow(seed, shape);
      try {
        await check(generated, shape, counts);
      } catch (error) {
        const { workflow, registry, given } = generated;
        error.message += `\nseed ${seed}: ${JSON.stringify({ workflow, registry, given })}`;
        throw error;
      }
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(counts.ran > MANY / 4, `${counts.ran} of ${MANY} could be run`);
  });
}

async function check(generated, shape, counts) {
  const { workflow, registry, plainReads } = generated;
  const { names, conflict } = nameOutputs(workflow, registry);
  const compiled = compileFlow(workflow, registry);
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  const codes = [...new Set(errors.map(({ code }) => code))];
  if (conflict) {
    counts.conflicts += 1;
    assert.ok(!compiled.ok && codes.some((code) => ["FLOW023", "FLOW024"].includes(code)));
    return;
  }
  if (shape.forks && !shape.branches && !shape.back && !shape.errors) {
    const ambiguousReads = ambiguous(workflow, registry, plainReads);
    // With a shortcut, a value may seem available that another branch has overwritten.
    const expected = ambiguousReads.length === 0 && (compiled.ok || !hasShortcut(workflow));
    assert.equal(compiled.ok, expected, `${ambiguousReads} ${JSON.stringify(errors)}`);
  }
  if (!compiled.ok) {
    counts.ambiguous += 1;
    assert.deepEqual(codes, ["FLOW025"], JSON.stringify(errors));
    assert.ok(shape.forks, JSON.stringify(errors));
    return;
  }
  counts.ran += 1;
  const expected = interpret(workflow, registry, generated);
  const mappings = generateMappings(workflow, registry);
  compareNames(workflow, mappings, names);
  compareMapped(generated, mappings, expected);
  await compareAgain(generated, mappings, expected);
  for (const concurrency of [1, 8]) {
    const { reads, result } = await run(compiled.flow, generated, concurrency);
    const what = `concurrency ${concurrency}`;
    assert.deepEqual(reads, expected.reads, what);
    assert.deepEqual(result.outputs, expected.outputs, what);
    assert.equal(result.status, "completed", what);
    counts.reads += Object.keys(reads).length;
  }
  compiled.flow[Symbol.dispose]();
}

/**
 * Asserts that the names follow rules 4 to 7, and that only the author's outputs are mapped
 * besides.
 */
function compareNames(workflow, mappings, names) {
  for (const { id } of workflow.nodes) {
    const written = workflow.mappings?.[id]?.output_mappings ?? {};
    const expected = Object.entries(names[id]).filter(
      ([key, name]) => key !== name || Object.hasOwn(written, key),
    );
    assert.deepEqual(mappings[id]?.output_mappings ?? {}, Object.fromEntries(expected), id);
  }
}

/**
 * Asserts that the mappings alone, executed by another program, keep every input from the store.
 */
function compareMapped(generated, mappings, expected) {
  const { workflow, registry } = generated;
  const { reads } = interpret(workflow, registry, { ...generated, mappings });
  assert.deepEqual(Object.keys(reads), Object.keys(expected.reads));
  for (const [step, { inputs }] of Object.entries(reads)) {
    const node = workflow.nodes.find(({ id }) => id === step.split("#")[0]);
    for (const key of portsOf(node, registry).inputs) {
      if (Object.hasOwn(node.params ?? {}, key)) continue;
      assert.deepEqual(inputs[key], expected.reads[step].inputs[key], `${step} ${key}, mapped`);
    }
  }
}

/** Asserts that generated mappings in the workflow do not change any read. */
async function compareAgain(generated, mappings, expected) {
  const { workflow, registry } = generated;
  const again = compileFlow({ ...workflow, mappings }, registry);
  const errors = again.diagnostics.filter(({ severity }) => severity === "error");
  assert.ok(again.ok, `mapped again: ${JSON.stringify(errors)}`);
  const { reads, result } = await run(again.flow, generated, 1);
  assert.deepEqual(reads, expected.reads, "mapped again");
  assert.deepEqual(result.outputs, expected.outputs, "mapped again");
  again.flow[Symbol.dispose]();
}

async function run(flow, generated, concurrency) {
  const { workflow, given, script } = generated;
  const random = new Random(concurrency);
  const reads = {};
  const callback = async (call) => {
    const { id, pass, params } = call;
    const { action } = script(id, pass);
    reads[`${id}#${pass}`] = { params, inputs: inputsWithoutItem(call), action };
    for (let ticks = random.below(3); ticks > 0; ticks -= 1) await new Promise(setImmediate);
    return answerOfScript(generated, call);
  };
  const nodes = Object.fromEntries(workflow.nodes.map(({ type }) => [type, callback]));
  const result = await flow.run({ nodes, inputs: given, concurrency });
  return { reads, result };
}
