// App that server and page both create, each with its own React and its own surface.

const components = [
  { id: "root", component: "Column", children: ["title", "panel", "rows", "name", "nested"] },
  { id: "title", component: "Text", variant: "h1", text: { binding: { key: "title" } } },
  { id: "panel", component: "Panel", header: "heading", child: "inner" },
  { id: "heading", component: "Text", text: "heading & <b>" },
  { id: "inner", component: "Card", child: "leaf" },
  { id: "leaf", component: "Counter", label: "inside" },
  { id: "rows", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Counter", label: { binding: { key: "label" } } },
  { id: "name", component: "TextField", label: "Name", value: { binding: { key: "title" } } },
  { id: "nested", component: "Nested" },
];
const nodes = {
  root: { title: "Title", rows: ["*a", "*b"] },
  a: { label: "A" },
  b: { label: "B" },
};

/** `api` contains the exports of React and byname. */
export function makeApp(api, Surface) {
  const { createContext, createElement: h, Suspense, useContext, useState } = api;
  const { basicCatalog, SurfaceView, useBinding, useSurface } = api;
  const catalog = {
    components: {
      ...basicCatalog.components,
      Counter: {},
      Nested: {},
      Panel: { child: ["child", "header"] },
    },
  };
  const Colour = createContext("none");
  const renders = [];

  function Counter({ props }) {
    const [count, setCount] = useState(0);
    const colour = useContext(Colour);
    renders.push(props.label);
    const text = `${props.label} ${colour} ${count}`;
    // The renderer must ignore its own attribute names on elements of a component.
    return h(
      "section",
      { "data-key": props.label },
      h("button", { type: "button", onClick: () => setCount(count + 1) }, text),
      h("input", {
        "aria-label": props.label,
        "data-key": "own",
        "data-component": "Own",
        defaultValue: "",
      }),
    );
  }
  function Panel({ children, slot }) {
    const [open, setOpen] = useState(true);
    return h(
      "article",
      null,
      slot("header"),
      h("button", { type: "button", id: "panel", onClick: () => setOpen(!open) }, "panel"),
      h(Colour.Provider, { value: "red" }, open ? children : null),
    );
  }
  /** Surface in a component of another surface, which is hydrated after it. */
  function Inner() {
    const surface = useSurface(() => {
      const made = new Surface({ catalog });
      const text = { id: "root", component: "Text", text: "a surface of its own" };
      made.receive({ createSurface: { surfaceId: "inner", components: [text] } });
      return made;
    });
    return h(SurfaceView, { surface, id: "inner" });
  }
  const Nested = () => h(Suspense, null, h(Inner));
  const own = { Counter, Nested, Panel };
  const surfaces = [];

  function App() {
    const surface = useSurface(() => {
      const made = new Surface({ catalog });
      made.receive({ createSurface: { surfaceId: "s", components } });
      made.store.apply(nodes);
      return made;
    });
    surfaces.push(surface);
    const [{ value }] = useBinding(surface.store, { key: "title" });
    return h(
      "main",
      null,
      h("p", { id: "bound" }, value),
      h(SurfaceView, { surface, components: own, className: "view" }),
    );
  }
  return { App, renders, surface: () => surfaces.at(-1) };
}

/** App that changes its surface in its first effect. */
export function makeGreeting(api, Surface) {
  const { createElement: h, Suspense, useEffect } = api;
  const { basicCatalog, SurfaceView, useSurface } = api;
  function Greeting() {
    const surface = useSurface(() => {
      const made = new Surface({ catalog: basicCatalog });
      const text = { id: "root", component: "Text", text: { binding: { key: "said" } } };
      made.receive({ createSurface: { surfaceId: "s", components: [text] } });
      made.store.apply({ root: { said: "from the server" } });
      return made;
    });
    useEffect(() => {
      surface.store.apply({ root: { said: "from the page" } });
    }, [surface]);
    return h(SurfaceView, { surface });
  }
  return () => h("main", null, h(Suspense, null, h(Greeting)));
}
