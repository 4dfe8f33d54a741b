// A surface case is {name, catalog?, store?, steps}; `store` contains the options of its store.
// After every step, the mirror built from the changes must equal surface.tree(), and every key must be
// unique.

import {
  codesOf,
  covers,
  expectCodes,
  expectSame,
  expectTrue,
  expectWellFormed,
  same,
  show,
} from "./compare.mjs";
import { flatten, Mirror } from "./mirror.mjs";

export function runSurfaceCase(test, { HamStore, Surface }) {
  const run = { actions: [], fresh: [], keys: new Map() };
  const options = { onAction: (action) => run.actions.push(action), now: () => NOW };
  if (test.catalog) options.catalog = test.catalog;
  if (test.store) options.store = new HamStore(test.store);
  run.surface = new Surface(options);
  run.mirror = new Mirror(run.surface.tree());
  run.surface.subscribe((changes) => {
    expectTrue(changes.length > 0, "a call without changes");
    for (const change of changes) {
      run.fresh.push({ change, instance: run.mirror.find(change.key) ?? change.instance });
      run.mirror.apply(change);
    }
  });
  test.steps.forEach((step, index) => {
    const what = `step ${index} ${show(step)}`;
    const action = Object.keys(ACTIONS).find((name) => Object.hasOwn(step, name));
    expectTrue(action !== undefined, `${what}: no known action`);
    ACTIONS[action](run, step, what);
    expectMirror(run, what);
  });
}

const NOW = "2026-01-02T03:04:05.000Z";

function expectMirror(run, what) {
  const tree = run.surface.tree();
  expectSame(run.mirror.tree, tree, `${what}: the mirror built from the changes`);
  const keys = flatten(tree).map((instance) => instance.key);
  expectSame(new Set(keys).size, keys.length, `${what}: unique keys in ${show(keys)}`);
}

const ACTIONS = {
  receive: (run, step, what) => {
    const result = run.surface.receive(step.receive);
    expectWellFormed(result.diagnostics, what);
    const codes = show(result.diagnostics);
    const ok = step.expect?.ok ?? true;
    if (ok !== "either") expectSame(result.ok, ok, `${what}: ok (${codes})`);
    if (step.expect?.codes) expectCodes(codesOf(result.diagnostics), step.expect.codes, what);
    if (step.expect?.pointer !== undefined) {
      expectSame(result.diagnostics[0]?.location?.pointer, step.expect.pointer, `${what}: pointer`);
    }
    const helps = result.diagnostics.map((diagnostic) => diagnostic.help ?? "");
    if (step.expect?.help) {
      expectTrue(
        helps.some((help) => help.includes(step.expect.help)),
        `${what}: ${show(helps)}`,
      );
    }
  },
  store: (run, step, what) => {
    const result = run.surface.store.apply(step.store);
    const codes = result.diagnostics.map(({ code }) => code);
    if (step.expect) expectSame({ ok: result.ok, codes }, step.expect, what);
    else expectTrue(result.ok, `${what}: ${show(result.diagnostics)}`);
  },
  undo: (run, step, what) => expectSame(run.surface.store.undo(), step.undo, what),
  tree: (run, step, what) => expectTree(run.surface.tree(), step.tree, what),
  nothing: (run, _step, what) => expectSame(run.surface.tree(), null, what),
  rows: (run, step, what) => {
    const rows = all(run, step.rows).map((instance) => instance.props[step.prop]);
    expectSame(rows, step.expect, what);
  },
  changes: (run, step, what) => {
    const fresh = run.fresh.splice(0);
    const shown = show(fresh.map(({ change }) => change));
    expectSame(fresh.length, step.changes.length, `${what}: number of changes in ${shown}`);
    fresh.forEach(({ change, instance }, at) => {
      const { props, id, ...rest } = step.changes[at];
      expectTrue(covers(change, rest), `${what}: ${show(change)} is not ${show(rest)}`);
      if (id !== undefined) expectSame(instance?.id, id, `${what}: id of ${show(change)}`);
      if (props) expectTrue(covers(instance.props, props), `${what}: props ${show(instance)}`);
    });
  },
  drop: (run) => run.fresh.splice(0),
  changesOf: (run, step, what) => {
    const counts = {};
    for (const { change } of run.fresh.splice(0)) {
      counts[change.kind] = (counts[change.kind] ?? 0) + 1;
    }
    expectSame(counts, step.changesOf, what);
  },
  diagnostics: (run, step, what) => {
    const found = run.surface.diagnostics();
    expectWellFormed(found, what);
    expectCodes(codesOf(found), step.diagnostics, what);
    if (step.help === undefined) return;
    const helps = found.map((diagnostic) => diagnostic.help ?? "");
    expectTrue(
      helps.some((help) => help.includes(step.help)),
      `${what}: ${show(helps)}`,
    );
  },
  input: (run, step, what) => {
    const { id, nth = 0, prop, value } = step.input;
    const instance = all(run, id)[nth];
    expectTrue(instance !== undefined, `${what}: no such instance`);
    run.surface.input(instance.key, prop, value);
  },
  data: (run, step, what) => expectSame(run.surface.store.export(), step.data, what),
  trigger: (run, step, what) => {
    const { id, nth = 0, event = "action" } = step.trigger;
    const instance = all(run, id)[nth];
    run.surface.trigger(instance.key, event);
    const [action] = run.actions.splice(0);
    const expected = { timestamp: NOW, sourceKey: instance.key, sourceComponentId: id };
    expectSame(action !== undefined, step.expect !== null, `${what}: an action`);
    if (action) {
      expectTrue(covers(action, { ...expected, ...step.expect }), `${what}: ${show(action)}`);
    }
  },
  remember: (run, step) => run.keys.set(step.remember, all(run, step.id)[step.nth ?? 0].key),
  sameKey: (run, step, what) =>
    expectSame(all(run, step.id)[step.nth ?? 0].key, run.keys.get(step.sameKey), what),
};

function all(run, id) {
  return flatten(run.surface.tree()).filter((instance) => instance.id === id);
}

/** Compares the properties in the expectation, and all children. */
function expectTree(actual, expected, what) {
  if (expected === null) return expectSame(actual, null, what);
  expectTrue(actual !== null, `${what}: no tree`);
  for (const name of ["id", "component", "props"]) {
    if (Object.hasOwn(expected, name) && !same(actual[name], expected[name])) {
      expectSame(actual[name], expected[name], `${what}: ${name} of ${actual.id}`);
    }
  }
  if (!expected.children) return;
  const ids = actual.children.map((child) => child.id);
  expectSame(
    ids.length,
    expected.children.length,
    `${what}: children of ${actual.id} ${show(ids)}`,
  );
  for (const [at, child] of actual.children.entries()) {
    expectTree(child, expected.children[at], what);
  }
}
