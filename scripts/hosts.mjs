// Installs the hosts of tests/hosts as locked, and byname from its packed file, into target/hosts.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { printStatus, readOutput, root, run, UserError } from "./run.mjs";
import { listFiles, runIfStale } from "./stamp.mjs";

const folder = "target/hosts";

// Disables the update check of npm and the install scripts of the hosts.
const npmOptions = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];

/** Installs the hosts. npm skips those that are native programs and have no build for this machine. */
export async function ensureHosts() {
  const step = async () => {
    printStatus("installing the hosts of tests/hosts");
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) {
      copyFileSync(join(root, "tests/hosts", name), join(root, folder, name));
    }
    // Not `npm ci`, because it requires a program for every platform in the lock file, and some releases
    // lack one.
    await run("npm", ["install", "--prefix", folder, "--include=dev", "--silent", ...npmOptions], {
      advice:
        "the hosts of tests/hosts could not be installed; check the network, then run this again",
    });
  };
  const inputs = ["tests/hosts/package.json", "tests/hosts/package-lock.json"];
  await runIfStale("target/stamps/hosts", { inputs, products: [`${folder}/node_modules`] }, step);
}

/** Packs the built package and installs the file, unless the contents of the package are unchanged. */
export async function installPacked() {
  const documents = ["README.md", "LICENSE", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"];
  const inputs = [
    ...["package.json", "tests/hosts/package-lock.json", ...documents],
    ...[...listFiles("pkg"), ...listFiles("docs")],
  ];
  const products = [`${folder}/node_modules/byname/package.json`];
  await runIfStale("target/stamps/packed", { inputs, products }, async () => {
    const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const packed = readOutput("npm", packing);
    if (!packed) throw new UserError("`npm pack` failed; run it to see why");
    // npm 11 prints an array, later versions an object by package name.
    const [{ filename }] = Object.values(JSON.parse(packed));
    // Removed first, because npm keeps an installed package of the same version.
    rmSync(join(root, folder, "node_modules/byname"), { recursive: true, force: true });
    const file = join(root, folder, filename);
    await run("npm", ["install", "--prefix", folder, "--no-save", "--silent", ...npmOptions, file]);
  });
}
