// The steps of the examples of the Surface page: no step is reported to lack a node that another step sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";

for (const example of ["users", "team", "form", "profile", "pieces", "rows"]) {
  test(`no step of ${example} is reported to lack a node`, async () => {
    const options = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" };
    const address = `${server.url}/www/dist/index.html#${example}`;
    await withPage(browser, address, options, async (page) => {
      const bench = page.locator('[data-bench="surface"]');
      await bench.getByRole("button", { name: "Pause" }).click();
      const steps = page.getByRole("button", { name: /^\d+\. / });
      const count = await steps.count();
      assert.ok(count > 1, "the example has steps");
      for (let index = 0; index < count; index += 1) {
        await steps.nth(index).click();
        const problems = await page.locator("#diagnostics .problem").allTextContents();
        assert.doesNotMatch(problems.join(), /HAM009/, `step ${index + 1}`);
      }
    });
  });
}
