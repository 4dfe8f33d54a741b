// Software bill of materials (CycloneDX 1.6): the package, the crates whose code is in its WebAssembly, and those that
// generated code for it. The same commit gives the same text.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput, root, UserError } from "./run.mjs";

const target = "wasm32-unknown-unknown";

/** Returns the bill of materials as JSON text. */
export function billOfMaterials() {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const self = `pkg:npm/${name}@${version}`;
  const { components, dependencies } = cratesOfPackage(self);
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": self,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: self,
      },
    },
    components,
    dependencies,
  };
  const hash = createHash("sha256").update(JSON.stringify(bill)).digest("hex");
  // A UUID of version 8, whose bits are free, of the contents.
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `${JSON.stringify({ ...bill, serialNumber: `urn:uuid:${uuid.join("-")}` }, null, 2)}\n`;
}

/** Returns the crates that the WebAssembly needs, as components, and their dependencies. */
function cratesOfPackage(self) {
  const text = readOutput("cargo", [
    "metadata",
    "--format-version=1",
    "--locked",
    "--filter-platform",
    target,
  ]);
  if (text === undefined) throw new UserError("`cargo metadata --locked` failed");
  const { packages, resolve } = JSON.parse(text);
  const checksums = readChecksums();
  const packageById = new Map(packages.map((crate) => [crate.id, crate]));
  const nodeById = new Map(resolve.nodes.map((node) => [node.id, node]));
  // Tests and build scripts are not part of the package.
  const dependenciesOf = (id) =>
    nodeById.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null));
  const isMacro = (id) =>
    packageById.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
  const references = new Map();
  const visit = (id, isTool) => {
    const wasTool = references.get(id);
    if (wasTool === false || (wasTool === true && isTool)) return;
    references.set(id, isTool);
    for (const { pkg } of dependenciesOf(id)) visit(pkg, isTool || isMacro(pkg));
  };
  const top = packages.find(({ name }) => name === "byname").id;
  visit(top, false);
  const refOf = (id) => (id === top ? self : purlOf(packageById.get(id)));
  const ids = [...references.keys()].sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
  const components = ids
    .filter((id) => id !== top)
    .map((id) => component(packageById.get(id), checksums, references.get(id)));
  const dependencies = ids.map((id) => ({
    ref: refOf(id),
    dependsOn: dependenciesOf(id)
      .map(({ pkg }) => refOf(pkg))
      .sort(),
  }));
  return { components, dependencies };
}

function purlOf({ name, version }) {
  return `pkg:cargo/${name}@${version}`;
}

function component(crate, checksums, isTool) {
  const { name, version, license, description, repository } = crate;
  const checksum = checksums.get(`${name} ${version}`);
  return {
    type: "library",
    "bom-ref": purlOf(crate),
    name,
    version,
    ...(description && { description: description.trim() }),
    // Code of macros and what they need runs while the package is built.
    scope: isTool ? "excluded" : "required",
    ...(checksum && { hashes: [{ alg: "SHA-256", content: checksum }] }),
    licenses: [{ expression: license.replaceAll("/", " OR ") }],
    purl: purlOf(crate),
    ...(repository && { externalReferences: [{ type: "vcs", url: repository }] }),
  };
}

/** Returns the checksums of Cargo.lock by name and version. */
function readChecksums() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const pattern = /name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"/g;
  return new Map(
    [...lock.matchAll(pattern)].map(([, name, version, hash]) => [`${name} ${version}`, hash]),
  );
}
