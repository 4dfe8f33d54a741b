// What `byname/react` promises, in React's development mode and StrictMode: who renders and who does not, what stays when rows move,
// and what ends with a component.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { bundleReact } from "./react-page.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
let bundle;
before(async () => {
  bundle = await bundleReact();
  const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<div id="app"></div><script type="module">
import "${bundle.script}";
// Rows of a list, each with a counter of React that holds a basic text.
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
// React's own queue may be later than the next frames of a busy machine.
window.flush = async (change) => {
  flushSync(change);
  await settled();
};
window.set = true;
</script>`;
  server = await serve({ pages: { "/react.html": html } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  bundle?.remove();
});

function inPage(name, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/react.html`, {}, async (page) => {
      await page.waitForFunction(() => window.set);
      const seen = await page.evaluate(body.run);
      assert.deepEqual(seen, body.expect);
    });
  });
}

inPage("a change renders the component that it is about, and no other", {
  run: async () => {
    const surface = filled();
    await show(h(SurfaceView, { surface, components: { Counter } }));
    const start = { ...renders };
    surface.store.apply({ b: { label: "B", count: 20, note: "second" } });
    await settled();
    const counted = { ...renders };
    // The text below is the renderer's: it changes without React.
    surface.store.apply({ a: { label: "A", count: 1, note: "changed" } });
    await settled();
    const change = (name) => renders[name] - start[name];
    return {
      text: [...document.querySelectorAll("section")].map((one) => one.textContent),
      afterCount: counted.A - start.A,
      changes: ["A", "B", "C"].map(change),
    };
  },
  // StrictMode renders everything twice.
  expect: {
    text: ["A: 1local 0donechanged", "B: 20local 0donesecond", "C: 3local 0donethird"],
    afterCount: 0,
    changes: [0, 2, 0],
  },
});

inPage("a moved row keeps its elements, its state and the focus, and renders nothing", {
  run: async () => {
    const surface = filled();
    await show(h(SurfaceView, { surface, components: { Counter } }));
    const section = at("root/row:a").querySelector("section");
    section.querySelector(".local").click();
    const input = section.querySelector("input");
    input.value = "typed";
    input.focus();
    await settled();
    const start = { ...renders };
    surface.store.apply({ root: { rows: ["*c", "*b", "*a"] } });
    await settled();
    return {
      order: [...document.querySelectorAll("section")]
        .map((one) => one.dataset.row.slice(-1))
        .join(""),
      same: section === at("root/row:a").querySelector("section"),
      state: section.querySelector(".local").textContent,
      focus: document.activeElement === input && input.value,
      quiet: JSON.stringify(start) === JSON.stringify(renders),
    };
  },
  expect: { order: "cba", same: true, state: "local 1", focus: "typed", quiet: true },
});

inPage("input and actions reach the store, the surface and the view", {
  run: async () => {
    const told = [];
    const surface = filled(components, nodes, {
      onAction: ({ name }) => told.push(["surface", name]),
    });
    await show(
      h(SurfaceView, {
        surface,
        components: { Counter },
        onAction: ({ name, context }) => told.push(["view", name, context.who]),
        className: "mine",
      }),
    );
    at("root/row:b").querySelector("button").click();
    await flush(() => at("root/row:b").querySelector(".done").click());
    return {
      count: surface.store.get("b").count,
      shown: at("root/row:b").querySelector("button").textContent,
      told,
      outer: document.querySelector("#app > .mine > .bn-surface") !== null,
    };
  },
  expect: {
    count: 3,
    shown: "B: 3",
    told: [
      ["surface", "done"],
      ["view", "done", "B"],
    ],
    outer: true,
  },
});

