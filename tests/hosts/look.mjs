// Looks at a page of a host in Chromium: it shows what the program said, and fetched one module at most.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withPage } from "../browser/browser.mjs";

/** Opens a page that must not complain; `wasm` is how many modules it may fetch. */
export async function look(browser, url, answer, { wasm = 1, also = () => {} } = {}) {
  await withPage(browser, url, {}, async (page) => {
    await page.waitForSelector("#app[data-result]", { state: "attached" });
    const { result, text } = await page.evaluate(() => {
      const { dataset, innerText } = document.querySelector("#app");
      return { result: JSON.parse(dataset.result), text: innerText };
    });
    assert.deepEqual(result, answer);
    // What a screen reader is told may follow.
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

/** What was built holds the WebAssembly once: as a file, or in the code. */
export function shippedOnce(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const files = paths.filter((path) => path.endsWith(".wasm")).length;
  // How the bytes of every module begin, in base64.
  const inlined = paths
    .filter((path) => path.endsWith(".js"))
    .filter((path) => readFileSync(path, "utf8").includes("AGFzbQEAAAA")).length;
  assert.equal(files + inlined, 1, `${files} files and ${inlined} in the code`);
}
