// Server of the repository, with the package bundled, and browser of a test file, closed after its last test.
import { after } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { bundlePackage } from "./bundle.mjs";
import { serve } from "./server.mjs";

/** Additional documents of the server by path. Test files add their own. */
export const pages = {};
export const server = await serve({ pages, first: await bundlePackage() });
export const browser = await launchBrowser();

after(async () => {
  await browser.close();
  await server.close();
});
