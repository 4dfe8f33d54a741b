// Page with React and a surface: defines components, which each test renders as it needs.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";
import { bundleReact } from "./react-page.mjs";

const bundle = await bundleReact();
after(() => bundle.remove());

pages["/react.html"] =
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<div id="app"></div><script>
// Hooks into React as the runtime of Fast Refresh does: \`refresh(App, Edited)\` simulates saving a file.
const roots = new Set();
const families = new Map();
let renderer;
window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
  supportsFiber: true,
  inject: (injected) => {
    renderer = injected;
    return 1;
  },
  onCommitFiberRoot: (_, root) => roots.add(root),
  onCommitFiberUnmount: () => {},
};
window.refresh = (type, edited) => {
  const family = families.get(type) ?? { current: type };
  family.current = edited;
  families.set(type, family).set(edited, family);
  renderer.setRefreshHandler((one) => families.get(one));
  const update = { updatedFamilies: new Set([family]), staleFamilies: new Set() };
  for (const root of roots) renderer.scheduleRefresh(root, update);
};
</script><script type="module">
import "${bundle.script}";
// List rows, each a React counter that contains a basic text.
window.catalog = { components: { ...basicCatalog.components, Counter: { input: ["count"] }, Panel: { child: ["child", "header"] } } };
window.components = [
  { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Counter", label: { binding: { key: "label" } }, count: { binding: { key: "count" } }, child: "note",
    action: { event: { name: "done", context: { who: { binding: { key: "label" } } } } } },
  { id: "note", component: "Text", text: { binding: { key: "note" } } },
];
window.nodes = {
  root: { rows: ["*a", "*b", "*c"] },
  a: { label: "A", count: 1, note: "first" }, b: { label: "B", count: 2, note: "second" }, c: { label: "C", count: 3, note: "third" },
};
window.filled = (given = components, data = nodes, options = {}) => {
  const surface = new Surface({ catalog, ...options });
  surface.receive({ createSurface: { surfaceId: "s", components: given } });
  surface.store.apply(data);
  return surface;
};
window.renders = {};
window.Counter = ({ instance, props, children, set, trigger }) => {
  renders[props.label] = (renders[props.label] ?? 0) + 1;
  const [local, setLocal] = useState(0);
  return h("section", { "data-row": instance.key },
    h("button", { onClick: () => set("count", props.count + 1) }, props.label + ": " + props.count),
    h("button", { className: "local", onClick: () => setLocal(local + 1) }, "local " + local),
    h("button", { className: "done", onClick: () => trigger() }, "done"),
    h("input", { "aria-label": "own" }),
    children);
};
window.at = (key) => document.querySelector("[data-key='" + key + "']");
window.show = async (element) => {
  window.root = createRoot(document.querySelector("#app"));
  await flush(() => root.render(h(StrictMode, null, element)));
};
// Flushes synchronously, because the queue of React can be later than the next frames on a busy machine.
window.flush = async (change) => {
  flushSync(change);
  await settled();
};
window.set = true;
</script>`;

/** Defines a test in that page: compares the result of `run` with `expect`. */
export function testInPage(name, { run, expect }) {
  test(name, async () => {
    await withPage(browser, `${server.url}/react.html`, {}, async (page) => {
      await page.waitForFunction(() => window.set);
      assert.deepEqual(await page.evaluate(run), expect);
    });
  });
}
