/**
 * `byname/dom`: renders a surface into the page and updates it by keyed patches. Use
 * `mount(surface, element)` for any element, `<byname-surface>` in markup; `basicCatalog` declares
 * the rendered components.
 */
import { defineElement } from "./dom/element.js";

export type {
  Component,
  Context,
  MountOptions,
  SurfaceLike,
  Words,
} from "./dom/base/component.js";
export type { Children, MirrorNode, View } from "./dom/base/mirror-node.js";
export { basicCatalog } from "./dom/catalog.js";
export { BynameSurface } from "./dom/element.js";
export { mount } from "./dom/mount.js";
export type { CatalogFunction, Functions } from "./functions/call-context.js";
export { safeUrl, type UrlUse } from "./url.js";

defineElement();
