// The story, which is the first page of the playground.
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";

export const desk = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };

export const openStory = (options, body, hash = "") =>
  withPage(browser, `${server.url}/www/dist/${hash}`, options, body);

/** Waits until the answer to a question is displayed and no run is active. */
export async function waitForAnswer(page, question) {
  await page.waitForFunction(
    (words) =>
      document.querySelector('#story-stage [data-id="question"]')?.textContent === words &&
      document.querySelector("#story-play")?.textContent === "Play again",
    question,
    { timeout: 60_000 },
  );
}

export const readRows = (page) =>
  page.$$eval('#story-stage [data-id="row"]', (list) =>
    list.map((row) => ({
      name: row.querySelector('[data-id="row_name"]').textContent,
      detail: row.querySelector('[data-id="row_detail"]').textContent,
      figure: row.querySelector('[data-id="row_figure"]').textContent,
    })),
  );
