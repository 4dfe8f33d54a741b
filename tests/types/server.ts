// Type test of byname/dom/server: compiled, never run.
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
// @ts-expect-error A server cannot hydrate.
renderToString(surface, { hydrate: true });
// @ts-expect-error A store is not a surface.
renderToString(surface.store);
