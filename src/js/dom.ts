/**
 * `byname/dom`: renders a surface into the page and keeps it up to date by keyed patches.
 * `mount(surface, element)` for any element, `<byname-surface>` for markup; `basicCatalog` tells the surface what these components are.
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
