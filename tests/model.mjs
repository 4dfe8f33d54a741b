// Reference model of HamStore, written for comparison with spec/ham.md, not for speed.
// It stores complete documents and computes all readings after every update.

import { same } from "./compare.mjs";
import { itemsOf } from "./model/child-list.mjs";
import { pointerId, readingOf, TOP } from "./model/reading.mjs";
import { ModelStream } from "./model/stream.mjs";
import { afterUpdate, isLegalId, nodesOf } from "./model/update.mjs";
import { asText, equal, isLiteral, isMap, mapLeaves, markLiterals } from "./model/values.mjs";
import { afterWrite } from "./model/writing.mjs";

const DEFAULT_LIMITS = { bytes: Infinity, nodes: Infinity, depth: 512, deepRead: 1e6, undo: 100 };
const REFUSED = {
  ok: false,
  diagnostics: [{ code: "MODEL000", severity: "error", message: "refused" }],
};

export class ModelStore {
  constructor({ sigil = "*", repair = false, extensions = {}, limits = {} } = {}) {
    if (sigil === "" || sigil.startsWith("!")) throw new TypeError("invalid sigil");
    const listEdits = extensions.listEdits ?? false;
    const merge = extensions.merge ?? false;
    this.options = { sigil, repair, listEdits, merge, ...DEFAULT_LIMITS, ...limits };
    this.nodes = new Map();
    this.past = [];
    this.future = [];
    this.subscriptions = new Set();
  }

  static from(json, options) {
    const store = new ModelStore(options);
    const plain = new Map([["root", markLiterals(json, store.options.sigil)]]);
    store.commit(new Map(Object.entries(exported(plain, store.options.sigil))));
    store.past = [];
    return store;
  }

  apply(update) {
    const message =
      typeof update === "object" && !(update instanceof Uint8Array)
        ? update
        : parsed(update, this.options);
    const next = message === null ? null : afterUpdate(this.nodes, message, this.options);
    return next === null || next.size > this.options.nodes ? REFUSED : this.commit(next);
  }

  stream() {
    return new ModelStream(this, REFUSED);
  }

  has(id) {
    return this.nodes.has(id);
  }

  get(id) {
    return this.nodes.has(id) ? asText(this.nodes.get(id)) : undefined;
  }

  read(binding, context) {
    return { ...readingOf(this.nodes, binding, context, this.options), diagnostics: [] };
  }

  children(list, context) {
    return itemsOf(this.nodes, list, context, this.options);
  }

  write(binding, value, context) {
    const next = afterWrite(this.nodes, binding, value, context ?? TOP, this.options);
    return next === null ? REFUSED : this.commit(next);
  }

  subscribe(binding, listener, context) {
    const subscription = { binding, context, listener, last: this.read(binding, context) };
    this.subscriptions.add(subscription);
    return () => this.subscriptions.delete(subscription);
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (from.length === 0) return false;
    to.push(this.nodes);
    this.nodes = from.pop();
    this.tell();
    return true;
  }

  toJSON(id = "root") {
    const reading = this.read({ node: id });
    if (reading.status === "error") throw new RangeError("a deep read past its limit");
    return reading.value;
  }

  export() {
    return exported(this.nodes, this.options.sigil);
  }

  diff(target) {
    const { sigil } = this.options;
    const other = target instanceof ModelStore ? target : ModelStore.from(target, { sigil });
    const nodes = new Map(Object.entries(other.export()));
    const gone = [...this.nodes.keys()].filter((id) => !nodes.has(id));
    const differs = [...nodes].filter(([id, value]) => !equal(value, this.nodes.get(id)));
    return Object.fromEntries([...gone.map((id) => [`!${id}`, null]), ...differs]);
  }

  orphans() {
    const reached = new Set();
    const queue = this.nodes.has("root") ? ["root"] : [];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      queue.push(
        ...pointersOf(this.nodes.get(id), this.options.sigil).filter((to) => this.nodes.has(to)),
      );
    }
    return [...this.nodes.keys()].filter((id) => !reached.has(id));
  }

  /** Replaces the document by `next`; updates effects, history and observers. */
  commit(next) {
    const before = this.nodes;
    const changed = [...next.keys()].filter(
      (id) => !before.has(id) || !equal(before.get(id), next.get(id)),
    );
    const deleted = [...before.keys()].filter((id) => !next.has(id));
    if (changed.length + deleted.length > 0) {
      this.past.push(before);
      if (this.past.length > this.options.undo) this.past.shift();
      this.future = [];
      this.nodes = next;
      this.tell();
    }
    const inverse = Object.fromEntries(
      [...changed, ...deleted].map((id) =>
        before.has(id) ? [id, asText(before.get(id))] : [`!${id}`, null],
      ),
    );
    return { ok: true, changed, deleted, inverse, diagnostics: [] };
  }

  tell() {
    for (const subscription of this.subscriptions) {
      const reading = this.read(subscription.binding, subscription.context);
      const { value, status, ref } = subscription.last;
      if (same(reading.value, value) && reading.status === status && reading.ref === ref) continue;
      subscription.last = reading;
      subscription.listener(reading);
    }
  }
}

function parsed(source, { bytes, depth }) {
  try {
    const text =
      typeof source === "string"
        ? source
        : new TextDecoder("utf-8", { fatal: true }).decode(source);
    const value = JSON.parse(text);
    return text.length <= bytes && depthOf(value) <= depth ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function depthOf(value) {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function pointersOf(value, sigil) {
  if (typeof value !== "object" || value === null) return [];
  const found = [];
  mapLeaves(value, (leaf) => found.push(pointerId(leaf, sigil)));
  return found.filter((id) => id !== null);
}

/** Returns the nodes as an author would send them: literals become separate nodes (rule 5). */
function exported(nodes, sigil) {
  const hoisted = [];
  const taken = (id) => nodes.has(id) || hoisted.some(([other]) => other === id);
  const hoist = (leaf) => {
    if (!isLiteral(leaf)) return leaf;
    let number = 1;
    // The sigil may be a prefix of one of these ids, but not of both.
    const name = () => `${isLegalId(`text${number}`, sigil) ? "" : "a "}text${number}`;
    while (taken(name())) number += 1;
    hoisted.push([name(), leaf.text]);
    return sigil + name();
  };
  const plain = [...nodes].map(([id, value]) => [
    id,
    isMap(value) || Array.isArray(value) ? mapLeaves(value, hoist) : value,
  ]);
  return Object.fromEntries([...plain, ...hoisted]);
}

export { nodesOf };
