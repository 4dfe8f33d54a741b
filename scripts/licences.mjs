// Checks the licences of all crates and npm packages. What is in the package, or is installed with it, needs a licence
// that `deny.toml` allows. Packages for development may have further ones.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { main, printStatus, readOutput, root, UserError } from "./run.mjs";

/** Manifests whose crates are in the package, or run in its tests. */
const ownManifests = ["Cargo.toml"];
/** Manifests of tools, whose code is not in the package. */
const toolManifests = ["tools/Cargo.toml", "fuzz/Cargo.toml"];
/** Lock file of npm whose packages without `dev` are installed by users. */
const ownLock = "package-lock.json";
const developmentLocks = [
  "benches",
  "examples/durable-flow",
  "tests/databases",
  "tests/frameworks",
  "tests/hosts",
  "tests/recipes",
  "tests/side-by-side",
].map((folder) => `${folder}/package-lock.json`);
/** All lock files of npm. */
export const npmLocks = [ownLock, ...developmentLocks];
/** Further licences of packages for development. */
const developmentLicences = [
  ...["0BSD", "AFL-2.1", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC-BY-4.0"],
  ...["CDLA-Permissive-2.0", "MPL-2.0", "NCSA", "PSF-2.0", "Python-2.0"],
  // libvips, an optional dependency of a framework in tests/hosts.
  "LGPL-3.0-or-later",
];

/** Returns a line for each crate and each npm package whose licence is not allowed. */
export function findUnknownLicences() {
  const allowed = readAllowedLicences();
  const forDevelopment = [...allowed, ...developmentLicences];
  const isDenied = (entry, licences) => !isAllowed(entry.license, licences);
  const denied = [
    ...ownManifests.flatMap(cratesOf).filter((crate) => isDenied(crate, allowed)),
    ...toolManifests.flatMap(cratesOf).filter((crate) => isDenied(crate, forDevelopment)),
    ...packagesOf(ownLock).filter((entry) => isDenied(entry, entry.dev ? forDevelopment : allowed)),
    ...developmentLocks.flatMap(packagesOf).filter((entry) => isDenied(entry, forDevelopment)),
  ];
  return denied.map(
    ({ name, version, license }) => `${name} ${version}: ${license ?? "no licence"}`,
  );
}

/** Returns the licences that `deny.toml` allows. */
export function readAllowedLicences() {
  const [, section] = /\[licenses\](.*?)\n\[/s.exec(readFileSync(join(root, "deny.toml"), "utf8"));
  const [, list] = /^allow = \[(.*?)^\]/ms.exec(section);
  return [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
}

/** Returns all crates of a manifest, for all targets, without those of this repository. */
function cratesOf(manifest) {
  const text = readOutput("cargo", [
    "metadata",
    "--format-version=1",
    "--locked",
    "--manifest-path",
    manifest,
  ]);
  if (text === undefined)
    throw new UserError(`\`cargo metadata --locked --manifest-path ${manifest}\` failed`);
  return JSON.parse(text).packages.filter(({ source }) => source !== null);
}

function packagesOf(lock) {
  const { packages } = JSON.parse(readFileSync(join(root, lock), "utf8"));
  // The first entry is the folder itself.
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ""), ...entry }));
}

/** Returns whether a licence expression (SPDX) is satisfied by these licences. */
export function isAllowed(expression, licences) {
  if (!expression) return false;
  // Crates may write `/` for OR. A licence with an exception is one of its own.
  const text = expression.replaceAll("/", " OR ").replaceAll(" WITH ", "-WITH-");
  const tokens = text.match(/[()]|[^\s()]+/g);
  const either = () => {
    let value = both();
    while (tokens[0] === "OR") {
      tokens.shift();
      value = both() || value;
    }
    return value;
  };
  const both = () => {
    let value = one();
    while (tokens[0] === "AND") {
      tokens.shift();
      value = one() && value;
    }
    return value;
  };
  const one = () => {
    const token = tokens.shift();
    if (token !== "(") return licences.includes(token);
    const value = either();
    tokens.shift();
    return value;
  };
  return either() && tokens.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const unknown = findUnknownLicences();
    if (unknown.length > 0) {
      throw new UserError(
        `these licences are not allowed: ${unknown.join("; ")}. Replace the dependency, or allow the licence in deny.toml`,
      );
    }
    printStatus("all licences are allowed");
  });
}
