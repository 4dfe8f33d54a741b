// A store and the reference model side by side: every step goes to both, every answer is compared.

import { expectSame, expectTrue, expectWellFormed, show, sorted } from "../compare.mjs";
import { isHeld, mapLeaves } from "../model/values.mjs";
import { ModelStore } from "../model.mjs";
import { binding, IDS, KEYS } from "./updates.mjs";

export class Pair {
  constructor(HamStore, options) {
    this.HamStore = HamStore;
    this.options = options;
    this.real = new HamStore(options);
    this.model = new ModelStore({ ...options, limits: { ...options.limits, deepRead: 200_000 } });
    this.logs = [];
  }

  /** Whether the model would stay small enough to be read everywhere after this change. */
  staysSmall(change) {
    const trial = new ModelStore({ ...this.options, limits: { deepRead: 1500 } });
    trial.nodes = this.model.nodes;
    change(trial);
    const readable = IDS.every((id) => trial.read({ node: id }).status !== "error");
    return readable && (this.isSmall?.(trial) ?? true);
  }

  both(act, what) {
    const before = this.model.nodes;
    const expected = act(this.model);
    const actual = act(this.real);
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
    if (!holdsText(before)) expectSame(actual.inverse, expected.inverse, `${what}: inverse`);
  }

  subscribe(wanted) {
    const log = { wanted, real: [], model: [] };
    const stops = ["real", "model"].map((side) =>
      this[side].subscribe(wanted, ({ value, status, ref }) =>
        log[side].push([value, status, ref ?? null]),
      ),
    );
    log.stop = () => {
      for (const stop of stops) stop();
    };
    this.logs.push(log);
  }

  compareCalls(what) {
    for (const log of this.logs) {
      expectSame(log.real.splice(0), log.model.splice(0), `${what}: calls for ${show(log.wanted)}`);
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
    if (!holdsText(this.model.nodes))
      expectSame(this.real.export(), this.model.export(), `${what}: export`);
  }

  compareReading(wanted, contexts, what) {
    const actual = this.real.read(wanted, contexts?.real);
    const expected = this.model.read(wanted, contexts?.model);
    for (const name of ["value", "status"]) {
      expectSame(actual[name], expected[name], `${what}: ${name} of ${show(wanted)}`);
    }
    expectSame(actual.ref ?? null, expected.ref ?? null, `${what}: ref of ${show(wanted)}`);
  }

  /** Rows of a list, and readings inside them, two levels down. */
  compareRows(random, wanted, what, contexts) {
    const rows = this.rows(wanted, contexts, what);
    for (const row of rows) {
      this.compareReading({}, row, `${what}: row ${row.key}`);
      this.compareReading({ key: random.pick(KEYS) }, row, `${what}: row ${row.key}`);
      if (!contexts) this.compareRows(random, {}, `${what}: row ${row.key}`, row);
    }
  }

  rows(wanted, contexts, what) {
    const list = { binding: wanted, template: "t" };
    const real = this.real.children(list, contexts?.real);
    const model = this.model.children(list, contexts?.model);
    const keys = model.map((item) => item.key);
    expectSame(
      real.map((item) => item.key),
      keys,
      `${what}: children of ${show(wanted)}`,
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

/** Held text is written out in a way of the store's own, so it is compared by readings only. */
function holdsText(nodes) {
  const held = [];
  for (const value of nodes.values()) mapLeaves(value, (leaf) => held.push(isHeld(leaf)));
  return held.includes(true);
}
