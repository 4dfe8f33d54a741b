// Long lists of a real surface: rows are rendered when they become visible.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname":"/pkg/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<div id="host" style="width:600px"></div>
<script type="module">
import { init, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
await init();
const components = [
  { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Row", children: ["name", "note"] },
  { id: "name", component: "Text", text: { binding: { key: "name" } } },
  { id: "note", component: "Text", text: "a row" },
];
window.make = (count, options, late) => {
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  const ids = Array.from({ length: count }, (_, at) => "r" + at);
  window.store = surface.store;
  window.ids = ids;
  const fill = () => {
    store.apply(Object.fromEntries(ids.map((id) => [id, { name: "name of " + id }])));
    order(ids);
  };
  if (!late) fill();
  mount(surface, document.querySelector("#host"), options);
  if (late) fill();
};
window.order = (ids) => store.apply({ root: { rows: ids.map((id) => "*" + id) } });
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.shown = () => [...document.querySelectorAll("[role=listitem]")].map((item) => item.innerText.split("\\n")[0]);
window.ready = true;
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({ pages: { "/long.html": html } });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const late of [false, true]) {
  const when = late ? "that come when the surface is mounted" : "that are there when it is mounted";
  test(`10,000 rows ${when}`, async () => {
    await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const seen = await page.evaluate(async (late) => {
        make(10_000, {}, late);
        await settled();
        const begin = shown();
        const sizes = document.querySelector("[role=listitem]").getAttribute("aria-setsize");
        // Rows that were never visible are changed, removed and added.
        store.apply({ r9999: { name: "changed" }, r9997: { name: "changed too" } });
        order(["new", ...ids.filter((id) => id !== "r9998")]);
        store.apply({ new: { name: "new" } });
        await settled();
        const first = shown()[0];
        scrollTo(0, document.documentElement.scrollHeight);
        await settled();
        await settled();
        return { begin, sizes, first, end: shown().slice(-3), count: shown().length };
      }, late);
      assert.deepEqual(seen.begin.slice(0, 3), ["name of r0", "name of r1", "name of r2"]);
      assert.ok(seen.begin.length < 200, `${seen.begin.length} rows stand`);
      assert.equal(seen.sizes, "10000");
      assert.equal(seen.first, "new");
      assert.deepEqual(seen.end, ["name of r9996", "changed too", "changed"]);
      assert.ok(seen.count < 200, `${seen.count} rows stand`);
    });
  });

  test(`150 rows ${when}, all of them in the document`, async () => {
    await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const seen = await page.evaluate(async (late) => {
        make(150, { windowAbove: 1000 }, late);
        await settled();
        return [...document.querySelectorAll("#host [data-id=name]")].map((one) => one.textContent);
      }, late);
      assert.deepEqual(
        seen,
        Array.from({ length: 150 }, (_, at) => `name of r${at}`),
      );
    });
  });
}

test("10,000 rows in a scrolling box do not make the page scroll", async () => {
  await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate(async () => {
      const host = document.querySelector("#host");
      host.style.cssText = "height:400px;overflow:auto";
      make(10_000, {}, false);
      await settled();
      const status = host.querySelector("[role=status]");
      const { scrollHeight } = document.documentElement;
      return {
        page: scrollHeight - innerHeight,
        box: host.scrollHeight,
        status: status.checkVisibility(),
      };
    });
    assert.equal(seen.page, 0);
    assert.ok(seen.box > 100_000, `the box is ${seen.box} px long`);
    assert.ok(seen.status, "screen readers would not announce the status");
  });
});

test("rows added below the visible range extend the list, and can be scrolled to", async () => {
  await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate(async () => {
      make(300, {});
      await settled();
      const item = () => document.querySelector("[role=listitem]");
      const list = item().parentElement;
      const state = () => [item().getAttribute("aria-setsize"), shown()[0], list.scrollHeight];
      const before = state();
      order([...ids, ...Array.from({ length: 2_000 }, (_, at) => `later${at}`)]);
      const row = (at) => store.apply({ [`later${at}`]: { name: `late ${at}` } });
      row(0);
      const first = state();
      for (let at = 1; at < 1_000; at += 1) row(at);
      await settled();
      const many = state();
      // Together with a removed row, and one inserted at the start.
      row(1_000);
      store.apply({ "!r0": null, later1001: { name: "late 1001" } });
      const gone = state();
      row(1_002);
      window.scrollTo(0, document.documentElement.scrollHeight);
      await settled();
      await settled();
      return { before, first, many, gone, last: shown().at(-1), count: shown().length };
    });
    const [, , height] = seen.before;
    const each = height / 300;
    const right = ([size, top, tall], rows, name) => {
      assert.deepEqual([size, top], [String(rows), name]);
      assert.ok(Math.abs(tall - each * rows) < each, `${tall} for ${rows} rows of ${each}`);
    };
    right(seen.before, 300, "name of r0");
    right(seen.first, 301, "name of r0");
    right(seen.many, 1_300, "name of r0");
    right(seen.gone, 1_301, "name of r1");
    assert.equal(seen.last, "late 1002");
    assert.ok(seen.count < 200);
  });
});

test("components that arrive below the visible range are checked once per frame", async () => {
  await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate(async () => {
      const { Surface } = await import("byname");
      const { mount } = await import("byname/dom");
      const surface = new Surface();
      const ids = Array.from({ length: 600 }, (_, at) => `t${at}`);
      const receive = (...components) =>
        surface.receive({ updateComponents: { surfaceId: "s", components } });
      receive({ id: "root", component: "Column", children: ids });
      mount(surface, document.querySelector("#host"));
      let looks = 0;
      const { getBoundingClientRect } = Element.prototype;
      Element.prototype.getBoundingClientRect = function () {
        looks += 1;
        return getBoundingClientRect.call(this);
      };
      for (const id of ids) receive({ id, component: "Text", text: `text of ${id}` });
      const before = looks;
      await settled();
      const texts = () => [...document.querySelectorAll(".bn-text")].map((one) => one.innerText);
      const top = texts();
      // Rows below are changed again by data and by components, and displayed on scrolling.
      receive(
        { id: "t598", component: "Row", children: [] },
        { id: "t599", component: "Text", text: "last" },
      );
      receive({ id: "root", component: "Column", children: ids.filter((id) => id !== "t400") });
      window.scrollTo(0, document.documentElement.scrollHeight);
      await settled();
      await settled();
      const item = document.querySelector("[aria-posinset]");
      return { before, top, bottom: texts(), size: item.getAttribute("aria-setsize") };
    });
    assert.ok(seen.before < 12_000, `${seen.before} looks`);
    assert.deepEqual(seen.top.slice(0, 3), ["text of t0", "text of t1", "text of t2"]);
    assert.equal(seen.bottom.at(-1), "last");
    assert.equal(seen.size, "599");
  });
});

test("rows added to an empty list are rendered at once, although others were removed in the same frame", async () => {
  await withPage(browser, `${server.url}/long.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate(async () => {
      make(150, {});
      await settled();
      const others = Array.from({ length: 120 }, (_, at) => `n${at}`);
      store.apply(Object.fromEntries(others.map((id) => [id, { name: `name of ${id}` }])));
      order(ids.filter((id) => id !== "r140"));
      order([]);
      const none = shown();
      order(others);
      const atOnce = shown();
      await settled();
      return { none, atOnce, after: shown() };
    });
    assert.deepEqual(seen.none, []);
    assert.deepEqual(seen.atOnce.slice(0, 2), ["name of n0", "name of n1"]);
    assert.deepEqual(seen.after, seen.atOnce);
  });
});
