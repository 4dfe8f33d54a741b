// Preload of tests/js/hash-key.test.mjs. Writes the first calls of each WebAssembly instance to the
// standard error as lines of JSON, up to the call that sets the key of the hashes.
import { writeSync } from "node:fs";

if (process.env.WITHOUT_CRYPTO) Object.defineProperty(globalThis, "crypto", { value: undefined });

function logged({ exports }) {
  let isKeySet = false;
  const wrapped = Object.entries(exports).map(([name, value]) => {
    if (typeof value !== "function") return [name, value];
    const call = (...args) => {
      if (!isKeySet && !name.startsWith("__")) writeSync(2, `${JSON.stringify([name, args])}\n`);
      isKeySet ||= name === "set_hash_key";
      return value(...args);
    };
    return [name, call];
  });
  return { exports: Object.fromEntries(wrapped) };
}

const { Instance, instantiate } = WebAssembly;
WebAssembly.Instance = class {
  constructor(...args) {
    this.exports = logged(new Instance(...args)).exports;
  }
};
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  return result instanceof Instance
    ? logged(result)
    : { module: result.module, instance: logged(result.instance) };
};
