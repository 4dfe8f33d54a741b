// The first page, opened, and what it shows.
import { withPage } from "./browser.mjs";
import { browser, server } from "./served.mjs";

export const desk = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };

export const open = (options, body, hash = "") =>
  withPage(browser, `${server.url}/www/dist/${hash}`, options, body);

/** The answer to a question stands, and nothing is under way. */
export async function answered(page, question) {
  await page.waitForFunction(
    (words) =>
      document.querySelector('#story-stage [data-id="question"]')?.textContent === words &&
      document.querySelector("#story-play")?.textContent === "Play again",
    question,
    { timeout: 60_000 },
  );
}

export const rows = (page) =>
  page.$$eval('#story-stage [data-id="row"]', (list) =>
    list.map((row) => ({
      name: row.querySelector('[data-id="row_name"]').textContent,
      detail: row.querySelector('[data-id="row_detail"]').textContent,
      figure: row.querySelector('[data-id="row_figure"]').textContent,
    })),
  );
