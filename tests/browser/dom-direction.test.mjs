// Direction of the text that data supply: each text follows its own first letters.
import assert from "node:assert/strict";
import { testInPage } from "./dom-page.mjs";

const directionOf = (page, selector) =>
  page.evaluate((one) => getComputedStyle(document.querySelector(one)).direction, selector);

testInPage("a text, a label and a field take the direction of their letters", async (page) => {
  await page.evaluate(() =>
    show(
      make("root", "Column", {}, [
        make("arabic", "Text", { text: "التقرير جاهز: افتح (report.pdf) الآن!" }),
        make("english", "Text", { text: "The report is ready" }),
        make("blocks", "Text", { text: "First\n\nالتقرير جاهز\n\n- שלום" }),
        make("field", "TextField", { label: "الاسم", value: "סלמה" }),
      ]),
    ),
  );
  assert.equal(await directionOf(page, "[data-id=arabic]"), "rtl");
  assert.equal(await directionOf(page, "[data-id=english]"), "ltr");
  assert.equal(await directionOf(page, "[data-id=blocks] p:nth-of-type(1)"), "ltr");
  assert.equal(await directionOf(page, "[data-id=blocks] p:nth-of-type(2)"), "rtl");
  assert.equal(await directionOf(page, "[data-id=blocks] li"), "rtl");
  assert.equal(await directionOf(page, "[data-id=field] label"), "rtl");
  assert.equal(await directionOf(page, "[data-id=field] input"), "rtl");
});

testInPage("titles of tabs and options of a choice have their own direction", async (page) => {
  await page.evaluate(() =>
    show(
      make("root", "Column", {}, [
        make("tabs", "Tabs", { tabs: [{ title: "שלום", child: "a" }] }, [
          make("a", "Text", { text: "A" }),
        ]),
        make("pick", "ChoicePicker", {
          label: "Language",
          value: [],
          options: [{ label: "العربية", value: "ar" }],
        }),
      ]),
    ),
  );
  assert.equal(await directionOf(page, "[data-id=tabs] [role=tab]"), "rtl");
  assert.equal(await directionOf(page, "[data-id=pick] legend"), "ltr");
  assert.equal(await directionOf(page, "[data-id=pick] .bn-option span"), "rtl");
});
