/**
 * `byname/dom`: renders a surface into the page and updates it by keyed patches. Use
 * `mount(surface, element)` for any element, `<byname-surface>` in markup; `basicCatalog` declares
 * the rendered components.
 */
import { defineElement } from "./dom/element.js";

export { basicCatalog } from "./dom/catalog.js";
export { BynameSurface } from "./dom/element.js";
export type { MirrorNode } from "./dom/mirror.js";
export { mount } from "./dom/mount.js";
export { safeUrl, type UrlUse } from "./dom/url.js";
export type {
  CatalogFunction,
  Children,
  Component,
  Context,
  Functions,
  MountOptions,
  SurfaceLike,
  View,
  Words,
} from "./dom/view.js";

defineElement();
