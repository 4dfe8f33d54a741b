// Page with moving rows, for browsers that are controlled by single calls.

export const moving = `<!doctype html><html lang="en"><title>moving</title>
<script type="importmap">{"imports":{"byname/ham":"/pkg/ham/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<main id="host"></main>
<script type="module">
import { init, Surface } from "byname/ham";
import { basicCatalog, mount } from "byname/dom";
await init();
const surface = new Surface({ catalog: basicCatalog });
window.store = surface.store;
window.show = (components, nodes) => {
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  store.apply(nodes);
  mount(surface, document.querySelector("#host"));
};
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
</script></html>`;

const ready =
  "while (!window.ready) await new Promise((resolve) => setTimeout(resolve, 20)); await settled();";

/** Returns the scroll offsets of two text areas, 40 pixels before their rows are swapped. */
export const scrolledNotes = `async () => {
  ${ready}
  show(
    [
      { id: "root", component: "List", children: { binding: { node: "root", key: "rows" }, template: "note" } },
      { id: "note", component: "TextField", variant: "longText", label: "note", value: { binding: { key: "note" } } },
    ],
    {
      root: { rows: ["*a", "*b"] },
      a: { note: "a\\n".repeat(50) },
      b: { note: "b\\n".repeat(50) },
    },
  );
  const notes = [...document.querySelectorAll("textarea")];
  for (const note of notes) note.scrollTop = 40;
  await settled();
  store.apply({ root: { rows: ["*b", "*a"] } });
  const moved = [...document.querySelectorAll("textarea")];
  const swapped = moved[0] === notes[1] && moved[1] === notes[0];
  return JSON.stringify([swapped, ...notes.map((note) => note.scrollTop)]);
}`;

/** Returns by how many pixels the visible rows of two long lists move when a row is inserted at the start of each. */
export const shiftOfTwo = `async () => {
  ${ready}
  const list = (id) => ({
    id,
    component: "List",
    weight: 1,
    children: { binding: { node: "root", key: id }, template: "row" },
  });
  const names = (of) => Array.from({ length: 1000 }, (_, at) => "*" + of + at);
  const [left, right] = [names("left"), names("right")];
  show(
    [
      { id: "root", component: "Row", children: ["left", "right"] },
      list("left"),
      list("right"),
      { id: "row", component: "Text", text: "row" },
    ],
    { root: { left, right }, ...Object.fromEntries([...left, ...right].map((name) => [name.slice(1), {}])) },
  );
  await settled();
  scrollTo({ top: 9000, behavior: "instant" });
  for (let frame = 0; frame < 3; frame += 1) await settled();
  const read = [...document.querySelectorAll("[role=listitem]")].filter(
    (one) => one.getBoundingClientRect().top > 100,
  );
  const tops = () => read.map((one) => one.getBoundingClientRect().top);
  const before = tops();
  store.apply({ root: { left: ["*new", ...left], right: ["*new", ...right] }, new: {} });
  for (let frame = 0; frame < 3; frame += 1) await settled();
  const most = Math.max(...tops().map((top, at) => Math.abs(top - before[at])));
  return JSON.stringify([read.length > 20, most]);
}`;
