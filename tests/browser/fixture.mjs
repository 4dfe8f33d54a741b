// Servers of the repository and browser of a test file, closed after its last test.
import { after } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { bundlePackage } from "./bundle.mjs";
import { serve } from "./server.mjs";

/** Additional documents of the server by path. Test files add their own. */
export const pages = {};
/** Server with the package bundled, because its pages load faster. */
export const server = await serve({ pages, bundle: await bundlePackage() });
/** Server with the modules of the package as they are published. */
export const published = await serve({ pages });
export const browser = await launchBrowser();

after(async () => {
  await browser.close();
  await server.close();
  await published.close();
});
