// Hydration with a state that differs from the server's, and custom components: the result must equal a fresh render.
import assert from "node:assert/strict";
import { renderToString } from "byname/dom/server";
import { createSurface, testInPage } from "./hydrate-page.mjs";

/** Hydrates the HTML of one tree with another tree, and renders that tree in a second element. */
const taken = (page, server, now, components = {}) =>
  page.evaluate(
    ({ html, now, components }) => {
      const own = Object.fromEntries(
        Object.entries(components).map(([name, code]) => [name, new Function(`return ${code}`)()]),
      );
      const app = document.querySelector("#app");
      app.innerHTML = html;
      const fresh = document.createElement("div");
      document.body.append(fresh);
      const surfaces = [scripted(now), scripted(now)];
      surfaces.forEach((surface, at) => {
        surface.listeners = new Set();
        surface.subscribe = (listener) => {
          surface.listeners.add(listener);
          return () => {};
        };
        mount(surface, [app, fresh][at], { hydrate: at === 0, components: own });
      });
      const both = () => [app, fresh].map((one) => shown(one.querySelector(".bn-surface")));
      window.emit = (change) => {
        for (const { listeners } of surfaces) for (const one of listeners) one([change]);
        return both();
      };
      return both();
    },
    { html: renderToString(server, { components }), now, components: words(components) },
  );
const words = (components) =>
  Object.fromEntries(Object.entries(components).map(([name, one]) => [name, String(one)]));
const part = (key, component, props = {}, children = []) => ({
  id: key,
  key,
  component,
  props,
  children,
});

testInPage("rows that are only in the page's data get new items", "empty.html", async (page) => {
  const list = (...keys) =>
    part(
      "root",
      "List",
      {},
      keys.map((key) => part(key, "Text", { text: key })),
    );
  for (const [server, now] of [
    ["ab", "axb"],
    ["ab", "xab"],
    ["ab", "abx"],
    ["ab", "axby"],
    ["ab", "b"],
    ["abc", "cxa"],
    ["", "ab"],
  ]) {
    const [drawn, fresh] = await taken(page, list(...server), list(...now));
    assert.equal(drawn, fresh, `${server} ${now}`);
    const [after, other] = await page.evaluate((key) => emit({ kind: "remove", key }), now[0]);
    assert.equal(after, other, `${server} ${now}, one less`);
  }
});

testInPage("removed properties are cleared", "empty.html", async (page) => {
  const plain = (component, props, children) => part("root", component, props, children);
  const text = part("t", "Text", { text: "words" });
  const tabs = { tabs: [{ title: "One", child: "t" }] };
  for (const [server, now] of [
    [
      plain("Button", { checks: [{ condition: false, message: "no" }] }, [text]),
      plain("Button", {}, [text]),
    ],
    [plain("Text", { text: "a", accessibility: { hidden: true } }), plain("Text", { text: "a" })],
    [plain("Row", { justify: "end", align: "center" }, [text]), plain("Row", {}, [text])],
    [plain("Row", {}, [part("t", "Text", { text: "words", weight: 2 })]), plain("Row", {}, [text])],
    [plain("TextField", { label: "A", variant: "number" }), plain("TextField", { label: "A" })],
    [plain("Divider", { axis: "vertical" }), plain("Divider", {})],
    [
      plain("Tabs", { ...tabs, accessibility: { label: "All" } }, [
        { ...text, slot: "tabs/0/child" },
      ]),
      plain("Tabs", tabs, [{ ...text, slot: "tabs/0/child" }]),
    ],
    [
      plain("AudioPlayer", { url: "data:,", description: "a song" }),
      plain("AudioPlayer", { url: "data:," }),
    ],
  ]) {
    const [drawn, fresh] = await taken(page, server, now);
    assert.equal(drawn, fresh, JSON.stringify(server));
  }
});

