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
      // Chromium 156 has `getTools` and `executeTool`; earlier versions have an interface for tests.
      const hasTools = await page.evaluate(() => {
        const context = window.modelContext;
        const testing = navigator.modelContextTesting;
        if (typeof context?.registerTool !== "function") return false;
        if (typeof context.getTools === "function") {
          window.listTools = () => context.getTools();
          window.callTool = async (name, args) => {
            const tool = (await context.getTools()).find((one) => one.name === name);
            return context.executeTool(tool, args);
          };
        } else if (typeof testing?.executeTool === "function") {
          window.listTools = () => testing.listTools();
          window.callTool = (name, args) => testing.executeTool(name, JSON.stringify(args));
        } else return false;
        return true;
      });
      if (!hasTools) {
        t.skip(`no WebMCP in this Chromium with ${args.at(-1)}`);
        return;
      }
      const names = () =>
        page.evaluate(async () => (await listTools()).map(({ name }) => name).sort());
      await page.evaluate(() => {
        window.withdraw = window.offer();
      });
      assert.deepEqual(await names(), ["describe_graph", "evidence", "run_plan", "show_rows"]);
      const answer = await page.evaluate(() =>
        callTool("run_plan", { commands: ["FIND nodes AS x"] }),
      );
      assert.match(JSON.stringify(answer), /total\W+2/);
      const wrong = await page.evaluate(() => callTool("run_plan", { commands: 1 }));
      assert.match(JSON.stringify(wrong), /commands/);
      await page.evaluate(() => window.withdraw());
      assert.deepEqual(await names(), []);
    });
  } finally {
    await browser.close();
  }
});
