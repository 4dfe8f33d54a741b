// Page in which @a2ui/lit and byname render the same messages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "./browser.mjs";

const peer = fileURLToPath(new URL("../side-by-side/", import.meta.url));
const origin = "http://side-by-side.test/";

/** Returns whether @a2ui/lit is installed, and installs it if possible. */
function hasPeer() {
  if (existsSync(`${peer}node_modules/@a2ui/lit`)) return true;
  const args = ["ci", "--prefix", peer, "--no-audit", "--no-fund"];
  return spawnSync("npm", args, { stdio: "ignore" }).status === 0;
}

/** Reason to skip the tests, or false. */
export const skip = hasPeer()
  ? false
  : "@a2ui/lit cannot be installed: `npm ci --prefix tests/side-by-side`";

/** The page, from the first test on, and the errors that it reports. */
export const pair = { page: undefined, errors: [] };

let browser;
before(async () => {
  if (skip) return;
  const { bundle } = await import("../side-by-side/build.mjs");
  const code = await bundle();
  browser = await launchBrowser();
  const page = await browser.newPage();
  page.on("pageerror", (error) => pair.errors.push(String(error)));
  // Pictures of other servers are not requested.
  const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await page.route("**/*", (route) => {
    const url = route.request().url();
    // Media keep loading, because a failure would change their name at some time.
    if (route.request().resourceType() === "media") return undefined;
    if (url === origin) {
      const body =
        '<!doctype html><html lang="en"><title>both</title><body></body><script type="module" src="page.js"></script>';
      return route.fulfill({ contentType: "text/html", body });
    }
    if (url === `${origin}page.js`)
      return route.fulfill({ contentType: "text/javascript", body: code });
    return route.fulfill({ contentType: "image/svg+xml", body: picture });
  });
  await page.goto(origin);
  await page.waitForFunction(() => window.compare);
  pair.page = page;
});
after(async () => {
  await browser?.close();
});
