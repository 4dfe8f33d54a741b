// Limit of the elements of a mounted surface: a part that does not fit is omitted and reported.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

/** Columns that each show the next one `width` times: `width ** depth` texts at the end. */
const nested = (depth, width) => [
  ...Array.from({ length: depth }, (_, level) => ({
    id: level === 0 ? "root" : `l${level}`,
    component: "Column",
    children: Array.from({ length: width }, (_, at) => `${level}_${at}`),
  })),
  ...Array.from({ length: depth }, (_, level) =>
    Array.from({ length: width }, (_, at) => ({
      id: `${level}_${at}`,
      component: level + 1 < depth ? "Card" : "Text",
      ...(level + 1 < depth ? { child: `l${level + 1}` } : { text: "leaf" }),
    })),
  ).flat(),
];

testInPage("a surface that is too large is not created, and is reported", async (page) => {
  const { elements, shown, codes } = await page.evaluate(
    (components) => {
      show([{ id: "root", component: "Text", text: "before" }]);
      const { diagnostics } = describe(components);
      return {
        elements: document.querySelectorAll("#host *").length,
        shown: document.querySelector(".bn-surface").textContent,
        codes: [diagnostics, surface.diagnostics()].map((all) => all.map(({ code }) => code)),
      };
    },
    nested(6, 7),
  );
  assert.equal(shown, "This part is too large to display");
  assert.ok(elements < 10, `${elements} elements`);
  assert.deepEqual(codes, [["HAM050"], ["HAM050"]]);
});

testInPage("`maxElements` sets the limit, and a part that fits later is shown", async (page) => {
  const text = (id) => ({ id, component: "Text", text: id });
  const row = (id, count) => ({ id, component: "Row", children: Array(count).fill("leaf") });
  const read = () =>
    page.evaluate(() => ({
      leaves: document.querySelectorAll("[data-id=leaf]").length,
      codes: surface.diagnostics().map(({ code, location }) => `${code} ${location.pointer}`),
    }));
  await page.evaluate(
    (components) => show(components, {}, { maxElements: 50 }),
    [{ id: "root", component: "Column", children: ["a"] }, row("a", 30), text("leaf")],
  );
  assert.deepEqual(await read(), { leaves: 30, codes: [] });
  const root = { id: "root", component: "Column", children: ["a", "b"] };
  await page.evaluate((components) => describe(components), [root, row("b", 40)]);
  assert.deepEqual(await read(), { leaves: 30, codes: ["HAM050 /b"] });
  await page.evaluate((components) => describe(components), [{ ...root, children: ["b"] }]);
  assert.deepEqual(await read(), { leaves: 40, codes: [] });
});

testInPage("a property with too many options is omitted, and returns", async (page) => {
  const counts = await page.evaluate((value) => {
    const pick = { id: "root", component: "ChoicePicker", value: [], options: value };
    show([pick], { root: { options: [{ label: "A", value: "a" }] } }, { maxElements: 1000 });
    const boxes = () => document.querySelectorAll("#host input[type=radio]").length;
    const found = [boxes()];
    for (const length of [5000, 2]) {
      const options = Array.from({ length }, (_, at) => ({ label: "A", value: `${at}` }));
      store.apply({ root: { options } });
      found.push(boxes(), surface.diagnostics().length);
    }
    return found;
  }, bindTo("options"));
  assert.deepEqual(counts, [1, 0, 1, 2, 0]);
});

testInPage("a long list counts the rows that it draws", async (page) => {
  const { codes, rows } = await page.evaluate(
    (children) => {
      const row = { id: "row", component: "Text", text: { binding: { key: "name" } } };
      const items = Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [`i${at}`, { name: `Item ${at}` }]),
      );
      const list = Object.keys(items).map((id) => `*${id}`);
      show(
        [{ id: "root", component: "List", children }, row],
        { root: { list }, ...items },
        {
          maxElements: 500,
        },
      );
      return {
        codes: surface.diagnostics().map(({ code }) => code),
        rows: document.querySelectorAll("[data-id=row]").length,
      };
    },
    { binding: { key: "list" }, template: "row" },
  );
  assert.deepEqual(codes, []);
  assert.ok(rows > 0 && rows < 500, `${rows} rows`);
});

/** Reads the number of elements and the codes, and whether the page still reacts. */
const measure = (page) =>
  page.evaluate(async () => {
    await settled();
    return {
      elements: document.querySelectorAll("#host *").length,
      codes: surface.diagnostics().map(({ code, location }) => `${code} ${location.pointer}`),
    };
  });
const longList = [
  { id: "root", component: "Column", children: ["head", "list"] },
  { id: "head", component: "Text", text: "Head" },
  { id: "list", component: "List", children: { binding: { key: "list" }, template: "row" } },
  { id: "row", component: "Text", text: { binding: { key: "name" } } },
];
const showRows = (page, count) =>
  page.evaluate((count) => {
    const ids = Array.from({ length: count }, (_, at) => `i${at}`);
    store.apply({ ...Object.fromEntries(ids.map((id) => [id, { name: id }])) });
    store.apply({ root: { list: ids.map((id) => `*${id}`) } });
  }, count);

testInPage("50,000 rows without windowing are bounded, at once and in steps", async (page) => {
  for (const steps of [[50_000], [9000, 50_000]]) {
    await page.evaluate((form) => show(form, {}, { windowAbove: 1e9 }), longList);
    for (const count of steps) await showRows(page, count);
    const { elements, codes } = await measure(page);
    assert.ok(elements < 20_000, `${elements} elements`);
    assert.deepEqual(codes, ["HAM050 /list"]);
    await showRows(page, 3);
    assert.deepEqual(await measure(page), { elements: 11, codes: [] });
    await page.evaluate(() => stop());
  }
});

testInPage("a stopped renderer leaves no diagnostics", async (page) => {
  const codes = await page.evaluate((form) => {
    show(form, {}, { maxElements: 1 });
    const found = surface.diagnostics().length;
    stop();
    return [found, surface.diagnostics().length];
  }, longList);
  assert.deepEqual(codes, [1, 0]);
});
