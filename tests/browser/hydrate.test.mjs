// Server-rendered HTML equals a fresh render, and hydration keeps elements, focus and input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "byname/dom/server";
import { Surface } from "byname/ham/inline";
import { catalog } from "../a2ui/catalog.mjs";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";
import { withPage } from "./browser.mjs";
import { browser } from "./fixture.mjs";
import { createSurface, data, icon, messages, order, script, testInPage } from "./hydrate-page.mjs";
import { serve } from "./server.mjs";

/** Returns the trees of the example surfaces of A2UI. */
function examples() {
  return exampleFiles().flatMap((file) => {
    const surface = new Surface({ catalog });
    for (const message of hamMessages(file)) surface.receive(message);
    const tree = surface.tree();
    return tree === null ? [] : [{ name: file.name, tree }];
  });
}

testInPage(
  "the example surfaces of A2UI render as in the page and hydrate unchanged",
  "empty.html",
  async (page) => {
    await page.route("https://**", (route) =>
      route.fulfill({
        contentType: "image/svg+xml",
        body: "<svg xmlns='http://www.w3.org/2000/svg'/>",
      }),
    );
    const given = examples().map((one) => ({ ...one, html: renderToString(one.tree) }));
    assert.ok(given.length >= 50, `${given.length}`);
    const wrong = await page.evaluate((examples) => {
      const found = [];
      for (const { name, tree, html } of examples) {
        const app = document.querySelector("#app");
        app.innerHTML = html;
        const drawn = app.querySelector(".bn-surface");
        const fresh = document.createElement("div");
        document.body.append(fresh);
        const stop = mount(scripted(tree), fresh);
        if (shown(drawn) !== shown(fresh.querySelector(".bn-surface")))
          found.push([
            name,
            "is drawn otherwise",
            shown(drawn),
            shown(fresh.querySelector(".bn-surface")),
          ]);
        const elements = [...drawn.querySelectorAll("*")];
        const changed = moved(
          app,
          () => (window.stop = mount(scripted(tree), app, { hydrate: true })),
        );
        if (changed.length > 0) found.push([name, "was touched", changed]);
        if (app.querySelector("[data-bn]")) found.push([name, "is not all taken over"]);
        if (elements.some((one) => !drawn.contains(one))) found.push([name, "lost elements"]);
        if (shown(drawn) !== shown(fresh.querySelector(".bn-surface")))
          found.push([name, "became another"]);
        window.stop();
        stop();
        if (app.children.length > 0) found.push([name, "left something"]);
      }
      return found;
    }, given);
    assert.deepEqual(wrong, []);
  },
);