inPage(
  "components nest in each other through basic ones, with slots, contexts and portals of React",
  {
    run: async () => {
      const Colour = createContext("none");
      const Panel = ({ instance, children, slot }) => {
        const [open, setOpen] = useState(true);
        return h(
          "article",
          null,
          h("header", null, slot("header")),
          h("button", { id: `toggle-${instance.id}`, onClick: () => setOpen(!open) }, "toggle"),
          h(Colour.Provider, { value: instance.id }, open ? children : null),
        );
      };
      const Leaf = ({ props }) => {
        const colour = useContext(Colour);
        const [clicks, setClicks] = useState(0);
        return h(
          "button",
          { className: "leaf", onClick: () => setClicks(clicks + 1) },
          `${props.name} ${colour} ${clicks}`,
        );
      };
      const surface = filled(
        [
          { id: "root", component: "Column", children: ["outer", "alone"] },
          { id: "outer", component: "Panel", header: "title", child: "card" },
          { id: "title", component: "Row", children: ["leafInHeader"] },
          { id: "leafInHeader", component: "Leaf", name: "header" },
          { id: "card", component: "Card", child: "inner" },
          { id: "inner", component: "Panel", header: "none", child: "list" },
          { id: "none", component: "Text", text: "inner title" },
          { id: "list", component: "Column", children: ["leaf", "field"] },
          { id: "leaf", component: "Leaf", name: { binding: { key: "name" } } },
          {
            id: "field",
            component: "TextField",
            label: "Name",
            value: { binding: { key: "name" } },
          },
          { id: "alone", component: "Leaf", name: "alone" },
        ],
        { root: { name: "deep" } },
        { catalog: { components: { ...catalog.components, Leaf: {} } } },
      );
      await show(h(SurfaceView, { surface, components: { Panel, Leaf } }));
      const leaves = () => [...document.querySelectorAll(".leaf")].map((one) => one.textContent);
      const first = leaves();
      document.querySelectorAll(".leaf")[1].click();
      const field = document.querySelector("input");
      field.value = "deeper";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await settled();
      const second = leaves();
      document.querySelector("#toggle-outer").click();
      await settled();
      const closed = leaves();
      surface.store.apply({ root: { name: "meanwhile" } });
      document.querySelector("#toggle-outer").click();
      await settled();
      return {
        first,
        second,
        closed,
        again: leaves(),
        field: document.querySelector("input").value,
        same: field === document.querySelector("input"),
      };
    },
    expect: {
      first: ["header none 0", "deep inner 0", "alone none 0"],
      second: ["header none 0", "deeper inner 1", "alone none 0"],
      closed: ["header none 0", "alone none 0"],
      again: ["header none 0", "meanwhile inner 0", "alone none 0"],
      field: "meanwhile",
      same: true,
    },
  },
);

inPage("a long list keeps only the rows in sight, and theirs are the only components", {
  run: async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `r${at}`);
    const data = { root: { rows: rows.map((id) => `*${id}`) } };
    for (const id of rows) data[id] = { label: id, count: 0, note: "n" };
    const surface = filled(components, data);
    await show(h(SurfaceView, { surface, components: { Counter } }));
    const numbers = () =>
      [...document.querySelectorAll("section")].map((one) => Number(one.dataset.row.slice(10)));
    const until = async (reached) => {
      while (!reached(numbers())) await settled();
      return numbers().length;
    };
    const first = numbers().length;
    window.scrollTo(0, document.documentElement.scrollHeight / 2);
    const middle = await until((shown) => shown.length > 0 && shown.every((one) => one > 2000));
    surface.store.apply({ root: { rows: ["*r1"] } });
    await settled();
    return {
      few: first > 5 && first < 100,
      middle: middle > 5 && middle < 100,
      rest: document.querySelectorAll("section").length,
    };
  },
  expect: { few: true, middle: true, rest: 1 },
});

inPage("useSurface makes one surface for a component, and disposes of it with the component", {
  run: async () => {
    let living = 0;
    const seen = new Set();
    const App = () => {
      const surface = useSurface(() => {
        const made = filled();
        const dispose = made[Symbol.dispose].bind(made);
        living += 1;
        made[Symbol.dispose] = () => {
          living -= 1;
          dispose();
        };
        return made;
      });
      useEffect(() => void seen.add(surface), [surface]);
      return h(SurfaceView, { surface, components: { Counter } });
    };
    const mine = filled();
    const Borrower = () => h(SurfaceView, { surface: useSurface(mine), components: { Counter } });
    await show(h(Fragment, null, h(App), h(Borrower)));
    const sections = document.querySelectorAll("section").length;
    const [surface] = seen;
    surface.store.apply({ a: { label: "A2", count: 0, note: "" } });
    await settled();
    const text = document.querySelector("section button").textContent;
    const before = living;
    await flush(() => root.unmount());
    const thrown = (() => {
      try {
        surface.tree();
      } catch (error) {
        return error.code;
      }
    })();
    return {
      sections,
      used: seen.size,
      text,
      gone: before - living,
      thrown,
      mine: mine.tree() !== null,
      left: document.querySelector("#app").innerHTML,
    };
  },
  expect: {
    sections: 6,
    used: 1,
    text: "A2: 0",
    gone: 1,
    thrown: "disposed",
    mine: true,
    left: "",
  },
});

