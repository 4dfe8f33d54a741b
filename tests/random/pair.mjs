// A store and the reference model: runs every step on both and compares the results.

import { expectSame, expectTrue, expectWellFormed, show, sorted } from "../compare.mjs";
import { isLiteral, mapLeaves } from "../model/values.mjs";
import { ModelStore } from "../model.mjs";
import { binding, IDS, KEYS } from "./updates.mjs";

export class StorePair {
  constructor(HamStore, options) {
    this.HamStore = HamStore;
    this.options = options;
    this.real = new HamStore(options);
    this.model = new ModelStore({ ...options, limits: { ...options.limits, deepRead: 200_000 } });
    this.logs = [];
  }

  /** Returns whether all readings of the model would stay below the limit after this change. */
  remainsSmall(change) {
    const trial = new ModelStore({ ...this.options, limits: { deepRead: 1500 } });
    trial.nodes = this.model.nodes;
    change(trial);
    const readable = IDS.every((id) => trial.read({ node: id }).status !== "error");
    return readable && (this.isSmall?.(trial) ?? true);
  }

  runBoth(action, what) {
    const before = this.model.nodes;
    const expected = action(this.model);
    const actual = action(this.real);
    expectSame(typeof actual, typeof expected, what);
    if (typeof actual === "boolean") expectSame(actual, expected, what);
    else this.compareResults(actual, expected, before, what);
  }

  compareResults(actual, expected, before, what) {
    expectWellFormed(actual.diagnostics, what);
    expectSame(actual.ok, expected.ok, `${what}: ok ${show(actual.diagnostics)}`);
    if (!actual.ok) return;
    expectSame(sorted(actual.changed), sorted(expected.changed), `${what}: changed`);
    expectSame(sorted(actual.deleted), sorted(expected.deleted), `${what}: deleted`);
    if (!containsLiterals(before)) expectSame(actual.inverse, expected.inverse, `${what}: inverse`);
  }

  subscribe(target) {
    const log = { target, real: [], model: [] };
    const stops = ["real", "model"].map((name) =>
      this[name].subscribe(target, ({ value, status, ref }) =>
        log[name].push([value, status, ref ?? null]),
      ),
    );
    log.stop = () => {
      for (const stop of stops) stop();
    };
    this.logs.push(log);
  }

  compareCalls(what) {
    for (const log of this.logs) {
      expectSame(log.real.splice(0), log.model.splice(0), `${what}: calls for ${show(log.target)}`);
    }
  }

  compareDocuments(random, what) {
    for (const id of [...IDS, "none"]) {
      expectSame(this.real.has(id), this.model.has(id), `${what}: has ${id}`);
      expectSame(this.real.get(id) ?? null, this.model.get(id) ?? null, `${what}: get ${id}`);
    }
    for (let count = 0; count < 12; count += 1)
      this.compareReading(binding(random), undefined, what);
    for (let count = 0; count < 3; count += 1) this.compareRows(random, binding(random), what);
    expectSame(sorted(this.real.orphans()), sorted(this.model.orphans()), `${what}: orphans`);
    if (!containsLiterals(this.model.nodes))
      expectSame(this.real.export(), this.model.export(), `${what}: export`);
  }

  compareReading(target, contexts, what) {
    const actual = this.real.read(target, contexts?.real);
    const expected = this.model.read(target, contexts?.model);
    for (const name of ["value", "status"]) {
      expectSame(actual[name], expected[name], `${what}: ${name} of ${show(target)}`);
    }
    expectSame(actual.ref ?? null, expected.ref ?? null, `${what}: ref of ${show(target)}`);
  }

  /** Rows of a list, and readings inside them, two levels down. */
  compareRows(random, target, what, contexts) {
    const rows = this.rows(target, contexts, what);
    for (const row of rows) {
      this.compareReading({}, row, `${what}: row ${row.key}`);
      this.compareReading({ key: random.pick(KEYS) }, row, `${what}: row ${row.key}`);
      if (!contexts) this.compareRows(random, {}, `${what}: row ${row.key}`, row);
    }
  }

  rows(target, contexts, what) {
    const list = { binding: target, template: "t" };
    const real = this.real.children(list, contexts?.real);
    const model = this.model.children(list, contexts?.model);
    const keys = model.map((item) => item.key);
    expectSame(
      real.map((item) => item.key),
      keys,
      `${what}: children of ${show(target)}`,
    );
    return keys.map((key, at) => ({ key, real: real[at].context, model: model[at].context }));
  }

  compareRoundTrip(what) {
    const copy = new this.HamStore(this.options);
    const exported = this.real.export();
    expectTrue(copy.apply(exported).ok, `${what}: export is refused`);
    for (const id of IDS.filter((each) => this.real.has(each))) {
      expectSame(copy.toJSON(id), this.real.toJSON(id), `${what}: toJSON ${id} of the copy`);
    }
    expectSame(copy.export(), exported, `${what}: export of the copy`);
  }
}

/** Returns whether the document has literals, whose export is specific to the store. */
function containsLiterals(nodes) {
  const found = [];
  for (const value of nodes.values()) mapLeaves(value, (leaf) => found.push(isLiteral(leaf)));
  return found.includes(true);
}
