// What a server sends is what the page would have drawn, and taking it over replaces nothing: elements, focus and what was typed stay.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { Surface } from "byname/ham/inline";
import { catalog } from "../a2ui/catalog.mjs";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const icon = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>';
const script = `<script type="module">
import { init, Surface } from "/pkg/ham/index.inline.js";
import { basicCatalog, mount } from "/pkg/dom.js";
Object.assign(window, { Surface, basicCatalog, mount });
window.scripted = (tree) => ({ tree: () => tree, subscribe: () => () => {}, input: () => {}, trigger: () => {} });
/** An element with all that is in it, as a page shows it; ids are numbered as they come. */
window.shown = (top) => {
  const ids = new Map();
  const known = (text) => text.replace(/bn-s?\\d+/g, (id) => ids.set(id, ids.get(id) ?? "id" + ids.size).get(id));
  const walk = (one) => one.nodeType === 3 ? one.data : {
    tag: one.localName,
    attributes: [...one.attributes]
      .filter(({ name }) => !["value", "checked", "style", "class", "data-bn"].includes(name))
      .map(({ name, value }) => name + "=" + known(value)).sort(),
    classes: [...one.classList].sort(), style: one.style.cssText, value: one.value ?? "", checked: one.checked ?? "",
    children: one.localName === "textarea" ? [] : [...one.childNodes].map(walk),
  };
  return JSON.stringify(walk(top));
};
/** The elements that came or went while something is done. */
window.moved = (inside, task) => {
  const observer = new MutationObserver(() => {});
  observer.observe(inside, { subtree: true, childList: true });
  task();
  return observer.takeRecords().flatMap(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes])
    .filter((one) => one.nodeType === 1 && !one.matches(".bn-style, .bn-status")).map((one) => one.className);
};
window.ready = true;
</script>`;
const order = [
  {
    id: "root",
    component: "Column",
    children: ["title", "name", "long", "agree", "size", "amount", "tabs", "list", "send"],
  },
  { id: "title", component: "Text", variant: "h2", text: "A **bold** title" },
  { id: "name", component: "TextField", label: "Name", value: { binding: { key: "name" } } },
  {
    id: "long",
    component: "TextField",
    label: "Note",
    variant: "longText",
    value: { binding: { key: "note" } },
  },
  { id: "agree", component: "CheckBox", label: "Agree", value: { binding: { key: "agree" } } },
  {
    id: "size",
    component: "ChoicePicker",
    label: "Size",
    variant: "mutuallyExclusive",
    options: [
      { label: "S", value: "s" },
      { label: "L", value: "l" },
    ],
    value: { binding: { key: "size" } },
  },
  {
    id: "amount",
    component: "Slider",
    label: "Amount",
    min: 0,
    max: 7,
    value: { binding: { key: "amount" } },
  },
  {
    id: "tabs",
    component: "Tabs",
    tabs: [
      { title: "One", child: "a" },
      { title: "Two", child: "b" },
    ],
  },
  { id: "a", component: "Text", text: "first" },
  { id: "b", component: "Text", text: "second" },
  { id: "list", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Card", child: "word" },
  { id: "word", component: "Text", text: { binding: { key: "word" } } },
  {
    id: "send",
    component: "Button",
    child: "label",
    action: { event: { name: "send", context: { name: { binding: { key: "name" } } } } },
  },
  { id: "label", component: "Text", text: "Send" },
];
const data = {
  root: {
    name: "Ann",
    note: '\n<b>"two" & three</b>',
    agree: false,
    size: "s",
    amount: 2.5,
    rows: ["*r1", "*r2"],
  },
  r1: { word: "one" },
  r2: { word: "two" },
};
const messages = [
  { createSurface: { surfaceId: "s", components: order } },
  { updateDataModel: { surfaceId: "s", nodes: data } },
];

function surfaceOf(told) {
  const surface = new Surface({ catalog: basicCatalog });
  for (const message of told) assert.ok(surface.receive(message).ok);
  return surface;
}
/** The page as a server sends it; the code comes when the test says so. */
const page = `${icon}<body><div id="app">${renderToString(surfaceOf(messages))}</div><p id="after">after</p>${script}
<script type="module">
window.filled = (changed = []) => {
  const surface = new Surface({ catalog: basicCatalog, onAction: ({ context }) => (window.sent = context) });
  for (const message of [...${JSON.stringify(messages).replaceAll("<", "\\u003c")}, ...changed]) surface.receive(message);
  return surface;
};
window.app = document.querySelector("#app");
window.at = (key) => app.querySelector("[data-key='" + key + "']");
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({
    pages: { "/empty.html": `${icon}<div id="app"></div>${script}`, "/order.html": page },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function inPage(name, address, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/${address}`, {}, async (page) => {
      await page.waitForFunction(() => window.ready && document.readyState === "complete");
      await body(page);
    });
  });
}

