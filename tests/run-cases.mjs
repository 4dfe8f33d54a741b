// Runs tests/cases with the same code in Node, in a browser and against the reference model.
// A HAM case is {name, options?, constructorThrows?, steps}; one key of a step names its action.

import {
  CaseFailure,
  codesOf,
  expectCodes,
  expectSame,
  expectTrue,
  expectWellFormed,
  show,
  sorted,
} from "./compare.mjs";

export { runSurfaceCase } from "./run-surface-case.mjs";

/** Runs a case; throws a CaseFailure at the first step that does not meet its expectation. */
export function runHamCase(test, { HamStore }) {
  if (test.constructorThrows) return expectConstructorThrows(test, HamStore);
  const run = {
    HamStore,
    options: test.options,
    store: test.from === undefined ? new HamStore(test.options) : fromJson(test, HamStore),
    streams: new Map(),
    calls: new Map(),
    listeners: new Map(),
  };
  test.steps.forEach((step, index) => {
    const action = Object.keys(ACTIONS).find((name) => Object.hasOwn(step, name));
    const what = `step ${index} ${show(step)}`;
    expectTrue(action !== undefined, `${what}: no known action`);
    try {
      ACTIONS[action](run, step, what);
    } catch (error) {
      if (error instanceof CaseFailure) throw error;
      throw new CaseFailure(`${what}: threw ${error?.stack ?? error}`);
    }
  });
}

function fromJson(test, HamStore) {
  return HamStore.from(test.from, test.options);
}

function expectConstructorThrows(test, HamStore) {
  let thrown = false;
  try {
    new HamStore(test.options);
  } catch {
    thrown = true;
  }
  expectTrue(thrown, `new HamStore(${show(test.options)}) did not throw`);
}

const ACTIONS = {
  apply: (run, step, what) => update(run, step, what, () => run.store.apply(step.apply)),
  applyText: (run, step, what) => update(run, step, what, () => run.store.apply(step.applyText)),
  applyBytes: (run, step, what) =>
    update(run, step, what, () => run.store.apply(Uint8Array.from(step.applyBytes))),
  stream: runStream,
  get: (run, step, what) => {
    const value = run.store.get(step.get);
    expectSame(value, step.expect?.$undefined ? undefined : step.expect, what);
  },
  has: (run, step, what) => expectSame(run.store.has(step.has), step.expect, what),
  read: (run, step, what) =>
    expectReading(run.store.read(step.read, contextOf(run, step.in, what)), step.expect, what),
  children: (run, step, what) => {
    const items = run.store.children(step.children, contextOf(run, step.in, what));
    expectSame(
      items.map((item) => item.key),
      step.expect,
      what,
    );
  },
  write: (run, step, what) => {
    const context = contextOf(run, step.in, what);
    update(run, step, what, () => run.store.write(step.write, step.value, context));
  },
  undo: (run, step, what) => expectSame(run.store.undo(), step.expect, what),
  redo: (run, step, what) => expectSame(run.store.redo(), step.expect, what),
  toJSON: (run, step, what) => {
    const value = step.toJSON === null ? run.store.toJSON() : run.store.toJSON(step.toJSON);
    expectSame(value, step.expect, what);
  },
  toJSONThrows: (run, step, what) => {
    let thrown = null;
    try {
      run.store.toJSON(step.toJSONThrows);
    } catch (error) {
      thrown = error;
    }
    expectTrue(thrown instanceof Error, `${what}: did not throw`);
  },
  export: (run, step, what) => expectSame(run.store.export(), step.expect, what),
  roundTrip: roundTrip,
  diff: (run, step, what) => expectSame(run.store.diff(step.diff), step.expect, what),
  diffApply: (run, step, what) => {
    const result = run.store.apply(run.store.diff(step.diffApply));
    expectTrue(result.ok, `${what}: ${show(result.diagnostics)}`);
    expectSame(run.store.toJSON(), step.diffApply, what);
    expectSame(run.store.diff(step.diffApply), {}, `${what}: the second diff`);
  },
  diffStore: (run, step, what) => {
    const target = new run.HamStore(run.options);
    expectTrue(target.apply(step.diffStore).ok, `${what}: the target`);
    expectSame(run.store.diff(target), step.expect, what);
    expectTrue(run.store.apply(run.store.diff(target)).ok, `${what}: applying the diff`);
    expectSame(run.store.export(), target.export(), what);
  },
  orphans: (run, step, what) => expectSame(sorted(run.store.orphans()), step.orphans, what),
  check: (run, step, what) => {
    const found = run.store.check();
    expectWellFormed(found, what);
    expectCodes(codesOf(found), step.check, what);
  },
  subscribe: (run, step, what) => {
    const calls = [];
    const listener = (reading) => {
      expectWellFormed(reading.diagnostics, what);
      calls.push(reading);
    };
    const context = contextOf(run, step.in, what);
    run.calls.set(step.as, calls);
    run.listeners.set(step.as, run.store.subscribe(step.subscribe, listener, context));
    expectSame(calls.length, 0, `${what}: called on subscribing`);
  },
  unsubscribe: (run, step) => run.listeners.get(step.unsubscribe)(),
  calls: (run, step, what) => {
    for (const [name, expected] of Object.entries(step.calls)) {
      const calls = run.calls.get(name).splice(0);
      expectSame(calls.length, expected.length, `${what}: number of calls of ${name}`);
      for (const [at, call] of calls.entries()) {
        expectReading(call, expected[at], `${what}: ${name}[${at}]`);
      }
    }
  },
};

