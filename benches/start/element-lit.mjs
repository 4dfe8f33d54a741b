// The same page with @a2ui/lit: a line is a message, processed as soon as it is complete.
import { A2uiSurface, basicCatalog } from "@a2ui/lit/v0_9";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
import { eachMessage, observeTitle } from "./element.mjs";

observeTitle();
const processor = new MessageProcessor([basicCatalog]);
processor.onSurfaceCreated((surface) => {
  const element = new A2uiSurface();
  element.surface = surface;
  document.querySelector("#app").append(element);
});
await eachMessage((message) => processor.processMessages([message]));
