// Prepares a release: checks everything, then writes the package, its bill of materials and their checksums to
// target/npm-package. `npm run release -- --no-tests` skips `npm test`. Publishes nothing: RELEASING.md has the steps
// that remain.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findUnknownLicences } from "./licences.mjs";
import { checkReproducible } from "./reproducible.mjs";
import {
  main,
  parseCommandLine,
  printStatus,
  readOutput,
  root,
  run,
  UserError,
  which,
} from "./run.mjs";
import { billOfMaterials } from "./sbom.mjs";
import { ensureForBuild } from "./setup.mjs";

const folder = join(root, "target/npm-package");
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packedFile = join(folder, `${name}-${version}.tgz`);

/** Steps in order; each throws if it fails. */
const steps = [
  ["the working tree has no changes", checkWorkingTree],
  ["the version is the same everywhere", checkVersion],
  ["the documents describe a published package", checkDocuments],
  ["the licences are allowed", checkLicences],
  ["cargo-deny finds nothing", checkCrates],
  ["npm knows no vulnerability", checkAdvisories],
  ["all tests pass", runTests],
  ["another folder gives the same package", checkReproducible],
  ["the package is packed", pack],
  ["npm would publish the package", () => run("npm", ["publish", "--dry-run", packedFile])],
  ["cargo would publish the crates", checkPublishedCrates],
  ["the bill of materials is written", writeBill],
  ["the checksums are written", writeChecksums],
];

function checkWorkingTree() {
  const changes = readOutput("git", ["status", "--porcelain"]);
  if (changes === undefined)
    throw new UserError("this folder is not a clone; release from a clone");
  if (changes !== "") throw new UserError(`commit or remove these changes first:\n${changes}`);
}

function checkVersion() {
  const [, ofCrate] = /^version = "(.+)"/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));
  if (ofCrate !== version) {
    throw new UserError(
      `Cargo.toml has the version ${ofCrate}, package.json ${version}; make them equal`,
    );
  }
  if (!readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`## [${version}]`)) {
    throw new UserError(`CHANGELOG.md has no section "## [${version}]"; write it`);
  }
}

function checkDocuments() {
  for (const page of ["README.md", "docs/install.md"]) {
    if (readFileSync(join(root, page), "utf8").includes("not published yet")) {
      throw new UserError(`${page} says that the package is not published; see RELEASING.md`);
    }
  }
}

function checkLicences() {
  const unknown = findUnknownLicences();
  if (unknown.length > 0)
    throw new UserError(`these licences are not allowed: ${unknown.join("; ")}`);
}

async function checkCrates() {
  if (!which("cargo-deny")) {
    return printStatus("skipped: `cargo install cargo-deny --locked` provides it");
  }
  const checked = ["licenses", "bans", "sources"];
  if (readOutput("cargo", ["deny", "fetch", "db"]) === undefined) {
    printStatus("skipped: the database of advisories cannot be reached");
  } else checked.push("advisories");
  for (const manifest of ["Cargo.toml", "fuzz/Cargo.toml"]) {
    const files = ["--manifest-path", manifest, "--config", "deny.toml"];
    await run("cargo", ["deny", ...files, "check", ...checked]);
  }
}

/** Packages for development count too: they run on the machines of developers. */
function checkAdvisories() {
  // npm exits with 1 if it finds something, and if it does not reach the registry.
  const text = readOutput("npm", ["audit", "--json", "--audit-level=none"]);
  const total = text === undefined ? undefined : JSON.parse(text).metadata?.vulnerabilities;
  if (total === undefined) return printStatus("skipped: the advisories of npm cannot be reached");
  if (total.high + total.critical > 0) {
    throw new UserError(
      "`npm audit` reports high or critical vulnerabilities; update the packages",
    );
  }
}

async function runTests({ skipsTests }) {
  if (skipsTests) return printStatus("skipped: `--no-tests`");
  await run("npm", ["test"], { env: { BYNAME_FULL: "1" } });
}

async function pack() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The build is complete, and the script `prepack` would do it again.
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
}

/** Compiles each crate from its packed files, with the packed crates that it needs. */
async function checkPublishedCrates() {
  await run("cargo", ["publish", "--workspace", "--locked", "--dry-run"]);
}

function writeBill() {
  writeFileSync(join(folder, `${name}-${version}.cdx.json`), billOfMaterials());
}

function writeChecksums() {
  const lines = readdirSync(folder)
    .filter((file) => file !== "SHA256SUMS")
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`,
    );
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}

await main(async () => {
  const { values } = parseCommandLine({ "no-tests": { type: "boolean" } });
  await ensureForBuild();
  for (const [index, [goal, step]] of steps.entries()) {
    printStatus(`${index + 1} of ${steps.length}: ${goal}`);
    await step({ skipsTests: values["no-tests"] === true });
  }
  printStatus(`the release is in ${folder}; continue with "Publish" of RELEASING.md`);
});