testInPage("custom components may build any elements", "empty.html", async (page) => {
  const own = {
    Replacing: (node, { document }) => {
      const element = document.createElement("ul");
      const item = (text) => {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
      };
      const draw = () => element.replaceChildren(...[...String(node.props.get("t"))].map(item));
      draw();
      return { element, set: draw };
    },
    Emptying: (node, { document }) => {
      const element = document.createElement("p");
      const draw = () => {
        element.textContent = "";
        const bold = document.createElement("b");
        bold.textContent = node.props.get("t");
        element.appendChild(bold);
        element.append(" and ");
        element.insertBefore(document.createElement("hr"), bold);
      };
      draw();
      return { element, set: draw };
    },
    Holding: (node, { document }) => {
      const element = document.createElement("p");
      const held = document.createTextNode("");
      element.append("says ", held);
      held.data = node.props.get("t");
      return { element, set: (_, value) => (held.data = value) };
    },
    Swapping: (node, { document }) => {
      const element = document.createElement("div");
      const ways = [
        (old, one) => {
          old.remove();
          element.append(one);
        },
        (old, one) => old.replaceWith(one),
        (old, one) => element.replaceChild(one, old),
        (old, one) => {
          old.before(one);
          element.removeChild(old);
        },
        (old, one) => {
          element.insertBefore(one, old);
          old.remove();
        },
      ];
      const held = ways.map(() => null);
      const draw = () => {
        for (const [at, way] of ways.entries()) {
          const bold = document.createElement("b");
          bold.textContent = node.props.get("t");
          if (held[at]) way(held[at], bold);
          else element.append(bold);
          held[at] = bold;
        }
      };
      draw();
      return { element, set: draw };
    },
    Waiting: (node, { document }) => {
      const element = document.createElement("div");
      const wait = document.createElement("i");
      wait.append("wait");
      element.append(wait);
      const draw = () => {
        while (element.firstChild) element.removeChild(element.firstChild);
        for (const letter of node.props.get("t")) {
          const one = document.createElement("u");
          one.textContent = letter;
          element.append(one);
        }
      };
      draw();
      return { element, set: draw };
    },
    Collecting: (node, { document }) => {
      const element = document.createElement("div");
      const all = document.createDocumentFragment();
      for (const letter of node.props.get("t")) {
        const one = document.createElement("i");
        one.innerText = letter;
        one.toggleAttribute("hidden", letter === "n");
        all.append(one);
      }
      element.append(all);
      all.prepend("all: ");
      return { element, set: () => {} };
    },
  };
  for (const name of Object.keys(own)) {
    for (const [before, now] of [
      ["one", "one"],
      ["one", "other"],
    ]) {
      const [drawn, fresh] = await taken(
        page,
        part("root", name, { t: before }),
        part("root", name, { t: now }),
        own,
      );
      assert.equal(drawn, fresh, `${name} ${now}`);
      const [after, other] = await page.evaluate(() =>
        emit({ kind: "set", key: "root", prop: "t", value: "two" }),
      );
      assert.equal(after, other, `${name} ${now}, set`);
      if (name !== "Collecting") assert.match(after, /t.*w.*o/);
    }
  }
});

testInPage(
  "elements that the parser has moved out of the surface are removed",
  "empty.html",
  async (page) => {
    const text = (id, words) => ({ id, component: "Text", text: words });
    const button = (id, child) => ({ id, component: "Button", child });
    const components = [
      { id: "root", component: "Column", children: ["open", "dialog", "end"] },
      button("open", "card"),
      { id: "card", component: "Card", child: "inner" },
      { id: "inner", component: "Column", children: ["one", "delete", "two"] },
      text("one", "one"),
      button("delete", "word"),
      text("word", "delete"),
      text("two", "two"),
      { id: "dialog", component: "Modal", trigger: "open2", content: "two2" },
      button("open2", "word2"),
      text("word2", "more"),
      text("two2", "all of it"),
      text("end", "end"),
    ];
    const tree = createSurface([{ createSurface: { surfaceId: "s", components } }]).tree();
    const seen = await page.evaluate(
      ({ tree, html }) => {
        const app = document.querySelector("#app");
        app.innerHTML = html;
        const strays = app.children.length;
        const stop = mount(scripted(tree), app, { hydrate: true });
        const fresh = document.createElement("div");
        document.body.append(fresh);
        mount(scripted(tree), fresh);
        const [taken, made] = [app, fresh].map((one) => shown(one.querySelector(".bn-surface")));
        const words = app.innerText;
        stop();
        return { strays, taken, made, words, left: app.children.length };
      },
      { tree, html: renderToString(tree) },
    );
    assert.ok(seen.strays > 3, `${seen.strays} elements before`);
    assert.equal(seen.taken, seen.made);
    assert.deepEqual(seen.words.match(/end/g), ["end"]);
    assert.equal(seen.left, 0);
  },
);

testInPage(
  "elements that the parser has moved out of a button are removed from rows",
  "empty.html",
  async (page) => {
    const components = [
      { id: "root", component: "List", children: ["first", "last"] },
      { id: "first", component: "Button", child: "tabs" },
      { id: "tabs", component: "Tabs", tabs: [{ title: "One", child: "one" }] },
      { id: "one", component: "Text", text: "one" },
      { id: "last", component: "Text", text: "last" },
    ];
    const tree = createSurface([{ createSurface: { surfaceId: "s", components } }]).tree();
    const seen = await page.evaluate(
      ({ tree, html }) => {
        const app = document.querySelector("#app");
        app.innerHTML = html;
        const count = () => app.querySelectorAll("[role=tab]:not(button button)").length;
        const strays = count();
        mount(scripted(tree), app, { hydrate: true });
        return [strays, count(), app.innerText.split("\n")];
      },
      { tree, html: renderToString(tree) },
    );
    assert.deepEqual(seen, [1, 0, ["One", "one", "last"]]);
  },
);