/** The example surfaces of A2UI, as trees. */
function examples() {
  return exampleFiles().flatMap((file) => {
    const surface = new Surface({ catalog });
    for (const message of hamMessages(file)) surface.receive(message);
    const tree = surface.tree();
    return tree === null ? [] : [{ name: file.name, tree }];
  });
}

inPage(
  "the example surfaces of A2UI: as the page draws them, and taken over as they are",
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

inPage("an image that failed before it was taken over is marked", "empty.html", async (page) => {
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
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive({ createSurface: { surfaceId: "s", components } });
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

inPage(
  "what the user had typed and chosen is kept, and reaches the data",
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
    // From here on it is a surface like any other.
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

inPage("the page looks the same before and after", "order.html", async (page) => {
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
    // The edges of what is painted again may be smoothed a little otherwise.
    return one.filter((value, at) => Math.abs(value - other[at]) > 16).length;
  }, pictures);
  assert.equal(others, 0);
});
inPage(
  "a page whose data has moved on keeps what is still there, and shows what is now",
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
              { id: "title", component: "Text", text: "plain" },
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

inPage(
  "without a server's elements it draws, and a surface that is empty stays so",
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

test("a long list comes with its first rows and with room for the others, and scrolls on", async () => {
  const rows = Array.from({ length: 3000 }, (_, at) => `r${at}`);
  const nodes = { root: { rows: rows.map((id) => `*${id}`) } };
  for (const id of rows) nodes[id] = { word: id };
  const told = [
    {
      createSurface: {
        surfaceId: "s",
        components: [{ ...order[10], id: "root" }, order[11], order[12]],
      },
    },
    { updateDataModel: { surfaceId: "s", nodes } },
  ];
  const html = renderToString(surfaceOf(told));
  assert.ok(html.length < 20_000, `${html.length}`);
  const list = await serve({
    pages: { "/list.html": `${icon}<body><div id="app">${html}</div>${script}` },
  });
  try {
    await withPage(browser, `${list.url}/list.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const first = await page.evaluate((told) => {
        const surface = new Surface({ catalog: basicCatalog });
        for (const message of told) surface.receive(message);
        const row = document.querySelector("[data-key='root/row:r3']");
        mount(surface, document.querySelector("#app"), { hydrate: true });
        const items = [...document.querySelectorAll(".bn-item")];
        return {
          same: row === document.querySelector("[data-key='root/row:r3']"),
          order:
            items.map((one) => one.ariaPosInSet).join() === items.map((_, at) => at + 1).join(),
        };
      }, told);
      assert.deepEqual(first, { same: true, order: true });
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForSelector("[data-key='root/row:r2999']");
    });
  } finally {
    await list.close();
  }
});

inPage("a declared shadow root is taken over by the element", "order.html", async (page) => {
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
    renderToString(surfaceOf(messages)),
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

test("an element of one's own that names a key and a component, around children, is taken over", async () => {
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
