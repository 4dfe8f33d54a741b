// Licences of all dependencies, and the bill of materials.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  findUnknownLicences,
  isAllowed,
  npmLocks,
  readAllowedLicences,
} from "../../scripts/licences.mjs";
import { billOfMaterials } from "../../scripts/sbom.mjs";

test("every crate and every npm package has a licence that is allowed", () => {
  assert.ok(readAllowedLicences().includes("MIT"));
  assert.deepEqual(findUnknownLicences(), []);
});

test("the packages of every lock file are checked", () => {
  const root = new URL("../../", import.meta.url);
  const folders = ["", "benches/", "fuzz/", "tools/", "www/"];
  for (const parent of ["tests/", "examples/"]) {
    const entries = readdirSync(new URL(parent, root), { withFileTypes: true });
    folders.push(
      ...entries.filter((one) => one.isDirectory()).map(({ name }) => `${parent}${name}/`),
    );
  }
  const locks = folders.map((folder) => `${folder}package-lock.json`);
  assert.deepEqual(
    locks.filter((lock) => existsSync(new URL(lock, root))).sort(),
    npmLocks.toSorted(),
  );
});

test("evaluates licence expressions", () => {
  const allowed = ["MIT", "Unicode-3.0"];
  for (const expression of [
    "MIT",
    "MIT/GPL-3.0",
    "GPL-3.0 OR (Unicode-3.0 AND MIT)",
    "A WITH B OR MIT",
  ])
    assert.ok(isAllowed(expression, allowed), expression);
  for (const expression of [
    undefined,
    "",
    "GPL-3.0",
    "MIT AND GPL-3.0",
    "(MIT OR A) AND B",
    "MIT WITH X",
  ])
    assert.ok(!isAllowed(expression, allowed), expression);
});

test("the bill of materials lists each crate of the WebAssembly with its checksum", () => {
  const text = billOfMaterials();
  assert.equal(billOfMaterials(), text, "the same commit gives the same text");
  const { components, dependencies, serialNumber, metadata } = JSON.parse(text);
  assert.match(
    serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const lock = readFileSync(new URL("../../Cargo.lock", import.meta.url), "utf8");
  const required = components.filter(({ scope }) => scope === "required");
  const names = required.map(({ name }) => name);
  for (const name of ["quick-xml", "foldhash", "byname-ham", "wasm-bindgen"])
    assert.ok(names.includes(name), name);
  // Used by tests, or while the package is built.
  for (const name of ["proptest", "serde_json", "syn"]) assert.ok(!names.includes(name), name);
  for (const { name, hashes } of required.filter(({ name }) => !name.startsWith("byname"))) {
    assert.ok(hashes?.[0].content.length === 64 && lock.includes(hashes[0].content), name);
  }
  const references = new Set([metadata.component, ...components].map((one) => one["bom-ref"]));
  assert.equal(references.size, components.length + 1);
  for (const { ref, dependsOn } of dependencies) {
    assert.deepEqual(
      [ref, ...dependsOn].filter((name) => !references.has(name)),
      [],
    );
  }
});