testInPage("a selected option reaches a custom select", "empty.html", async (page) => {
  const Select = (node, context) => {
    const element = context.document.createElement("select");
    element.multiple = node.props.get("multiple") === true;
    for (const word of ["a", "b", "c"]) {
      const option = context.document.createElement("option");
      option.textContent = word;
      element.append(option);
    }
    element.addEventListener("change", () =>
      context.input(
        node,
        [...element.selectedOptions].map(({ value }) => value),
      ),
    );
    const set = (prop, value) => {
      if (prop === "value") element.value = value;
    };
    return { element, set };
  };
  const select = (id, props) => ({ id, key: id, component: "Select", props, children: [] });
  const all = ["one", "many", "none"];
  const tree = {
    ...{ id: "root", key: "root", component: "Column", props: {} },
    children: all.map((id) => select(id, { value: "a", multiple: id === "many" })),
  };
  const seen = await page.evaluate(
    ({ tree, html, own }) => {
      const app = document.querySelector("#app");
      app.innerHTML = html;
      const [one, many] = app.querySelectorAll("select");
      one.value = "b";
      for (const option of many.options) option.selected = option.value !== "a";
      const sent = [];
      const input = (key, _prop, value) => sent.push([key, value]);
      const surface = { ...scripted(tree), input };
      const Select = new Function(`return ${own}`)();
      mount(surface, app, { hydrate: true, components: { Select } });
      const shown = [...app.querySelectorAll("select")].map((one) =>
        [...one.selectedOptions].map(({ value }) => value),
      );
      return { sent, shown };
    },
    { tree, html: renderToString(tree, { components: { Select } }), own: String(Select) },
  );
  const chosen = [
    ["one", ["b"]],
    ["many", ["b", "c"]],
  ];
  assert.deepEqual(seen, { sent: chosen, shown: [["b"], ["b", "c"], ["a"]] });
});

testInPage("a text is a heading if the page has text for it", "empty.html", async (page) => {
  const text = (text) => part("root/t", "Text", { variant: "h2", text });
  const surfaces = [
    part("root", "Column"),
    ...["", "plain", "**b** x", "# ", "**"].map((words) =>
      part("root", "Column", {}, [text(words)]),
    ),
  ];
  for (const server of surfaces)
    for (const now of surfaces) {
      const seen = await taken(page, server, now);
      const [adopted, fresh] = seen.map((one) => one.match(/role=heading|aria-level=2/g));
      assert.deepEqual(adopted, fresh, JSON.stringify([server, now]));
    }
});

testInPage(
  "long lists that are short in the page render as in the page",
  "empty.html",
  async (page) => {
    const rows = (component, count, props) =>
      part(
        "root",
        component,
        props,
        Array.from({ length: count }, (_, at) => part(`root/${at}`, "Text", { text: `${at}` })),
      );
    for (const component of ["Column", "List"])
      for (const props of [{}, { accessibility: { label: "all" } }]) {
        const server = rows(component, 150, props);
        const [adopted, fresh] = await taken(page, server, rows(component, 3, props));
        assert.equal(adopted, fresh);
      }
  },
);

testInPage("a choice without its option does not change the data", "empty.html", async (page) => {
  const choice = (options, value) => [
    {
      createSurface: {
        surfaceId: "s",
        components: [
          {
            id: "root",
            component: "ChoicePicker",
            variant: "mutuallyExclusive",
            options: options.map((value) => ({ label: value, value })),
            value: { binding: { key: "v" } },
          },
        ],
      },
    },
    { updateDataModel: { surfaceId: "s", nodes: { root: { v: value } } } },
  ];
  for (const value of [["a"], "a"]) {
    const html = renderToString(createSurface(choice(["a", "b", "c"], value)));
    const seen = await page.evaluate(
      ({ html, received }) => {
        const app = document.querySelector("#app");
        app.innerHTML = html;
        app.querySelectorAll("input[type=radio]")[2].click();
        const surface = new Surface({ catalog: basicCatalog });
        for (const message of received) surface.receive(message);
        const stop = mount(surface, app, { hydrate: true });
        const chosen = [...app.querySelectorAll("label")]
          .filter((label) => label.querySelector("input:checked"))
          .map((label) => label.textContent);
        stop();
        return { data: surface.store.get("root"), chosen };
      },
      { html, received: choice(["a", "b"], value) },
    );
    assert.deepEqual(seen, { data: { v: value }, chosen: ["a"] });
  }
});
