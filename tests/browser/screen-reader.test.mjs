// Output for screen readers: names of controls, their errors, and the end of loading.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const shown = (page, components, nodes) =>
  page.evaluate(([components, nodes]) => show(components, nodes), [components, nodes]);

testInPage(
  "a picker is called by its label, by its `accessibility`, or else by its id",
  async (page) => {
    const options = [{ label: "Small", value: "s" }];
    await shown(page, [
      { id: "root", component: "Column", children: ["size", "named", "labelled"] },
      { id: "size", component: "ChoicePicker", options, value: [] },
      { id: "named", component: "ChoicePicker", options, accessibility: { label: "Cut" } },
      { id: "labelled", component: "ChoicePicker", options, label: "Colour" },
    ]);
    for (const name of ["size", "Cut", "Colour"])
      assert.equal(await page.getByRole("group", { name, exact: true }).count(), 1, name);
  },
);

testInPage(
  "a date outside of its limits is reported with the message of the browser",
  async (page) => {
    await shown(
      page,
      [
        {
          id: "root",
          component: "DateTimeInput",
          label: "Day",
          enableDate: true,
          value: bindTo("day"),
          min: "2026-02-01",
          max: "2026-02-28",
        },
      ],
      { root: { day: "2026-02-03" } },
    );
    const day = page.getByLabel("Day");
    await day.fill("2026-03-01");
    assert.equal(await page.getByRole("alert").count(), 0);
    await day.blur();
    assert.match(await page.getByRole("alert").innerText(), /2026/);
    assert.equal(await day.getAttribute("aria-invalid"), "true");
    await day.fill("2026-02-28");
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.equal(await day.getAttribute("aria-invalid"), null);
  },
);

testInPage("a failed check is announced once, not with each key", async (page) => {
  const check = { call: "length", args: { value: bindTo("name"), min: 5 } };
  await shown(page, [
    {
      id: "root",
      component: "TextField",
      label: "Name",
      value: bindTo("name"),
      checks: [{ condition: check, message: "five letters at least" }],
    },
  ]);
  await page.getByLabel("Name").fill("a");
  await page.getByLabel("Name").blur();
  assert.equal(await page.getByRole("alert").innerText(), "five letters at least");
  await page.evaluate(() => {
    window.mutations = 0;
    new MutationObserver((all) => (mutations += all.length)).observe(
      document.querySelector("[role=alert]"),
      { childList: true, characterData: true, subtree: true },
    );
  });
  await page.getByLabel("Name").pressSequentially("bcd");
  assert.equal(await page.evaluate(() => mutations), 0);
  await page.getByLabel("Name").pressSequentially("e");
  assert.equal(await page.getByRole("alert").count(), 0);
});

testInPage(
  "a component that is missing for ten seconds does not keep the surface busy",
  async (page) => {
    await page.clock.install();
    await shown(page, [
      { id: "root", component: "Column", children: ["here", "never"] },
      { id: "here", component: "Text", text: "here" },
    ]);
    const busy = () => page.locator(".bn-surface").getAttribute("aria-busy");
    await page.clock.fastForward(9_000);
    assert.equal(await busy(), "true");
    await page.clock.fastForward(1_000);
    assert.equal(await busy(), null);
    await page.evaluate(() => describe([{ id: "root", component: "Text", text: "all" }]));
    assert.equal(await busy(), null);
  },
);

testInPage(
  "a tab panel has the name of its tab, also after a tab without content",
  async (page) => {
    await shown(page, [
      { id: "root", component: "Tabs", tabs: [{ title: "A" }, { title: "B", child: "b" }] },
      { id: "b", component: "Text", text: "what is in B" },
    ]);
    assert.deepEqual(await page.getByRole("tab").allInnerTexts(), ["B"]);
    assert.equal(await page.getByRole("tabpanel", { name: "B" }).innerText(), "what is in B");
  },
);
