import type { MountOptions, SurfaceLike } from "./base/component.js";
import { mount } from "./mount.js";

/** Base class; empty without a document, because the module must load on servers and in tests. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** Custom element `<byname-surface>`: renders its property `surface` in a shadow root. */
export class BynameSurface extends Base {
  #surface: SurfaceLike | null = null;
  #options: MountOptions = {};
  #unmount: (() => void) | null = null;

  /** Options of `mount`, read when a surface is mounted. */
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
    // Properties that were set before the upgrade are own properties and hide the accessors.
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

  /** Keeps the rendered surface when `moveBefore` moves the element. */
  connectedMoveCallback(): void {}

  #start(): void {
    if (this.#unmount || !this.#surface) return;
    // A server may have rendered the surface into a declarative shadow root.
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#unmount = mount(this.#surface, root, { ...this.#options, hydrate: true });
  }

  #stop(): void {
    this.#unmount?.();
    this.#unmount = null;
  }
}

/** Defines `<byname-surface>` once. Does nothing without a custom element registry. */
export function defineElement(name = "byname-surface"): void {
  const elements = globalThis.customElements;
  if (elements && !elements.get(name)) elements.define(name, BynameSurface);
}

declare global {
  interface HTMLElementTagNameMap {
    "byname-surface": BynameSurface;
  }
}
