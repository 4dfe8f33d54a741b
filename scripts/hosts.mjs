// Sets up target/hosts: the hosts of tests/hosts as locked, and byname as its users get it, from the packed file.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { output, root, run, say, Trouble } from "./run.mjs";
import { unlessFresh } from "./stamp.mjs";

const folder = "target/hosts";

// npm asks nobody whether it is the newest, and the hosts run no script of their own.
const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];

/** The hosts themselves. Some come as programs, which npm leaves out where there is none for the machine. */
export async function ensureHosts() {
  const step = async () => {
    say("installing the hosts of tests/hosts");
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) {
      copyFileSync(join(root, "tests/hosts", name), join(root, folder, name));
    }
    // Not `npm ci`, which wants a program for every kind of machine to be in the lock file, and some
    // releases lack one.
    await run("npm", ["install", "--prefix", folder, "--include=dev", "--silent", ...quietly], {
      advice:
        "the hosts of tests/hosts could not be installed; check the network, then run this again",
    });
  };
  const inputs = ["tests/hosts/package.json", "tests/hosts/package-lock.json"];
  await unlessFresh("target/stamps/hosts", { inputs, products: [`${folder}/node_modules`] }, step);
}

/** Packs what is built, and installs that file as a project would. */
export async function installPacked() {
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const stored = output("npm", packing);
  if (!stored) throw new Trouble("`npm pack` failed; run it to see why");
  // npm 11 prints a list; later ones print an object by package name.
  const [{ filename }] = Object.values(JSON.parse(stored));
  // The version is always the same, so npm would keep the last one.
  rmSync(join(root, folder, "node_modules/byname"), { recursive: true, force: true });
  const file = join(root, folder, filename);
  await run("npm", ["install", "--prefix", folder, "--no-save", "--silent", ...quietly, file]);
}
