// Ten thousand bound rows in a list that keeps only those near the viewport in the document. `window.paint`
// draws them and marks begin and end for the trace; the module is loaded by then, and nothing has run.
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
// What byname does in an idle moment comes first, where the page has one.
const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
whenIdle(() => {
  window.isReady = true;
});

// Two frames later whatever was drawn is on the screen, second looks at the heights of rows included.
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  });
}
