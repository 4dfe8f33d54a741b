import type { MountOptions, SurfaceLike } from "./base/component.js";
import { mount } from "./mount.js";

/** Without a document there is nothing to extend, and the module must still load (server rendering, tests). */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** `<byname-surface>`: shows the surface given by its property `surface`, styled apart from the page. */
export class BynameSurface extends Base {
  #surface: SurfaceLike | null = null;
  #options: MountOptions = {};
  #unmount: (() => void) | null = null;

  /** As for `mount`; read when a surface is shown. */
  get options(): MountOptions {
    return this.#options;
  }

  set options(options: MountOptions) {
    this.#options = options;
  }

  get surface(): SurfaceLike | null {
    return this.#surface;
  }

  set surface(surface: SurfaceLike | null) {
    if (surface === this.#surface && this.#unmount) return;
    this.#stop();
    this.#surface = surface;
    if (this.isConnected) this.#start();
  }

  connectedCallback(): void {
    // A page may have set the property before the element was known: then it is an own one that hides ours.
    for (const name of ["options", "surface"] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const early = this[name];
      Reflect.deleteProperty(this, name);
      Object.assign(this, { [name]: early });
    }
    this.#start();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  /** Being moved is no reason to render anew. */
  connectedMoveCallback(): void {}

  #start(): void {
    if (this.#unmount || !this.#surface) return;
    // A server may have declared the root, with the surface in it.
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#unmount = mount(this.#surface, root, { ...this.#options, hydrate: true });
  }

  #stop(): void {
    this.#unmount?.();
    this.#unmount = null;
  }
}

/** Makes `<byname-surface>` known, once; does nothing where there are no custom elements. */
export function defineElement(name = "byname-surface"): void {
  const elements = globalThis.customElements;
  if (elements && !elements.get(name)) elements.define(name, BynameSurface);
}

declare global {
  interface HTMLElementTagNameMap {
    "byname-surface": BynameSurface;
  }
}