testInPage("an image that failed before hydration is marked", "empty.html", async (page) => {
  await page.route("https://example.org/**", (route) => {
    const body = route.request().url().endsWith("good")
      ? "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
      : "";
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  const components = [
    { id: "root", component: "Row", children: ["good", "bad", "none"] },
    { id: "good", component: "Image", url: "https://example.org/good" },
    { id: "bad", component: "Image", url: "https://example.org/bad" },
    { id: "none", component: "Image", url: "javascript:none" },
  ];
  const surface = createSurface([{ createSurface: { surfaceId: "s", components } }]);
  const { tree, html } = { tree: surface.tree(), html: renderToString(surface) };
  await page.evaluate((html) => {
    document.querySelector("#app").innerHTML = html;
  }, html);
  await page.waitForFunction(() => [...document.images].every((one) => one.complete));
  const broken = await page.evaluate((tree) => {
    mount(scripted(tree), document.querySelector("#app"), { hydrate: true });
    return [...document.images].map((one) => one.classList.contains("bn-broken"));
  }, tree);
  assert.deepEqual(broken, [false, true, false]);
});

testInPage(
  "user input before hydration is kept and written to the data",
  "order.html",
  async (page) => {
    await page.locator("[data-key='root/name'] input").press("End");
    await page.locator("[data-key='root/name'] input").pressSequentially("ie");
    await page.locator("[data-key='root/agree'] input").check();
    await page.locator("[data-key='root/size'] label", { hasText: "L" }).click();
    const name = page.locator("[data-key='root/name'] input");
    await name.focus();
    await name.evaluate((input) => input.setSelectionRange(1, 3));
    const seen = await page.evaluate(() => {
      const elements = [...app.querySelectorAll(".bn-surface, .bn-surface *")];
      const place = document.querySelector("#after").getBoundingClientRect().top;
      window.surface = filled();
      const touched = moved(app, () => mount(surface, app, { hydrate: true }));
      const input = at("root/name").querySelector("input");
      at("root/send").click();
      return {
        touched,
        same: elements.every(
          (one, at) => [...app.querySelectorAll(".bn-surface, .bn-surface *")][at] === one,
        ),
        focus: document.activeElement === input,
        caret: [input.selectionStart, input.selectionEnd],
        data: surface.store.get("root"),
        sent: window.sent,
        layout: document.querySelector("#after").getBoundingClientRect().top - place,
        styles: document.querySelectorAll("style").length,
        status: app.querySelectorAll(".bn-status").length,
      };
    });
    assert.deepEqual(seen, {
      touched: [],
      same: true,
      focus: true,
      caret: [1, 3],
      data: { ...data.root, name: "Annie", agree: true, size: "l" },
      sent: { name: "Annie" },
      layout: 0,
      styles: 0,
      status: 1,
    });
    // After hydration it behaves like any surface.
    const later = await page.evaluate(() => {
      const row = at("root/list/row:r1");
      surface.store.apply({
        root: { ...surface.store.get("root"), rows: ["*r2", "*r3", "*r1"] },
        r3: { word: "three" },
      });
      surface.store.apply({ r1: { word: "changed" } });
      at("root/tabs").querySelectorAll("[role=tab]")[1].click();
      return {
        rows: [...at("root/list").querySelectorAll(".bn-card")].map((one) => one.textContent),
        same: row === at("root/list/row:r1"),
        tab: at("root/tabs").querySelector("[role=tabpanel]:not([hidden])").textContent,
        wrappers: at("root/list").children.length,
      };
    });
    assert.deepEqual(later, {
      rows: ["two", "three", "changed"],
      same: true,
      tab: "second",
      wrappers: 3,
    });
  },
);

testInPage("the page looks the same before and after hydration", "order.html", async (page) => {
  const picture = async () => (await page.screenshot()).toString("base64");
  const before = await picture();
  await page.evaluate(() => mount(filled(), app, { hydrate: true }));
  const pictures = [before, await picture()];
  const others = await page.evaluate(async (pictures) => {
    const [one, other] = await Promise.all(
      pictures.map(async (picture) => {
        const bytes = Uint8Array.from(atob(picture), (char) => char.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        drawing.drawImage(bitmap, 0, 0);
        return drawing.getImageData(0, 0, bitmap.width, bitmap.height).data;
      }),
    );
    // Repainted edges may be antialiased differently.
    return one.filter((value, at) => Math.abs(value - other[at]) > 16).length;
  }, pictures);
  assert.equal(others, 0);
});
testInPage(
  "a page with newer data keeps existing elements and shows the new values",
  "order.html",
  async (page) => {
    const seen = await page.evaluate(() => {
      const [title, r2] = [at("root/title"), at("root/list/row:r2")];
      const surface = filled([
        {
          updateDataModel: {
            surfaceId: "s",
            nodes: {
              root: {
                name: "Bo",
                note: "",
                agree: true,
                size: "l",
                amount: 5,
                rows: ["*r3", "*r2"],
              },
              r3: { word: "three" },
              r2: { word: "second" },
            },
          },
        },
        {
          updateComponents: {
            surfaceId: "s",
            components: [
              { id: "title", component: "Text", variant: "h3", text: "plain" },
              { id: "tabs", component: "Chart" },
            ],
          },
        },
      ]);
      const fresh = document.createElement("div");
      document.body.append(fresh);
      mount(surface, fresh);
      mount(surface, app, { hydrate: true });
      const [one, other] = [app, fresh].map((inside) => shown(inside.querySelector(".bn-column")));
      return {
        same: title === at("root/title") && r2 === at("root/list/row:r2"),
        words: at("root/list").textContent,
        equal: one === other || [one, other],
      };
    });
    assert.deepEqual(seen, { same: true, words: "threesecond", equal: true });
  },
);

testInPage(
  "without server-rendered elements it renders, and an empty surface stays empty",
  "empty.html",
  async (page) => {
    const seen = await page.evaluate(() => {
      const app = document.querySelector("#app");
      const stop = mount(
        scripted({
          id: "root",
          component: "Text",
          key: "root",
          props: { text: "fresh" },
          children: [],
        }),
        app,
        { hydrate: true },
      );
      const text = app.querySelector(".bn-text").textContent;
      stop();
      app.innerHTML = "<div class='bn-surface'><div data-key='root'>old</div></div>";
      mount(scripted(null), app, { hydrate: true });
      return { text, left: app.textContent };
    });
    assert.deepEqual(seen, { text: "fresh", left: "" });
  },
);

testInPage(
  "a formatted text that has changed is updated, and can grow",
  "empty.html",
  async (page) => {
    const texts = [
      "x\n```\nfoo",
      "x\n```",
      "x\n```\n```\nmore",
      "# \n\nplain",
      "plain",
      "plain **and",
      "",
    ];
    const tree = (text) => ({
      id: "root",
      component: "Text",
      key: "root",
      props: { text },
      children: [],
    });
    const cases = texts.flatMap((before) => {
      const html = renderToString(tree(before));
      return texts.map((now) => ({ html, tree: tree(now), before, now }));
    });
    const wrong = await page.evaluate((cases) => {
      const found = [];
      const app = document.querySelector("#app");
      const draw = (html, tree, later, options) => {
        app.innerHTML = html;
        let tell;
        const listen = (listener) => {
          tell = listener;
          return () => {};
        };
        const stop = mount({ ...scripted(tree), subscribe: listen }, app, options);
        if (later) tell([{ kind: "set", key: "root", prop: "text", value: later }]);
        const { innerHTML } = app.querySelector("[data-key=root]");
        stop();
        return innerHTML;
      };
      for (const { html, tree, before, now } of cases) {
        for (const later of ["", `${now} *on*`]) {
          const taken = draw(html, tree, later, { hydrate: true });
          const fresh = draw("", tree, later);
          if (taken !== fresh) found.push([before, now, later, taken, fresh]);
        }
      }
      return found;
    }, cases);
    assert.deepEqual(wrong, []);
  },
);

test("a long list has its first rows and space for the others, and scrolls", async () => {
  const rows = Array.from({ length: 3000 }, (_, at) => `r${at}`);
  const nodes = { root: { rows: rows.map((id) => `*${id}`) } };
  for (const id of rows) nodes[id] = { word: id };
  const received = [
    {
      createSurface: {
        surfaceId: "s",
        components: [{ ...order[10], id: "root" }, order[11], order[12]],
      },
    },
    { updateDataModel: { surfaceId: "s", nodes } },
  ];
  const html = renderToString(createSurface(received));
  assert.ok(html.length < 20_000, `${html.length}`);
  const list = await serve({
    pages: { "/list.html": `${icon}<body><div id="app">${html}</div>${script}` },
  });
  try {
    await withPage(browser, `${list.url}/list.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const first = await page.evaluate((received) => {
        const surface = new Surface({ catalog: basicCatalog });
        for (const message of received) surface.receive(message);
        const row = document.querySelector("[data-key='root/row:r3']");
        mount(surface, document.querySelector("#app"), { hydrate: true });
        const items = [...document.querySelectorAll(".bn-item")];
        return {
          same: row === document.querySelector("[data-key='root/row:r3']"),
          order:
            items.map((one) => one.ariaPosInSet).join() === items.map((_, at) => at + 1).join(),
        };
      }, received);
      assert.deepEqual(first, { same: true, order: true });
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForSelector("[data-key='root/row:r2999']");
    });
  } finally {
    await list.close();
  }
});

testInPage("the element hydrates a declarative shadow root", "order.html", async (page) => {
  const seen = await page.evaluate(
    (html) => {
      const made = document.createElement("div");
      made.setHTMLUnsafe(
        `<byname-surface><template shadowrootmode="open">${html}</template></byname-surface>`,
      );
      document.body.append(made);
      const element = made.firstChild;
      const title = element.shadowRoot.querySelector("[data-key='root/title']");
      element.surface = filled();
      return {
        same: title === element.shadowRoot.querySelector("[data-key='root/title']"),
        hosts: element.shadowRoot.querySelectorAll(".bn-surface").length,
        styled: getComputedStyle(title).fontSize,
      };
    },
    renderToString(createSurface(messages)),
  );
  assert.deepEqual(seen, { same: true, hosts: 1, styled: "22px" });
});

test("a component that throws on both sides is one box", async (context) => {
  context.mock.method(console, "error", () => {});
  const text = (key) => ({ id: key, key, component: "Text", props: { text: key }, children: [] });
  const tree = {
    id: "root",
    key: "root",
    component: "Column",
    props: {},
    children: [
      {
        id: "bad",
        key: "bad",
        component: "Bad",
        props: { label: "x" },
        children: [text("inside")],
      },
      text("last"),
    ],
  };
  const Bad = (_node, { document }) => {
    const element = document.createElement("div");
    element.append(document.createElement("span"));
    return {
      element,
      set: () => {
        throw new Error("bad");
      },
    };
  };
  const html = renderToString(tree, { components: { Bad } });
  const pages = { "/bad.html": `${icon}<div id="app">${html}</div>${script}` };
  const own = await serve({ pages });
  try {
    await withPage(browser, `${own.url}/bad.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const seen = await page.evaluate(
        ({ tree, bad }) => {
          addEventListener("error", (event) => event.preventDefault());
          const app = document.querySelector("#app");
          const Bad = new Function(`return ${bad}`)();
          const before = shown(app.querySelector(".bn-surface"));
          const box = app.querySelector(".bn-unknown");
          const came = moved(app, () =>
            mount(scripted(tree), app, { hydrate: true, components: { Bad } }),
          );
          const after = shown(app.querySelector(".bn-surface"));
          return { before, after, came, same: app.querySelector(".bn-unknown") === box };
        },
        { tree, bad: String(Bad) },
      );
      assert.equal(seen.after, seen.before);
      assert.deepEqual(seen.came, []);
      assert.ok(seen.same);
    });
  } finally {
    await own.close();
  }
});

test("a custom element with the attributes of the renderer, around children, is hydrated", async () => {
  const text = (key) => ({ id: key, key, component: "Text", props: { text: key }, children: [] });
  const tree = {
    id: "root",
    key: "root",
    component: "Own",
    props: {},
    children: [text("one"), text("two")],
  };
  const Own = (node, context) => {
    const element = context.document.createElement("section");
    const inner = context.document.createElement("div");
    inner.dataset.key = "one";
    inner.dataset.component = "Text";
    element.append(inner);
    const fill = () => {
      for (let child = node.first; child; child = child.next) inner.append(context.show(child));
    };
    return { element, children: { fill }, set: () => {} };
  };
  const html = renderToString(tree, { components: { Own } });
  const pages = { "/own.html": `${icon}<div id="app">${html}</div>${script}` };
  const own = await serve({ pages });
  try {
    await withPage(browser, `${own.url}/own.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const seen = await page.evaluate(
        ({ tree, own }) => {
          const app = document.querySelector("#app");
          const Own = new Function(`return ${own}`)();
          const all = () => [...app.querySelectorAll("section, section *")];
          const [before, stood] = [shown(app.querySelector(".bn-surface")), all()];
          const came = moved(app, () =>
            mount(scripted(tree), app, { hydrate: true, components: { Own } }),
          );
          const after = shown(app.querySelector(".bn-surface"));
          return { before, after, came, same: all().every((one, at) => one === stood[at]) };
        },
        { tree, own: String(Own) },
      );
      assert.match(seen.after, /one.*two/);
      assert.equal(seen.after, seen.before);
      assert.deepEqual(seen.came, []);
      assert.ok(seen.same);
    });
  } finally {
    await own.close();
  }
});
