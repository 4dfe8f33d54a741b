// The part of the program that byname/ham supports.
import { basicCatalog, mount } from "byname/dom";
import { Surface } from "byname/ham";

const components = [
  { id: "root", component: "Column", children: { binding: { key: "people" }, template: "row" } },
  { id: "row", component: "Text", text: { binding: { key: "name" } } },
];

/** Runs an update and a surface. */
export async function run() {
  const { store, changes } = start(new Surface());
  return { people: store.toJSON().people, changes };
}

/** Shows the people in a live surface; returns a function that removes it. */
export async function show(element) {
  const surface = new Surface({ catalog: basicCatalog });
  mount(surface, element);
  start(surface);
  element.dataset.result = JSON.stringify(await run());
}

function start(surface) {
  const { store } = surface;
  const changes = [];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  store.apply({ root: { people: ["*a", "*b"] }, a: { name: "Ada" }, b: { name: "Grace" } });
  surface.subscribe((list) => changes.push(...list.map(({ kind, key }) => `${kind} ${key}`)));
  store.apply('{"a": {"name": "Ada Lovelace"}, "root": {"people": ["*b", "*a"]}}');
  return { store, changes };
}
