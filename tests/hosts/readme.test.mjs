// Installs the packed file in an empty folder without a network, and runs the first example of its README there.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hosts, run } from "./project.mjs";

const tarball = readdirSync(hosts).find((name) => name.endsWith(".tgz"));

test("the first example of the README runs where only the packed file is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "byname-readme-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const offline = ["--offline", "--no-audit", "--no-fund", "--no-update-notifier"];
    await run(folder, "npm", "install", join(hosts, tarball), ...offline);
    assert.deepEqual(readdirSync(join(folder, "node_modules")).filter(isPackage), ["byname"]);

    const readme = readFileSync(join(folder, "node_modules/byname/README.md"), "utf8");
    const [, example] = /^```js run\n(.*?)^```$/ms.exec(readme);
    writeFileSync(join(folder, "example.js"), example);
    assert.equal(
      await run(folder, process.execPath, "example.js"),
      "u2 is now Bert\nu2 is now Bob\n",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const isPackage = (name) => !name.startsWith(".");
