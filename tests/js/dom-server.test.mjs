// Surface as HTML text: a model's text is escaped, and no DOM is needed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { renderToString, stylesheet } from "byname/dom/server";

await init();

function surfaceOf(components, nodes = {}) {
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply(nodes);
  return surface;
}

const render = (components, options) =>
  renderToString(surfaceOf(components), { style: false, ...options });

test("elements have the same classes and attributes as in a page", () => {
  const html = render([
    { id: "root", component: "Row", children: ["name", "go", "later"], align: "center" },
    { id: "name", component: "TextField", label: "Name", value: "Ann", weight: 2 },
    { id: "go", component: "Button", child: "word", variant: "primary" },
    { id: "word", component: "Text", text: "**Go** on" },
  ]);
  assert.equal(
    html,
    '<div class="bn-surface" aria-busy="true">' +
      '<div class="bn-row bn" data-key="root" data-id="root" data-align="center" data-bn="Row align" style="align-items:center">' +
      '<div class="bn-field bn-text-field bn bn-weighted" data-key="root/name" data-id="name" data-bn="TextField label value weight" style="flex:2 2 0">' +
      '<label class="bn-label" for="bn-s1" dir="auto">Name</label><input class="bn-input" dir="auto" type="text" id="bn-s1" value="Ann"><div class="bn-message" id="bn-s2" role="alert" dir="auto" hidden></div></div>' +
      '<button class="bn-button bn" type="button" data-variant="primary" data-key="root/go" data-id="go" data-bn="Button variant">' +
      '<div class="bn-text bn-body bn" dir="auto" data-key="root/go/word" data-id="word" data-bn="Text text"><strong>Go</strong> on</div></button>' +
      '<div class="bn-skeleton bn" aria-busy="true" role="img" aria-label="Loading" data-key="root/later" data-id="later" data-bn></div>' +
      '</div></div><div class="bn-status" role="status" aria-live="polite">Loading</div>',
  );
});

test("a heading is in no other heading", () => {
  const rolesOf = (text) => {
    const html = render([{ id: "root", component: "Text", variant: "h1", text }]);
    return html.match(/<h\d|role="heading" aria-level="\d"/g);
  };
  assert.deepEqual(rolesOf("Plans"), ['role="heading" aria-level="1"']);
  assert.deepEqual(rolesOf("## Plans"), ["<h2"]);
});

test("the value of a slider is announced once, by the slider itself", () => {
  const html = render([{ id: "root", component: "Slider", label: "Seats", max: 10, value: 4 }]);
  assert.match(html, /<span class="bn-value">4<\/span>/);
  assert.doesNotMatch(html, /<output/);
});

/** Attributes of the elements that are rendered below, in alphabetical order. */
const attributes = [
  ...["alt", "aria-label", "aria-labelledby", "aria-live", "class", "data-bn", "data-id"],
  ...["data-key", "data-variant", "decoding", "dir", "for", "hidden", "href", "id", "loading"],
  ...["placeholder", "referrerpolicy", "rel", "role", "rows", "src", "target", "type", "value"],
];

