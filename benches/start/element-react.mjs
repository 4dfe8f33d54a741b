// The same page with @a2ui/react, as its description shows it.
import { A2uiSurface, basicCatalog } from "@a2ui/react/v0_9";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
import { createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { eachMessage, observeTitle } from "./element.mjs";

observeTitle();
const processor = new MessageProcessor([basicCatalog]);
const currentSurfaces = () => [...processor.model.surfacesMap.values()];

function App() {
  const [surfaces, setSurfaces] = useState(currentSurfaces);
  useEffect(() => {
    const created = processor.onSurfaceCreated(() => setSurfaces(currentSurfaces()));
    setSurfaces(currentSurfaces());
    return () => created.unsubscribe();
  }, []);
  return surfaces.map((surface) => createElement(A2uiSurface, { key: surface.id, surface }));
}

createRoot(document.querySelector("#app")).render(createElement(App));
await eachMessage((message) => processor.processMessages([message]));
