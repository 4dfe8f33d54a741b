// The hooks of `byname/react`: their objects are disposed of with the component, and they show one state of the store.
import { testInPage } from "./react-surface.mjs";

testInPage("useSurface makes one surface for a component, and disposes of it with the component", {
  run: async () => {
    let made = 0;
    let living = 0;
    const seen = new Set();
    const App = () => {
      const surface = useSurface(() => {
        const one = filled();
        const dispose = one[Symbol.dispose].bind(one);
        made += 1;
        living += 1;
        one[Symbol.dispose] = () => {
          living -= 1;
          dispose();
        };
        return one;
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
      made,
      living,
      thrown,
      mine: mine.tree() !== null,
      left: document.querySelector("#app").innerHTML,
    };
  },
  expect: {
    sections: 6,
    used: 1,
    text: "A2: 0",
    made: 1,
    living: 0,
    thrown: "disposed",
    mine: true,
    left: "",
  },
});

testInPage("a surface exists until the effects of its component are cleaned up", {
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
    // Without StrictMode, which would create and discard a second surface.
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

testInPage("an edited component keeps its surface, also while it is hidden", {
  run: async () => {
    const used = new Set();
    const version = (name) => () => {
      const surface = useSurface(() => filled());
      used.add(surface);
      return h(Fragment, null, h("h1", null, name), h(SurfaceView, { surface }));
    };
    const versions = ["one", "two", "three", "four"].map(version);
    let setMode;
    const Page = () => {
      const [mode, set] = useState("visible");
      setMode = set;
      return mode !== "gone" && h(Activity, { mode }, h(versions[0]));
    };
    // Without StrictMode, in which an edit does not run effects again.
    flushSync(() => createRoot(document.querySelector("#app")).render(h(Page)));
    const seen = [];
    const look = async () => {
      await settled();
      const [surface] = used;
      const { textContent } = document.querySelector("h1");
      try {
        seen.push(`${textContent}: ${surface.tree() !== null}`);
      } catch (error) {
        seen.push(`${textContent}: ${error.code}`);
      }
    };
    await look();
    flushSync(() => refresh(versions[0], versions[1]));
    await look();
    flushSync(() => refresh(versions[1], versions[2]));
    await look();
    await flush(() => setMode("hidden"));
    flushSync(() => refresh(versions[2], versions[3]));
    await settled();
    await flush(() => setMode("visible"));
    await look();
    const heading = document.querySelector("h1");
    await flush(() => setMode("gone"));
    await settled();
    document.querySelector("#app").append(heading);
    await look();
    return { seen, used: used.size };
  },
  expect: {
    seen: ["one: true", "two: true", "three: true", "four: true", "four: disposed"],
    used: 1,
  },
});

testInPage("a component that is removed while hidden disposes of its surface", {
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

testInPage("a part that is shown again has its surface and user input", {
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

testInPage(
  "useBinding shows a binding, writes through it, and is the same object until it changes",
  {
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
      // Two components that show one node update in the same frame.
      root.unmount();
      store.apply({ u2: { name: "Back" } });
      return { ok: result.ok, shown, stable, quiet, gone };
    },
    expect: { ok: true, shown: "Team 1Bea", stable: true, quiet: 2, gone: "missing" },
  },
);

testInPage("two components never show two states of one store, also during a slow render", {
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
