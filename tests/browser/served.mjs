// What most of these files need: the repository, served, and a browser, until the last test of the file has ended.
import { after } from "node:test";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

export const server = await serve();
export const browser = await launch();

after(async () => {
  await browser.close();
  await server.close();
});
