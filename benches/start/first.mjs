// Minimal page with one bound element; `window.times` are milliseconds since the navigation. The
// element is the first contentful paint.
import { init, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";

const times = { modules: performance.now() };
for (const name of ["compileStreaming", "instantiate"]) {
  const native = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const begin = performance.now();
    const made = await native(...given);
    times[name] = { begin, end: performance.now() };
    return made;
  };
}

await init();
times.ready = performance.now();
const surface = new Surface({ catalog: basicCatalog });
surface.receive({
  updateComponents: {
    surfaceId: "main",
    components: [{ id: "root", component: "Text", text: { binding: { key: "title" } } }],
  },
});
surface.receive({
  updateDataModel: { surfaceId: "main", nodes: { root: { title: "Here I am" } } },
});
mount(surface, document.querySelector("#app"));
times.mounted = performance.now();

new PerformanceObserver((entries) => {
  const painted = entries.getEntriesByName("first-contentful-paint")[0];
  if (!painted) return;
  times.painted = painted.startTime;
  const [wasm] = performance.getEntriesByType("resource").filter(({ name }) => /wasm/.test(name));
  times.fetch = { begin: wasm.startTime, end: wasm.responseEnd };
  window.times = times;
}).observe({ type: "paint", buffered: true });
