// Runs the ```ham blocks of docs/ham.md: updates in JSON, and the actions in ACTIONS.
import assert from "node:assert/strict";
import { actionsOf, checkDiagnostics, expectation, json } from "./blocks.mjs";

/** Runs one block over a new store; `info` holds the options of the store as JSON, if any. */
export function runHamBlock(block, { HamStore }) {
  const store = new HamStore(block.info ? JSON.parse(block.info) : undefined);
  for (const action of actionsOf(block)) {
    try {
      run(store, action);
    } catch (error) {
      error.message = `line ${action.line}: ${action.text}\n${error.message}`;
      throw error;
    }
  }
  store[Symbol.dispose]();
}

function run(store, { text, expected }) {
  if (text.startsWith("{")) return checkUpdate(store.apply(text), expected);
  const [, name, argument = ""] = /^(\w+)\s*([\s\S]*)$/.exec(text);
  const action = ACTIONS[name];
  assert.ok(action, `unknown action \`${name}\`; available: ${Object.keys(ACTIONS).join(", ")}`);
  action(store, argument, expected);
}

const ACTIONS = {
  /** `read node.key` or `read {binding}`. */
  read(store, argument, expected) {
    const reading = store.read(bindingOf(argument));
    const value = expectation(expected, "value");
    const status = expectation(expected, "missing") === undefined ? "ok" : "missing";
    assert.equal(reading.status, expectation(expected, "status") ?? status);
    if (value !== undefined) assert.deepEqual(reading.value, json(value));
    const ref = expectation(expected, "ref");
    if (ref !== undefined) assert.equal(reading.ref, ref === "none" ? undefined : ref);
    checkDiagnostics(expected, reading.diagnostics, assert);
  },
  /** `get id`: the node as it is stored. */
  get: (store, id, expected) => checkValue(store.get(id), expected),
  /** `items {childList}` or `items node.key`: the keys of the items. */
  items(store, argument, expected) {
    const binding = bindingOf(argument);
    const list = binding.template ? binding : { binding, template: "row" };
    const keys = store.children(list).map(({ key }) => key);
    assert.deepEqual(keys, json(expectation(expected, "items")));
  },
  /** `write node.key value`. */
  write(store, argument, expected) {
    const [, binding, value] = /^(\S+)\s+([\s\S]+)$/.exec(argument);
    checkUpdate(store.write(bindingOf(binding), JSON.parse(value)), expected);
  },
  /** `push text`: the next chunk of one stream; `end` finishes it. */
  push(store, chunk, expected) {
    const stream = streamOf(store);
    checkUpdate(stream.push(chunk), expected);
  },
  end(store, _, expected) {
    checkUpdate(streamOf(store).end(), expected);
    streams.delete(store);
  },
  undo: (store, _, expected) =>
    assert.deepEqual(store.undo(), json(expectation(expected, "value"))),
  redo: (store, _, expected) =>
    assert.deepEqual(store.redo(), json(expectation(expected, "value"))),
  json: (store, _, expected) => checkValue(store.toJSON(), expected),
  export: (store, _, expected) => checkValue(store.export(), expected),
  diff: (store, target, expected) => checkValue(store.diff(JSON.parse(target)), expected),
  check: (store, _, expected) => checkDiagnostics(expected, store.check(), assert),
};

const streams = new WeakMap();

function streamOf(store) {
  if (!streams.has(store)) streams.set(store, store.stream());
  return streams.get(store);
}

/** Returns the binding that `node.key`, `node` or JSON means. */
function bindingOf(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const [node, key] = text.split(".");
  return key === undefined ? { node } : { node, key };
}

function checkValue(value, expected) {
  if (expectation(expected, "missing") !== undefined) return assert.equal(value, undefined);
  assert.deepEqual(value, json(expectation(expected, "value") ?? assert.fail("no `# value`")));
}

function checkUpdate(result, expected) {
  checkDiagnostics(expected, result.diagnostics, assert);
  for (const name of ["changed", "deleted"]) {
    const ids = expectation(expected, name);
    if (ids !== undefined) assert.deepEqual([...result[name]].sort(), json(ids).sort());
  }
}