test("escapes a model's text at every location", () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;\r`;
  const html = render([
    {
      id: "root",
      component: "Column",
      children: ["text", "field", "long", "odd", "icon", "link", evil],
    },
    { id: "text", component: "Text", text: evil },
    { id: "field", component: "TextField", label: evil, value: evil, placeholder: evil },
    { id: "long", component: "TextField", variant: "longText", value: `\n</textarea>${evil}` },
    { id: "odd", component: evil, onclick: "alert(1)" },
    { id: "icon", component: "Icon", name: { svgPath: evil } },
    {
      id: "link",
      component: "Text",
      text: `[a](javascript:alert(1)) [b](https://example.org/"onclick="alert(1))`,
    },
    {
      id: evil,
      component: "Image",
      url: 'https://example.org/"onerror="alert(1)',
      accessibility: { label: evil },
    },
  ]);
  const tags = html.match(/<\/?[a-z]+/g);
  assert.deepEqual(
    new Set(tags.map((tag) => tag.replace(/^<\/?/, ""))),
    new Set(["div", "label", "input", "textarea", "span", "a", "img"]),
  );
  // Only attributes are left within a tag: an attribute in a value has lost its quotes.
  const names = new Set();
  for (const [, inside] of html.matchAll(/<[a-z]+((?:[^"<>]|"[^"<>]*")*)>/g))
    for (const name of inside.replace(/"[^"]*"/g, "").match(/[^\s=]+/g) ?? []) names.add(name);
  assert.deepEqual([...names].sort(), attributes);
  assert.equal(html.match(/<[a-z]+(?:[^"<>]|"[^"<>]*")*>/g).length, html.match(/<[a-z]/g).length);
  assert.ok(html.includes(">\n\n&lt;/textarea&gt;"), "a first new line is kept");
  assert.doesNotMatch(html, /javascript:/);
});

test("renders custom components by the same code as in a page", () => {
  const Stars = (_node, { document }) => {
    const element = document.createElement("figure");
    const label = document.createElement("figcaption");
    element.append("before", label);
    element.addEventListener("click", () => {});
    return {
      element,
      set: (prop, value) => {
        if (prop === "stars") label.textContent = "★".repeat(value);
        if (prop === "colour") element.style.color = value;
      },
    };
  };
  const html = render(
    [{ id: "root", component: "Stars", stars: 3, colour: "red;position:fixed" }],
    {
      components: { Stars },
    },
  );
  assert.match(
    html,
    /<figure class="bn" data-key="root" data-id="root" data-bn="Stars stars colour">before<figcaption>★★★<\/figcaption><\/figure>/,
  );
});

test("includes the stylesheet with the nonce of the page, unless it is sent separately", () => {
  const surface = surfaceOf([{ id: "root", component: "Divider" }]);
  assert.ok(
    renderToString(surface).startsWith(`<style class="bn-style">${stylesheet}</style><div`),
  );
  assert.ok(
    renderToString(surface, { nonce: 'a"b' }).startsWith(
      '<style class="bn-style" nonce="a&quot;b">',
    ),
  );
  assert.doesNotMatch(stylesheet, /<\//);
});

test("renders a tree, an empty surface, other labels and other ids", () => {
  assert.equal(
    renderToString(surfaceOf([]), { style: false }),
    renderToString(null, { style: false }),
  );
  const surface = surfaceOf([{ id: "root", component: "CheckBox", label: "a", value: true }]);
  assert.equal(renderToString(surface.tree()), renderToString(surface));
  const other = renderToString(surface, { ids: "order-" });
  assert.match(other, / id="order-1"/);
  assert.match(other, / for="order-1"/);
  assert.match(renderToString(surface), / checked/);
  const coming = [{ id: "root", component: "Card", child: "x" }];
  assert.match(render(coming, { words: { loading: "Lädt" } }), /Lädt/);
  assert.match(render(coming, { words: { loading: undefined } }), /Loading/);
});

test("renders an error box for a component that throws, and renders the others", (context) => {
  const consoleError = context.mock.method(console, "error", () => {});
  const components = {
    Chart: () => {
      throw new Error("no chart");
    },
    Gauge: ({ key }, { document }) => ({
      element: document.createElement("p"),
      set: (prop) => {
        if (prop === "level") throw new Error(`no ${prop} at ${key}`);
      },
    }),
    Late: () => Promise.resolve(),
    Bare: (_node, { document }) => document.createElement("p"),
    Half: (_node, { document }) => ({ element: document.createElement("p") }),
    Nothing: () => {},
  };
  const html = render(
    [
      {
        id: "root",
        component: "Column",
        children: ["chart", "gauge", "late", "bare", "half", "nothing", "text"],
      },
      { id: "chart", component: "Chart", child: "inside", weight: 2 },
      { id: "inside", component: "Text", text: "in the chart" },
      { id: "gauge", component: "Gauge", level: 3 },
      { id: "late", component: "Late" },
      { id: "bare", component: "Bare" },
      { id: "half", component: "Half" },
      { id: "nothing", component: "Nothing" },
      { id: "text", component: "Text", text: "still here" },
    ],
    { components, words: { failed: (name) => `${name}: sorry` } },
  );
  for (const name of Object.keys(components))
    assert.ok(html.includes(`>${name}: sorry</span>`), html);
  assert.ok(html.includes('class="bn-unknown bn bn-weighted"'), html);
  assert.ok(html.includes(">in the chart</div>") && html.includes(">still here</div>"), html);
  const errors = consoleError.mock.calls.map(({ arguments: [error] }) => [
    error.code,
    error.message,
  ]);
  assert.deepEqual(errors, [
    [undefined, "no chart"],
    [undefined, "no level at root/gauge"],
    [
      "argument",
      "expected `Late` to return `{ element, set }`, found a Promise whose `element` is undefined",
    ],
    [
      "argument",
      "expected `Bare` to return `{ element, set }`, found an Object whose `element` is undefined",
    ],
    [
      "argument",
      "expected `Half` to return `{ element, set }`, found an Object whose `set` is undefined",
    ],
    ["argument", "expected `Nothing` to return `{ element, set }`, found undefined"],
  ]);
});

test("renders a text of more parts than a call accepts arguments", () => {
  for (const part of ["*a* ", "a\n\n", "- a\n"]) {
    const components = [{ id: "root", component: "Text", text: part.repeat(130_000) }];
    const html = render(components, { maxElements: 1_000_000 });
    assert.equal(html.match(/>a</g).length, 130_000);
  }
});

test("renders a message in place of a surface with too many elements", () => {
  const children = Array(60).fill("leaf");
  const surface = surfaceOf([
    { id: "root", component: "Row", children },
    { id: "leaf", component: "Text", text: "leaf" },
  ]);
  const html = renderToString(surface, { style: false, maxElements: 50 });
  assert.match(html, />This part is too large to display</);
  assert.doesNotMatch(html, /leaf/);
  assert.deepEqual(
    surface.diagnostics().map(({ code }) => code),
    ["HAM050"],
  );
  renderToString(surface, { style: false, maxElements: 50, windowAbove: 10 });
  assert.match(surface.diagnostics()[0].help, /^display the 60 children in a `List` or `Column`/);
  renderToString(surface, { style: false, maxElements: 61 });
  assert.deepEqual(surface.diagnostics(), []);
});

test("supports the usual DOM methods for building elements", () => {
  const X = (_node, { document }) => {
    const element = document.createElement("table");
    const row = element.appendChild(document.createElement("tr"));
    const cell = document.createElement("td");
    cell.colSpan = 2;
    row.insertBefore(cell, null).innerText = "a<b";
    const all = document.createDocumentFragment();
    all.append(document.createElement("i"), "text", document.createElement("b"));
    cell.before(all);
    row.firstElementChild.toggleAttribute("inert");
    row.lastElementChild.toggleAttribute("hidden", false);
    const field = document.createElement("input");
    Object.assign(field, { readOnly: true, maxLength: 5, ariaLabel: "Name", autofocus: false });
    row.append(field, row.removeChild(row.firstElementChild));
    assert.equal(row.childElementCount, 4);
    return { element, set: () => {} };
  };
  const tree = { id: "root", key: "root", component: "X", props: {}, children: [] };
  const html = renderToString(tree, { components: { X }, style: false });
  assert.match(
    html,
    /<tr>text<b><\/b><td colspan="2">a&lt;b<\/td><input readonly maxlength="5" aria-label="Name"><i inert><\/i><\/tr>/,
  );
});

test("renders many tabs in linear time", () => {
  const tab = (_, at) => ({ title: `${at}`, child: `t${at}` });
  const child = (_, at) => ({
    ...{ id: `t${at}`, key: `root/t${at}`, component: "Text" },
    ...{ props: { text: "x" }, children: [], slot: `tabs/${at}/child` },
  });
  const all = Array.from({ length: 4000 });
  const tree = {
    ...{ id: "root", key: "root", component: "Tabs" },
    ...{ props: { tabs: all.map(tab) }, children: all.map(child) },
  };
  const before = process.cpuUsage();
  assert.equal(renderToString(tree, { style: false }).match(/role="tab"/g).length, 4000);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 5e6, `${user / 1000} ms`);
});

test("converts values that are not nodes to text, as in a page", () => {
  const X = (_node, { document }) => {
    const element = document.createElement("p");
    element.textContent = 3;
    element.append(4, null, true);
    const empty = document.createElement("i");
    empty.textContent = null;
    const gone = document.createElement("u");
    element.append(empty, gone);
    gone.replaceWith("a", document.createElement("b"));
    return { element, set: () => {} };
  };
  const tree = { id: "root", key: "root", component: "X", props: {}, children: [] };
  const html = renderToString(tree, { components: { X }, style: false });
  assert.match(html, />34nulltrue<i><\/i>a<b><\/b><\/p>/);
});
