// Inlined WebAssembly calls of V8: where V8 deoptimises such code during a call that returns a
// reference, the process crashes in Node 20 and 22. So these calls use proxies, which are never
// inlined.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { REFERENCE_RETURNING_EXPORTS } from "../../pkg/wasm.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const references = [binaryen.externref, binaryen.funcref];

/** Returns the exports of a module that return a reference. */
function exportsReturningReferences(path) {
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

test("every export that returns a reference has a proxy, and no other", () => {
  assert.deepEqual(
    exportsReturningReferences("pkg/byname_bg.wasm").sort(),
    REFERENCE_RETURNING_EXPORTS.toSorted(),
  );
  const missing = exportsReturningReferences("pkg/ham/byname_bg.wasm").filter(
    (name) => !REFERENCE_RETURNING_EXPORTS.includes(name),
  );
  assert.deepEqual(missing, []);
});

test("the engine may deoptimise the caller of WebAssembly during the call", () => {
  const script = `
    import { HamStore, init } from "byname";
    await init();
    const store = new HamStore();
    store.apply({ root: { text: "what the decoder of the host is called for" } });
    let deoptimised = 0;
    const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (...given) {
      if (deoptimised > 0) deoptimised += %DeoptimizeFunction(state) === undefined ? 1 : 0;
      return decode.apply(this, given);
    };
    function state() { return store.export(); }
    %PrepareFunctionForOptimization(state);
    for (let turn = 0; turn < 20_000; turn++) state();
    %OptimizeFunctionOnNextCall(state);
    state();
    deoptimised = 1;
    console.log(state().root.text, deoptimised);
  `;
  const args = ["--allow-natives-syntax", "--input-type=module", "--eval", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(stdout, "what the decoder of the host is called for 2\n", stderr);
  assert.equal(status, 0);
});
