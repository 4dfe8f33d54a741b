import { named, refuse } from "../arguments.js";
import type { Instance, Json, SurfaceChange } from "../types.js";
import { attribute, setCommon } from "./accessibility.js";
import { act } from "./act.js";
import { Announcer } from "./announce.js";
import { builtin } from "./components/index.js";
import { placeholder, unknown } from "./components/placeholder.js";
import { each, Mirror, type MirrorNode } from "./mirror.js";
import { adoptStyle } from "./style.js";
import type { Component, Context, MountOptions, SurfaceLike, View, Words } from "./view.js";

const english: Words = {
  loading: "Loading",
  loaded: "Loaded",
  updated: "Updated",
  close: "Close",
  filter: "Filter",
  unknown: (component) => `Unknown component ${component}`,
};

/** Renders a surface into an element and keeps it up to date; the answer takes everything away again. */
export function mount(
  surface: SurfaceLike,
  element: HTMLElement | ShadowRoot,
  options: MountOptions = {},
): () => void {
  needMountable(surface, element);
  const renderer = new Renderer(surface, element, options);
  return () => renderer.stop();
}

/** Throws for what cannot be mounted, or not there. Elements of other windows are as good as ours. */
function needMountable(surface: unknown, element: unknown): void {
  if (typeof (surface as SurfaceLike | null)?.tree !== "function") {
    refuse(`\`mount\` takes a surface, not ${named(surface)}`);
  }
  if (typeof (element as HTMLElement | null)?.append !== "function") {
    refuse(`\`mount\` takes the element to draw in, not ${named(element)}: is it in the page yet?`);
  }
}

/** One surface in one element: it turns changes into patches of single elements. */
class Renderer implements Context {
  readonly document: Document;
  readonly mirror = new Mirror();
  readonly words: Words;
  readonly windowAbove: number;
  readonly #surface: SurfaceLike;
  readonly #components: ReadonlyMap<string, Component>;
  readonly #host: HTMLElement;
  readonly #announcer: Announcer;
  readonly #scroll = new Set<() => void>();
  readonly #undo: (() => void)[] = [];
  #tasks: (() => void)[] = [];
  #released: (() => void)[] = [];
  #pressed = false;
  #missing = 0;

