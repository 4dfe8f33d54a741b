// Guarantees of `byname/react` in development mode and StrictMode: which components render, and what is kept when rows move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, server } from "./fixture.mjs";
import { testInPage } from "./react-surface.mjs";

testInPage("a change renders only the affected component", {
  run: async () => {
    const surface = filled();
    await show(h(SurfaceView, { surface, components: { Counter } }));
    const start = { ...renders };
    surface.store.apply({ b: { label: "B", count: 20, note: "second" } });
    await settled();
    const counted = { ...renders };
    // The renderer updates the text below without React.
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

testInPage("a component gets data that name a function as they are", {
  run: async () => {
    const named = { call: "wipe", args: {} };
    const list = { binding: { key: "named" } };
    const surface = filled([{ id: "root", component: "Counter", list }], { root: { named } });
    const calls = [];
    const Props = ({ props }) => h("p", null, JSON.stringify(props.list));
    const functions = { wipe: () => calls.push(1) };
    await show(h(SurfaceView, { surface, components: { Counter: Props }, functions }));
    const first = document.querySelector("p").textContent;
    surface.store.apply({ root: { named: [named] } });
    await settled();
    return [first, document.querySelector("p").textContent, calls];
  },
  expect: ['{"call":"wipe","args":{}}', '[{"call":"wipe","args":{}}]', []],
});

testInPage("a moved row keeps its elements, its state and the focus, and renders nothing", {
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

testInPage("SurfacesView renders the surfaces that an agent creates, and removes deleted ones", {
  run: async () => {
    const surfaces = new Surfaces({ a2ui: true });
    const actions = [];
    await show(
      h(SurfacesView, {
        surfaces,
        className: "one",
        onAction: (action) => actions.push(action.surfaceId),
      }),
    );
    const texts = () =>
      [...document.querySelectorAll("#app > .one")].map((one) => [
        one.dataset.surfaceId,
        one.textContent,
      ]);
    const create = (surfaceId, text) => ({
      createSurface: {
        surfaceId,
        dataModel: { text },
        components: [
          { id: "root", component: "Button", child: "text", action: { event: { name: "go" } } },
          { id: "text", component: "Text", text: { path: "/text" } },
        ],
      },
    });
    const before = texts();
    await receiveAll(surfaces, [create("a", "A"), create("b", "B")]);
    await settled();
    const both = texts();
    const kept = document.querySelector("[data-surface-id=b]");
    await flush(() => kept.querySelector("button").click());
    surfaces.receive({ deleteSurface: { surfaceId: "a" } });
    await settled();
    return {
      before,
      both,
      after: texts(),
      same: kept === document.querySelector("[data-surface-id=b]"),
      actions,
    };
  },
  expect: {
    before: [],
    both: [
      ["a", "A"],
      ["b", "B"],
    ],
    after: [["b", "B"]],
    same: true,
    actions: ["b"],
  },
});

testInPage("input and actions reach the store, the surface and the view", {
  run: async () => {
    const actions = [];
    const surface = filled(components, nodes, {
      onAction: ({ name }) => actions.push(["surface", name]),
    });
    await show(
      h(SurfaceView, {
        surface,
        components: { Counter },
        onAction: ({ name, context }) => actions.push(["view", name, context.who]),
        className: "mine",
      }),
    );
    at("root/row:b").querySelector("button").click();
    await flush(() => at("root/row:b").querySelector(".done").click());
    return {
      count: surface.store.get("b").count,
      shown: at("root/row:b").querySelector("button").textContent,
      actions,
      outer: document.querySelector("#app > .mine > .bn-surface") !== null,
    };
  },
  expect: {
    count: 3,
    shown: "B: 3",
    actions: [
      ["surface", "done"],
      ["view", "done", "B"],
    ],
    outer: true,
  },
});

testInPage("an action of a React component sends the text that the user is typing", {
  run: async () => {
    const sent = [];
    const surface = filled(
      [
        { id: "root", component: "Column", children: ["draft", "send"] },
        { id: "draft", component: "TextField", label: "D", value: { binding: { key: "draft" } } },
        {
          id: "send",
          component: "Send",
          action: { event: { name: "send", context: { text: { binding: { key: "draft" } } } } },
        },
      ],
      { root: { draft: "" } },
    );
    const onAction = ({ context }) => sent.push(context.text);
    const Send = ({ trigger }) => h("button", { onClick: () => trigger() }, "Send");
    await show(h(SurfaceView, { surface, components: { Send }, onAction }));
    const input = document.querySelector("input");
    input.focus();
    document.execCommand("insertText", false, "hello");
    surface.store.apply({ root: { draft: "" } });
    const typed = input.value;
    await flush(() => document.querySelector("button").click());
    surface.store.apply({ root: { draft: "" } });
    return { typed, sent, cleared: input.value, focused: document.activeElement === input };
  },
  expect: { typed: "hello", sent: ["hello"], cleared: "", focused: true },
});

testInPage("the view passes `maxElements`, and the surface has the diagnostic", {
  run: async () => {
    const children = Array(30).fill("leaf");
    const surface = filled(
      [
        { id: "root", component: "Row", children },
        { id: "leaf", component: "Text", text: "leaf" },
      ],
      {},
    );
    await show(h(SurfaceView, { surface, maxElements: 20 }));
    return {
      leaves: document.querySelectorAll("[data-id=leaf]").length,
      codes: surface.diagnostics().map(({ code }) => code),
    };
  },
  expect: { leaves: 0, codes: ["HAM050"] },
});

testInPage("a React component receives its failed checks", {
  run: async () => {
    const value = { binding: { key: "stars" } };
    const condition = { call: "numeric", args: { value, min: 1 } };
    const surface = filled(
      [{ id: "root", component: "Stars", value, checks: [{ condition, message: "no star" }] }],
      { root: { stars: 0 } },
    );
    const Stars = ({ errors }) => h("p", null, errors.map(({ message }) => message).join());
    await show(h(SurfaceView, { surface, components: { Stars } }));
    const before = document.querySelector("p").textContent;
    surface.store.apply({ root: { stars: 2 } });
    await settled();
    const { valid } = surface.validity();
    return { before, after: document.querySelector("p").textContent, valid };
  },
  expect: { before: "no star", after: "", valid: true },
});

testInPage("the view passes `timeZone`", {
  run: async () => {
    const value = "2026-06-17T14:30:00Z";
    const text = { call: "formatDate", args: { value, format: "H:mm" } };
    const surface = filled([{ id: "root", component: "Text", text }], {});
    await show(h(SurfaceView, { surface, timeZone: "Asia/Tokyo" }));
    return { text: document.querySelector("[data-id=root]").textContent };
  },
  expect: { text: "23:30" },
});

testInPage("a custom function does not send an action to the view", {
  run: async () => {
    const actions = [];
    const ran = [];
    const action = { functionCall: { call: "copy", args: { who: { binding: { key: "label" } } } } };
    const surface = filled(
      components.map((one) => (one.component === "Counter" ? { ...one, action } : one)),
    );
    await show(
      h(SurfaceView, {
        surface,
        components: { Counter },
        functions: { copy: ({ who }) => ran.push(who) },
        onAction: ({ name }) => actions.push(name),
      }),
    );
    await flush(() => at("root/row:b").querySelector(".done").click());
    return { ran, actions };
  },
  expect: { ran: ["B"], actions: [] },
});

testInPage(
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

testInPage("a long list mounts only the visible rows and their components", {
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

testInPage("the surface, the set of components and inline components can be replaced", {
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

testInPage("React gives the element of byname/dom its surface as a property", {
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

test("an error boundary catches the error of a component, and the rest of the surface stays", async () => {
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
