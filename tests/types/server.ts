// Compiled, never run: what byname/dom/server promises to those who import it.
import { Surface } from "byname";
import { type Component, mount } from "byname/dom";
import { renderToString, stylesheet } from "byname/dom/server";

declare const Stars: Component;
const surface = new Surface();
export const pages: string[] = [
  renderToString(surface),
  renderToString(surface.tree(), { components: { Stars }, words: { close: "Zu" }, ids: "a-" }),
  renderToString(null, { style: false }),
  renderToString(surface, { nonce: "abc", windowAbove: 10 }),
  stylesheet,
];
mount(surface, document.body, { hydrate: true });
// @ts-expect-error There is nothing to take over on a server.
renderToString(surface, { hydrate: true });
// @ts-expect-error A store is no surface.
renderToString(surface.store);