  constructor(surface: SurfaceLike, element: HTMLElement | ShadowRoot, options: MountOptions) {
    this.document = element.ownerDocument;
    this.words = { ...english, ...options.words };
    this.windowAbove = options.windowAbove ?? 100;
    this.#surface = surface;
    this.#components = new Map([...builtin, ...Object.entries(options.components ?? {})]);
    this.#host = this.document.createElement("div");
    this.#host.className = "bn-surface";
    this.#announcer = new Announcer(this);
    element.append(this.#host, this.#announcer.element);
    this.#undo.push(adoptStyle(element), this.#listen());
    const tree = surface.tree();
    if (tree) this.#mount(tree, null, null);
    this.settle();
    this.#announce(false);
    this.#undo.push(surface.subscribe((changes) => this.#patch(changes)));
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    if (this.mirror.root) this.hide(this.mirror.root);
    this.#announcer.stop();
    this.#host.remove();
  }

  newId(): string {
    ids += 1;
    return `bn-${ids}`;
  }

  show(node: MirrorNode): HTMLElement {
    if (node.view) return node.view.element;
    const make =
      node.component === "" ? placeholder : (this.#components.get(node.component) ?? unknown);
    const view = make(node, this);
    node.view = view;
    view.element.classList.add("bn");
    view.element.dataset["key"] = node.key;
    view.element.dataset["id"] = node.id;
    for (const [prop, value] of node.props) set(view, prop, value);
    view.children?.fill();
    return view.element;
  }

  hide(node: MirrorNode): void {
    each(node, (one) => {
      one.view?.children?.dispose?.();
      one.view?.dispose?.();
      if (one !== node) one.view = null;
    });
    node.view?.element.remove();
    node.view = null;
  }

  input(node: MirrorNode, value: Json): void {
    // The mirror learns it too: a field with an unbound value keeps what was typed when its row leaves the window.
    node.props.set("value", value);
    this.#surface.input(node.key, "value", value);
  }

  trigger(node: MirrorNode): void {
    if (!act(node.props.get("action"))) this.#surface.trigger(node.key, "action");
  }

  after(task: () => void): void {
    this.#tasks.push(task);
  }

  settle(): void {
    // A task may show rows that are lists themselves and leave tasks of their own.
    for (let tasks = this.#tasks; tasks.length > 0; tasks = this.#tasks) {
      this.#tasks = [];
      for (const task of tasks) task();
    }
  }

  afterPress(task: () => void): void {
    if (this.#pressed) this.#released.push(task);
    else task();
  }

  onScroll(listener: () => void): () => void {
    this.#scroll.add(listener);
    return () => this.#scroll.delete(listener);
  }

  #patch(changes: readonly SurfaceChange[]): void {
    let came = false;
    for (const change of changes) {
      if (change.kind === "mount") {
        this.#mount(change.instance, change.parent, change.before);
        came = true;
        continue;
      }
      const node = this.mirror.get(change.key);
      if (!node) continue;
      if (change.kind === "set") {
        node.props.set(change.prop, change.value);
        if (node.view) set(node.view, change.prop, change.value);
      } else if (change.kind === "move") {
        this.mirror.move(node, change.before);
        node.parent?.view?.children?.move(node);
      } else {
        this.#unmount(node);
        came = true;
      }
    }
    this.settle();
    this.#announce(came);
  }

  #mount(instance: Instance, parent: string | null, before: string | null): void {
    const known = this.mirror.get(instance.key) ?? (parent === null ? this.mirror.root : null);
    if (known) this.#unmount(known);
    const node = this.mirror.mount(instance, parent, before);
    if (!node) return;
    each(node, (one) => {
      if (one.component === "") this.#missing += 1;
    });
    if (node === this.mirror.root) this.#host.append(this.show(node));
    else node.parent?.view?.children?.insert(node);
  }

  #unmount(node: MirrorNode): void {
    const parent = node.parent;
    each(node, (one) => {
      if (one.component === "") this.#missing -= 1;
    });
    this.mirror.unmount(node);
    parent?.view?.children?.remove(node);
    this.hide(node);
  }

  #announce(came: boolean): void {
    const missing = this.#missing > 0;
    attribute(this.#host, "aria-busy", missing ? "true" : "");
    if (came || missing) this.#announcer.changed(missing);
  }

  /** Scroll events do not bubble and do not leave a shadow tree, so both roots are listened to on the way down. */
  #listen(): () => void {
    const stop = new AbortController();
    const options = { capture: true, passive: true, signal: stop.signal };
    const scrolled = (): void => {
      for (const listener of [...this.#scroll]) listener();
      this.settle();
    };
    for (const root of new Set<Node>([this.document, this.#host.getRootNode()]))
      root.addEventListener("scroll", scrolled, options);
    this.document.defaultView?.addEventListener("resize", scrolled, options);
    const press = (): void => {
      this.#pressed = true;
    };
    const release = (): void => {
      this.#pressed = false;
      // The click comes after the release, in the same breath.
      if (this.#released.length > 0) {
        setTimeout(() => {
          for (const task of this.#released.splice(0)) task();
        });
      }
    };
    this.document.addEventListener("pointerdown", press, options);
    for (const end of ["pointerup", "pointercancel", "dragend"]) {
      this.document.addEventListener(end, release, options);
    }
    return () => stop.abort();
  }
}

/** Ids are unique in the page, whatever the number of surfaces. */
let ids = 0;

function set(view: View, prop: string, value: Json): void {
  if (!setCommon(view.element, view.control ?? view.element, prop, value)) view.set(prop, value);
}
