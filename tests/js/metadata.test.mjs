// Metadata of the npm package and of the crates, as a release needs them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function cargo(...args) {
  const stdio = ["ignore", "pipe", "ignore"];
  const options = { cwd: root, encoding: "utf8", stdio, maxBuffer: 64 << 20 };
  return execFileSync("cargo", args, options);
}

const { packages } = JSON.parse(cargo("metadata", "--no-deps", "--format-version=1", "--locked"));
const crates = packages.filter(({ publish }) => publish === null);

test("the package can be published, and names its repository", () => {
  assert.equal(manifest.private, undefined);
  assert.equal(manifest.license, "Apache-2.0");
  assert.ok(manifest.description.length > 20);
  assert.ok(manifest.keywords.length >= 5);
  const [, repository] = /^git\+(https:.+)\.git$/.exec(manifest.repository.url);
  assert.equal(manifest.homepage, `${repository}#readme`);
  assert.equal(manifest.bugs, `${repository}/issues`);
  for (const crate of crates) assert.equal(crate.repository, repository, crate.name);
});

test("modules with side effects exist", () => {
  assert.ok(manifest.sideEffects.length > 0);
  for (const path of manifest.sideEffects) assert.ok(existsSync(join(root, path)), path);
});

test("modules can be read: their lines are short, and the largest ones have comments", () => {
  const folder = join(root, "pkg");
  const modules = readdirSync(folder).filter((name) => /^(?!.*inline).*\.js$/.test(name));
  assert.ok(modules.length > 20);
  for (const name of modules) {
    const text = readFileSync(join(folder, name), "utf8");
    const longest = Math.max(...text.split("\n").map((line) => line.length));
    assert.ok(longest < 500, `${name} has a line of ${longest} characters`);
    if (text.length > 5_000) assert.match(text, /^\s*(\/\*\*|\/\/)/m, name);
  }
});

test("the published crates have the version of the package and all metadata", () => {
  assert.deepEqual(crates.map(({ name }) => name).sort(), ["byname", "byname-base", "byname-ham"]);
  for (const {
    name,
    version,
    description,
    license,
    keywords,
    categories,
    dependencies,
  } of crates) {
    assert.equal(version, manifest.version, name);
    assert.equal(license, manifest.license, name);
    assert.ok(description.length > 20, name);
    assert.ok(keywords.length > 0 && keywords.length <= 5, name);
    assert.ok(categories.length > 0, name);
    // A crate of the registry needs a version, and these fit together only in the same one.
    for (const { name: dependency, path, req } of dependencies)
      if (path) assert.equal(req, `=${manifest.version}`, `${name}: ${dependency}`);
  }
});

test("the crates contain their sources and documents only", () => {
  const documents = [
    "Cargo.toml",
    "Cargo.toml.orig",
    "Cargo.lock",
    ".cargo_vcs_info.json",
    "LICENSE",
  ];
  for (const { name } of crates) {
    const files = cargo("package", "--list", "--allow-dirty", "-p", name).trim().split("\n");
    assert.ok(files.includes("LICENSE"), name);
    const others = files.filter((file) => !file.endsWith(".rs") && !documents.includes(file));
    assert.deepEqual(others, name === "byname" ? ["README.md"] : [], name);
    const sources = name === "byname" ? /^src\// : /^(?!tests\/)/;
    const strangers = files.filter((file) => file.endsWith(".rs") && !sources.test(file));
    assert.deepEqual(strangers, [], name);
  }
});
