// Tools of `byname/tools` in Chromium's WebMCP, which a flag enables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { findBrowser } from "../../scripts/setup.mjs";
import { withPage } from "./browser.mjs";
import { pages, server } from "./fixture.mjs";

pages["/web-mcp.html"] = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import { graphTools, registerWebMcp } from "/pkg/tools.js";
  import { GaslSession, Graph, init } from "/pkg/index.web.js";
  await init();
  const graph = Graph.fromCsv({ edges: "source,target\\na,b" });
  window.offer = () => registerWebMcp(window.modelContext, graphTools(new GaslSession({ graph })));
  window.modelContext = document.modelContext ?? navigator.modelContext;
  window.isReady = true;
</script>`;

test("the agent of the browser calls a tool", async (t) => {
  const args = ["--no-sandbox", "--disable-gpu", "--enable-features=WebMCP,WebMCPTesting"];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    await withPage(browser, `${server.url}/web-mcp.html`, {}, async (page) => {
      await page.waitForFunction(() => window.isReady);
      const found = await page.evaluate(() => ({
        hasContext: typeof window.modelContext?.registerTool === "function",
        hasTesting: typeof navigator.modelContextTesting?.executeTool === "function",
      }));
      if (!found.hasContext || !found.hasTesting) {
        t.skip("this Chromium has no WebMCP, or no interface for tests of it");
        return;
      }
      const names = () =>
        page.evaluate(async () => {
          const tools = await navigator.modelContextTesting.listTools();
          return tools.map(({ name }) => name).sort();
        });
      await page.evaluate(() => {
        window.withdraw = window.offer();
      });
      assert.deepEqual(await names(), ["describe_graph", "evidence", "run_plan", "show_rows"]);
      const answer = await page.evaluate(() =>
        navigator.modelContextTesting.executeTool(
          "run_plan",
          JSON.stringify({ commands: ["FIND nodes AS x"] }),
        ),
      );
      assert.match(JSON.stringify(answer), /total\W+2/);
      await page.evaluate(() => window.withdraw());
      assert.deepEqual(await names(), []);
    });
  } finally {
    await browser.close();
  }
});
