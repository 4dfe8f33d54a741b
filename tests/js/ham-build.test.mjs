// `byname/ham`: the HAM part of the package over a smaller module.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import * as whole from "byname";
import { basicCatalog } from "byname/dom";
import * as ham from "byname/ham";

const root = new URL("../../", import.meta.url);

test("exports the HAM part of byname, with the same error classes", () => {
  const names = ["BynameError", "DataContext", "HamStore", "Surface", "init", "initSync"];
  assert.deepEqual(Object.keys(ham).sort(), names);
  assert.equal(ham.BynameError, whole.BynameError);
  assert.throws(() => new ham.HamStore().apply(new Map()), whole.BynameError);
});

test("its modules import nothing of GASL and flow", () => {
  const folder = new URL("pkg/ham/", root);
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/from "([^"]+)"/g)])
    .map(([, path]) => path);
  assert.ok(imported.includes("../errors.js"));
  // The entries for edge runtimes import the module itself.
  const own =
    /^\.\.?\/(?:(?:a2ui|messages|frames)\/)*[\w.-]+\.js$|^\.\/byname_bg\.wasm(\?module)?$/;
  const foreign = imported.filter((path) => !own.test(path));
  assert.deepEqual(foreign, []);
  // Files with a second version are not imported here, because they belong to the other module.
  for (const name of ["wasm", "store", "core", "bridge", "surface", "api", "byname_bg"]) {
    assert.ok(!imported.includes(`../${name}.js`), name);
  }
});

test("both builds work in one process, and distinguish their objects", () => {
  const [own, other] = [new ham.HamStore(), new whole.HamStore()];
  own.apply({ root: { name: "*a" }, a: "Ada" });
  other.apply(own.export());
  assert.deepEqual(other.toJSON(), own.toJSON());
  assert.throws(() => new whole.Surface({ store: own }), { code: "argument" });
  assert.throws(() => whole.Graph.fromHam(own), { code: "argument" });
  const surface = new ham.Surface({ store: own, catalog: basicCatalog });
  assert.equal(surface.store, own);
});
