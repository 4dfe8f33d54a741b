// `app.js` of the snippets in docs/install.md: code of an application that imports byname.
import { Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
import { run } from "./run.js";

export { run } from "./run.js";

/** Runs the program and shows its result in a live surface; returns a function that removes the surface. */
export async function show(element) {
  const surface = new Surface({ catalog: basicCatalog });
  const end = mount(surface, element);
  const components = [{ id: "root", component: "Text", text: { binding: { key: "said" } } }];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply({ root: { said: "…" } });
  const result = await run();
  surface.store.apply({ root: { said: result.said } });
  element.dataset.result = JSON.stringify(result);
  return end;
}
