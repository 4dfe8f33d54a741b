// Date inputs in a browser: shown and edited in the zone of the reader, like `formatDate`.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const components = [
  { id: "root", component: "Column", children: ["when", "text"] },
  {
    id: "when",
    component: "DateTimeInput",
    label: "When",
    enableDate: true,
    enableTime: true,
    value: bindTo("when"),
  },
  {
    id: "text",
    component: "Text",
    text: { call: "formatDate", args: { value: bindTo("when"), format: "MMM d, h:mm a" } },
  },
];
const open = (page, when, options = {}) =>
  page.evaluate(
    ([components, when, options]) => show(components, { root: { when } }, options),
    [components, when, options],
  );
const state = async (page) => [
  await page.getByLabel("When").inputValue(),
  await page.locator("[data-id=text]").innerText(),
  await page.evaluate(() => store.get("root").when),
];

testInPage(
  "an instant is edited in the zone of the browser and stays an instant",
  async (page) => {
    await open(page, "2026-06-17T14:30:00Z");
    assert.deepEqual(await state(page), [
      "2026-06-17T10:30",
      "Jun 17, 10:30 AM",
      "2026-06-17T14:30:00Z",
    ]);
    // Clearing the control on the way does not lose the zone.
    await page.getByLabel("When").fill("");
    assert.equal((await state(page))[2], "");
    await page.getByLabel("When").fill("2026-06-18T08:33");
    assert.deepEqual(await state(page), [
      "2026-06-18T08:33",
      "Jun 18, 8:33 AM",
      "2026-06-18T12:33:00Z",
    ]);
  },
  { timezoneId: "America/New_York", locale: "en-US" },
);

testInPage(
  "a value without a zone is a wall-clock time, and `timeZone` sets another zone",
  async (page) => {
    await open(page, "2026-03-08T02:30");
    assert.deepEqual(await state(page), ["2026-03-08T02:30", "Mar 8, 2:30 AM", "2026-03-08T02:30"]);
    await page.evaluate(() => stop());
    await open(page, "2026-06-17T14:30:00Z", { timeZone: "Asia/Tokyo" });
    assert.deepEqual((await state(page)).slice(0, 2), ["2026-06-17T23:30", "Jun 17, 11:30 PM"]);
    await page.getByLabel("When").fill("2026-06-18T09:00");
    assert.equal((await state(page))[2], "2026-06-18T00:00:00Z");
  },
  { timezoneId: "America/New_York", locale: "en-US" },
);
