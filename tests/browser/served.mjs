// What most of these files need: the repository, served, and a browser, until the last test of the file has ended.
import { after } from "node:test";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

/** Documents beside those of the repository, by path; a file puts its own here. */
export const pages = {};
export const server = await serve({ pages });
export const browser = await launch();

after(async () => {
  await browser.close();
  await server.close();
});
