// Ten thousand bound rows in a virtual list. `window.paint` renders them and marks begin and end
// for the trace; the module is loaded but has not run.
import { init, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
import { LIST, rowDocument } from "../data/rows.mjs";

const text = (key) => ({ component: "Text", text: { binding: { key } } });
const list = {
  id: "root",
  component: "List",
  children: { binding: { key: LIST }, template: "row" },
};

const layouts = {
  one: [list, { id: "row", ...text("name") }],
  four: [
    list,
    { id: "row", component: "Row", children: ["name", "title", "score", "active"] },
    ...["name", "title", "score", "active"].map((id) => ({ id, ...text(id) })),
  ],
};

await init();
const message = JSON.stringify({
  updateDataModel: { surfaceId: "main", nodes: rowDocument(10_000) },
});

window.paint = async (layout) => {
  performance.mark("rows-begin");
  const surface = new Surface({ catalog: basicCatalog });
  const components = layouts[layout];
  surface.receive({ updateComponents: { surfaceId: "main", components } });
  surface.receive(message);
  performance.mark("rows-mount");
  mount(surface, document.querySelector("#app"));
  performance.mark("rows-mounted");
  await painted();
  performance.mark("rows-end");
  return document.querySelectorAll("[role=listitem]").length;
};
// The idle work of byname runs first, if the page is idle.
const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
whenIdle(() => {
  window.isReady = true;
});

// Two frames later all is painted, including the second layout for row heights.
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  });
}