/** Walks from the top context down, one item key at a time. */
function contextOf(run, path, what) {
  let context;
  for (const [binding, key] of path ?? []) {
    const items = run.store.children({ binding, template: "t" }, context);
    const item = items.find((each) => each.key === key);
    expectTrue(item !== undefined, `${what}: no item ${key} in ${show(items.map((i) => i.key))}`);
    context = item.context;
  }
  return context;
}

function update(run, step, what, act) {
  const before = run.store.export();
  const counts = new Map([...run.calls].map(([name, calls]) => [name, calls.length]));
  const result = act();
  expectWellFormed(result.diagnostics, what);
  if (!result.ok) {
    expectTrue(
      result.diagnostics.some((d) => d.severity === "error"),
      `${what}: no error named`,
    );
    expectSame(run.store.export(), before, `${what}: an error changed the document`);
    for (const [name, calls] of run.calls) {
      expectSame(calls.length, counts.get(name), `${what}: an error notified ${name}`);
    }
  }
  expectResult(result, step.expect ?? { ok: true }, what);
}

function expectResult(result, expected, what) {
  expectSame(result.ok, expected.ok ?? true, `${what}: ok (${show(result.diagnostics)})`);
  for (const name of ["changed", "deleted"]) {
    if (expected[name])
      expectSame(sorted(result[name]), sorted(expected[name]), `${what}: ${name}`);
  }
  if (expected.inverse) expectSame(result.inverse, expected.inverse, `${what}: inverse`);
  if (expected.codes) expectCodes(codesOf(result.diagnostics), expected.codes, what);
  const first = result.diagnostics[0];
  for (const [name, value] of Object.entries(expected.location ?? {})) {
    expectSame(first?.location?.[name], value, `${what}: location.${name} of ${show(first)}`);
  }
  if (expected.help) expectTrue(first?.help?.includes(expected.help), `${what}: ${show(first)}`);
}

function expectReading(reading, expected, what) {
  expectWellFormed(reading.diagnostics, what);
  for (const name of ["value", "status"]) {
    if (Object.hasOwn(expected, name))
      expectSame(reading[name], expected[name], `${what}: ${name}`);
  }
  if (Object.hasOwn(expected, "ref")) {
    expectSame(reading.ref, expected.ref ?? undefined, `${what}: ref`);
  }
  if (expected.codes) expectCodes(codesOf(reading.diagnostics), expected.codes, what);
  if (expected.help) {
    const helped = reading.diagnostics.some((d) => d.help?.includes(expected.help));
    expectTrue(helped, `${what}: no such help in ${show(reading.diagnostics)}`);
  }
}

function runStream(run, step, what) {
  if (!run.streams.has(step.stream)) run.streams.set(step.stream, run.store.stream());
  const stream = run.streams.get(step.stream);
  if (step.end) return update(run, step, what, () => stream.end());
  if (step.letters === undefined) return update(run, step, what, () => stream.push(step.push));
  for (const letter of new TextEncoder().encode(step.letters)) {
    const result = stream.push(Uint8Array.of(letter));
    expectTrue(result.ok, `${what}: ${show(result.diagnostics)}`);
  }
}

function roundTrip(run, _step, what) {
  const exported = run.store.export();
  const copy = new run.HamStore(run.options);
  const result = copy.apply(exported);
  expectTrue(result.ok, `${what}: ${show(result.diagnostics)}`);
  expectSame(copy.toJSON(), run.store.toJSON(), `${what}: toJSON`);
  expectSame(copy.export(), exported, `${what}: export`);
}