inPage("a surface is there until the effects of its component have ended, and then is not", {
  run: async () => {
    const failed = [];
    addEventListener("unhandledrejection", (event) => failed.push(String(event.reason)));
    const text = [{ id: "root", component: "Text", text: { binding: { key: "n" } } }];
    const made = [];
    const atEnd = [];
    const task = () =>
      new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(0);
      });
    const Stream = () => {
      const surface = useSurface(() => made[made.push(filled(text, {})) - 1]);
      useEffect(() => {
        let going = true;
        (async () => {
          for (let n = 0; going; n += 1) {
            surface.store.apply({ root: { n } });
            await task();
          }
        })();
        return () => {
          atEnd.push(surface.tree() !== null);
          going = false;
        };
      }, [surface]);
      return h(SurfaceView, { surface });
    };
    let setOpen;
    const App = () => {
      const [open, set] = useState(true);
      setOpen = set;
      return open && h(Stream);
    };
    // Without StrictMode, which would make and forget a second surface.
    createRoot(document.querySelector("#app")).render(h(App));
    const until = async (there) => {
      for (let frames = 0; frames < 500; frames += 1) {
        await settled();
        if ((document.querySelector(".bn-text") !== null) === there) return;
      }
      throw new Error(`the text ${there ? "does not come" : "stays"}: ${failed}`);
    };
    for (let n = 0; n < 10; n += 1) {
      await until(true);
      setTimeout(() => setOpen(false));
      await until(false);
      setTimeout(() => setOpen(true));
    }
    await until(true);
    const codes = made.map((surface) => {
      try {
        return surface.tree() !== null;
      } catch (error) {
        return error.code;
      }
    });
    return { failed, atEnd: new Set(atEnd).size, codes: codes.slice(0, 10), last: codes.slice(10) };
  },
  expect: { failed: [], atEnd: 1, codes: Array(10).fill("disposed"), last: [true] },
});

inPage("what goes while it is hidden takes its surface along", {
  run: async () => {
    let surface;
    const App = () => {
      surface = useSurface(() => filled());
      return h(SurfaceView, { surface, components: { Counter } });
    };
    let setMode;
    const Page = () => {
      const [mode, set] = useState("visible");
      setMode = set;
      return mode !== "gone" && h(Activity, { mode }, h(App));
    };
    flushSync(() => createRoot(document.querySelector("#app")).render(h(Page)));
    await settled();
    await flush(() => setMode("hidden"));
    const hidden = surface.tree() !== null;
    await flush(() => setMode("gone"));
    try {
      return { hidden, gone: surface.tree() };
    } catch (error) {
      return { hidden, gone: error.code };
    }
  },
  expect: { hidden: true, gone: "disposed" },
});

inPage("a part that was hidden and is shown again has its surface, and what was done in it", {
  run: async () => {
    const App = () =>
      h(SurfaceView, { surface: useSurface(() => filled()), components: { Counter } });
    let setMode;
    const Page = () => {
      const [mode, set] = useState("visible");
      setMode = set;
      return h(Activity, { mode }, h(App));
    };
    await show(h(Page));
    await flush(() => document.querySelector(".local").click());
    await flush(() => setMode("hidden"));
    await flush(() => setMode("visible"));
    const sections = document.querySelectorAll("section").length;
    return { sections, state: document.querySelector(".local").textContent };
  },
  expect: { sections: 3, state: "local 1" },
});

inPage("useBinding shows a binding, writes through it, and is the same object until it changes", {
  run: async () => {
    const store = new HamStore();
    store.apply({
      root: { users: ["*u1", "*u2"], title: "Team" },
      u1: { name: "Ann" },
      u2: { name: "Bob" },
    });
    const readings = new Set();
    const rendered = { title: 0, name: 0 };
    let rerender;
    let write;
    const Title = () => {
      const [count, setCount] = useState(0);
      rerender = () => setCount(count + 1);
      rendered.title += 1;
      const [reading] = useBinding(store, { key: "title" });
      readings.add(reading);
      return h("h1", null, `${reading.value} ${count}`);
    };
    const Name = ({ context }) => {
      rendered.name += 1;
      const [{ value, status }, set] = useBinding(store, { key: "name" }, context);
      write = set;
      return h("p", null, status === "ok" ? value : status);
    };
    const [, second] = store.children({ binding: { key: "users" } });
    await show(h(Fragment, null, h(Title), h(Name, { context: second.context })));
    const first = { ...rendered };
    const objects = readings.size;
    await flush(rerender);
    const stable = readings.size === objects;
    const result = write("Bea");
    await settled();
    const shown = document.querySelector("#app").textContent;
    const quiet = rendered.title - first.title;
    store.apply({ "!u2": null });
    await settled();
    const gone = document.querySelector("p").textContent;
    // One node that two components show: both show it in the same frame.
    root.unmount();
    store.apply({ u2: { name: "Back" } });
    return { ok: result.ok, shown, stable, quiet, gone };
  },
  expect: { ok: true, shown: "Team 1Bea", stable: true, quiet: 2, gone: "missing" },
});

