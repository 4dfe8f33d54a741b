// Opens a page of a host in Chromium: it must show the result of the program and fetch at most one module.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withPage } from "../browser/browser.mjs";

/** Opens a page that must not report errors; `wasm` is the number of modules that it fetches. */
export async function look(browser, url, answer, { wasm = 1, also = () => {} } = {}) {
  await withPage(browser, url, {}, async (page) => {
    await page.waitForSelector("#app[data-result]", { state: "attached" });
    const { result, text } = await page.evaluate(() => {
      const { dataset, innerText } = document.querySelector("#app");
      return { result: JSON.parse(dataset.result), text: innerText };
    });
    assert.deepEqual(result, answer);
    // Text for screen readers may follow.
    if (text) assert.ok(text.trim().startsWith(answer.said ?? "Grace\nAda Lovelace"), text);
    const fetched = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .filter((name) => new URL(name).pathname.endsWith(".wasm")),
    );
    assert.equal(fetched.length, wasm, fetched.join(" "));
    await also(page);
  });
}

/** Checks that a build contains the WebAssembly once: as a file, or in the code. */
export function shippedOnce(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const files = paths.filter((path) => path.endsWith(".wasm")).length;
  // Prefix of every WebAssembly module in base64.
  const inlined = paths
    .filter((path) => path.endsWith(".js"))
    .filter((path) => readFileSync(path, "utf8").includes("AGFzbQEAAAA")).length;
  assert.equal(files + inlined, 1, `${files} files and ${inlined} in the code`);
}
