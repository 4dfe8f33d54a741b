/** Adds a greeting to a surface. */
export function greet(surface) {
  const components = [{ id: "root", component: "Text", text: { binding: { key: "words" } } }];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply({ root: { words: "Hello from a surface" } });
  return surface;
}