inPage("two components never show two states of one store, also while a slow render is under way", {
  run: async () => {
    const store = new HamStore();
    store.apply({ root: { n: 0 } });
    const torn = [];
    const Number_ = ({ slow }) => {
      const [{ value }] = useBinding(store, { key: "n" });
      if (slow) for (const end = performance.now() + 4; performance.now() < end; );
      return h("b", null, value);
    };
    let setCount;
    const App = () => {
      const [count, set] = useState(1);
      setCount = set;
      useLayoutEffect(() => {
        torn.push(new Set([...document.querySelectorAll("b")].map((one) => one.textContent)).size);
      });
      return Array.from({ length: count }, (_, at) => h(Number_, { key: at, slow: count > 1 }));
    };
    await show(h(App));
    startTransition(() => setCount(40));
    // The transition renders in slices; the store changes between them.
    for (let n = 1; n <= 5; n += 1) {
      await new Promise((done) => setTimeout(done, 10));
      store.apply({ root: { n } });
    }
    while (document.querySelectorAll("b").length < 40) await settled();
    await settled();
    const shown = new Set([...document.querySelectorAll("b")].map((one) => one.textContent));
    return { torn: torn.some((one) => one > 1), shown: [...shown] };
  },
  expect: { torn: false, shown: ["5"] },
});

inPage("another surface, another set of components, and components written in place", {
  run: async () => {
    const one = filled();
    const two = filled(components, { ...nodes, a: { label: "Z", count: 9, note: "" } });
    const App = ({ surface, plain }) =>
      h(SurfaceView, { surface, components: plain ? {} : { Counter } });
    await show(h(App, { surface: one }));
    const section = document.querySelector("section");
    const counted = { ...renders };
    await flush(() => root.render(h(StrictMode, null, h(App, { surface: one }))));
    const kept = section === document.querySelector("section") && counted.A === renders.A;
    await flush(() => root.render(h(StrictMode, null, h(App, { surface: two }))));
    const other = document.querySelector("section button").textContent;
    await flush(() => root.render(h(StrictMode, null, h(App, { surface: two, plain: true }))));
    return {
      kept,
      other,
      unknown: document.querySelectorAll(".bn-unknown").length,
      surfaces: document.querySelectorAll(".bn-surface").length,
    };
  },
  expect: { kept: true, other: "Z: 9", unknown: 3, surfaces: 1 },
});

inPage("React gives the element of byname/dom its surface as a property", {
  run: async () => {
    const surface = filled([{ id: "root", component: "Text", text: { binding: { key: "t" } } }], {
      root: { t: "one" },
    });
    await show(h("byname-surface", { surface, options: { words: { loading: "…" } }, id: "host" }));
    const element = document.querySelector("#host");
    surface.store.apply({ root: { t: "two" } });
    const text = element.shadowRoot.querySelector(".bn-text").textContent;
    const given = [element.surface === surface, element.options.words.loading];
    await flush(() => root.unmount());
    return {
      text,
      given,
      attributes: element.getAttributeNames(),
      left: element.shadowRoot.childElementCount,
    };
  },
  expect: { text: "two", given: [true, "…"], attributes: ["id"], left: 0 },
});

test("what a component throws is caught by the boundary around it, and the rest of the surface stays", async () => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/react.html`);
    await page.waitForFunction(() => window.set);
    const seen = await page.evaluate(async () => {
      class Boundary extends Component {
        state = { failed: false };
        static getDerivedStateFromError = () => ({ failed: true });
        render() {
          return this.state.failed ? h("em", null, "caught") : this.props.children;
        }
      }
      const Leaf = ({ props }) => {
        if (props.label === "bad") throw new Error("bad label");
        return h("b", null, props.label);
      };
      const Panel = ({ children }) => h(Boundary, null, children);
      const given = [
        { id: "root", component: "Column", children: ["title", "panel", "other"] },
        { id: "title", component: "Text", text: "title" },
        { id: "panel", component: "Panel", child: "card" },
        { id: "card", component: "Card", child: "leaf" },
        { id: "leaf", component: "Leaf", label: { binding: { key: "label" } } },
        { id: "other", component: "Leaf", label: "fine" },
      ];
      const surface = filled(given, { root: { label: "good" } });
      await show(h(SurfaceView, { surface, components: { Leaf, Panel } }));
      const app = document.querySelector("#app .bn-column");
      const first = app.textContent;
      surface.store.apply({ root: { label: "bad" } });
      await settled();
      return [first, app.isConnected && app.textContent];
    });
    assert.deepEqual(seen, ["titlegoodfine", "titlecaughtfine"]);
  } finally {
    await context.close();
  }
});
