// The part of the program that byname/ham can do, over the smaller module.
import { basicCatalog, mount } from "byname/dom";
import { Surface } from "byname/ham";

const components = [
  { id: "root", component: "Column", children: { binding: { key: "people" }, template: "row" } },
  { id: "row", component: "Text", text: { binding: { key: "name" } } },
];

/** An update and a surface. */
export async function run() {
  const { store, told } = start(new Surface());
  return { people: store.toJSON().people, told };
}

/** Shows the people in a live surface. */
export async function show(element) {
  const surface = new Surface({ catalog: basicCatalog });
  mount(surface, element);
  start(surface);
  element.dataset.result = JSON.stringify(await run());
}

function start(surface) {
  const { store } = surface;
  const told = [];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  store.apply({ root: { people: ["*a", "*b"] }, a: { name: "Ada" }, b: { name: "Grace" } });
  surface.subscribe((changes) => told.push(...changes.map(({ kind, key }) => `${kind} ${key}`)));
  store.apply('{"a": {"name": "Ada Lovelace"}, "root": {"people": ["*b", "*a"]}}');
  return { store, told };
}
