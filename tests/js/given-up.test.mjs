// V8 writes calls of WebAssembly out where they are made. Where it gives such code up during a call that returns a reference,
// that of Node 20 and 22 ends the process; so these calls go through proxies, which are never written out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { REFERENCE_RETURNING_EXPORTS } from "../../pkg/wasm.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const references = [binaryen.externref, binaryen.funcref];

/** The exports of a module that return a reference. */
function returning(path) {
  const module = binaryen.readBinary(readFileSync(root + path));
  const exported = Array.from({ length: module.getNumExports() }, (_, at) =>
    binaryen.getExportInfo(module.getExportByIndex(at)),
  );
  const functions = exported.filter(({ kind }) => kind === binaryen.ExternalFunction);
  const names = functions
    .filter(({ value }) => {
      const { results } = binaryen.getFunctionInfo(module.getFunction(value));
      return binaryen.expandType(results).some((type) => references.includes(type));
    })
    .map(({ name }) => name);
  module.dispose();
  return names;
}

test("whatever returns a reference goes through a proxy, and nothing else", () => {
  assert.deepEqual(returning("pkg/byname_bg.wasm").sort(), REFERENCE_RETURNING_EXPORTS.toSorted());
  const missing = returning("pkg/ham/byname_bg.wasm").filter(
    (name) => !REFERENCE_RETURNING_EXPORTS.includes(name),
  );
  assert.deepEqual(missing, []);
});

test("the engine may give up what called the WebAssembly while that runs", () => {
  const script = `
    import { HamStore, init } from "byname";
    await init();
    const store = new HamStore();
    store.apply({ root: { text: "what the decoder of the host is called for" } });
    let told = 0;
    const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (...given) {
      if (told > 0) told += %DeoptimizeFunction(state) === undefined ? 1 : 0;
      return decode.apply(this, given);
    };
    function state() { return store.export(); }
    %PrepareFunctionForOptimization(state);
    for (let turn = 0; turn < 20_000; turn++) state();
    %OptimizeFunctionOnNextCall(state);
    state();
    told = 1;
    console.log(state().root.text, told);
  `;
  const given = ["--allow-natives-syntax", "--input-type=module", "--eval", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, given, {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(stdout, "what the decoder of the host is called for 2\n", stderr);
  assert.equal(status, 0);
});
