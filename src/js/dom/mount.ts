import { assertBoolean, assertOptionTypes, describeType, throwMisuse } from "../arguments.js";
import type { Functions } from "../functions/calls.js";
import { evaluate } from "../functions/evaluate.js";
import { type RendererChange, type RowsMounted, rowListeners } from "../lazy-children.js";
import { runAndReport } from "../report.js";
import type { Instance, Json } from "../types.js";
import { Announcer } from "./base/announcer.js";
import type { Context, Items, MountOptions, SurfaceLike, Words } from "./base/component.js";
import { focusIn } from "./base/focus.js";
import { Adoption, straysOf } from "./base/hydration.js";
import { each, Mirror } from "./base/mirror.js";
import type { Children, MirrorNode, View } from "./base/mirror-node.js";
import { wordsOf } from "./base/words.js";
import { type Components, close, componentsOf, draw, guard, show } from "./components/draw.js";
import { DRAW_NEEDS } from "./render-options.js";
import { adoptStyle } from "./stylesheet.js";
import { trigger } from "./trigger.js";
import { RowWindow } from "./virtual-list/row-window.js";

const NEEDS = { ...DRAW_NEEDS, hydrate: assertBoolean };

/**
 * Renders a surface into an element and keeps it up to date. Returns a function that removes it.
 */
export function mount(
  surface: SurfaceLike,
  element: HTMLElement | ShadowRoot,
  options: MountOptions = {},
): () => void {
  needMountable(surface, element);
  assertOptionTypes(options, NEEDS, "the options of `mount`");
  const renderer = new Renderer(surface, element, options);
  return () => renderer.stop();
}

/** Throws for an invalid surface or element. Elements of other windows are accepted. */
function needMountable(surface: unknown, element: unknown): void {
  const given = surface as SurfaceLike | null;
  const needed = [given?.tree, given?.subscribe, given?.input, given?.trigger];
  if (needed.some((one) => typeof one !== "function")) {
    throwMisuse(`\`mount\` takes a surface, not ${describeType(surface)}`);
  }
  const place = element as HTMLElement | null;
  // A document has `append` too, but no `ownerDocument`.
  if (typeof place?.append !== "function" || place.ownerDocument === null) {
    const help =
      typeof element === "string"
        ? `give \`document.querySelector(${JSON.stringify(element)})\``
        : "is it in the page yet?";
    throwMisuse(`\`mount\` takes the element to draw in, not ${describeType(element)}: ${help}`);
  }
}

/** Renderer of one surface in one element: turns changes into patches of single elements. */
class Renderer implements Context {
  /** Hydration in progress, or null. */
  adoption: Adoption | null = null;
  readonly mirror = new Mirror();
  readonly words: Words;
  readonly windowAbove: number;
  readonly locale: string | undefined;
  readonly functions: Functions | undefined;
  readonly #surface: SurfaceLike;
  readonly #components: Components;
  readonly #document: Document;
  readonly #host: HTMLElement;
  readonly #announcer: Announcer;
  readonly #scroll = new Set<() => void>();
  readonly #changing = new Set<() => void>();
  readonly #undo: (() => void)[] = [];
  #tasks: (() => void)[] = [];
  /**
   * Changes that are not applied yet, and whether a draw is in progress. Components and hydrated
   * input may change data during a draw.
   */
  readonly #waiting: (readonly RendererChange[])[] = [];
  #busy = true;
  #released: (() => void)[] = [];
  #pressed = false;

  constructor(surface: SurfaceLike, element: HTMLElement | ShadowRoot, options: MountOptions) {
    // Throws for a disposed surface before anything is drawn.
    const tree = surface.tree();
    this.#document = element.ownerDocument;
    const { defaultView } = this.#document;
    this.words = wordsOf(options.words);
    // A document without layout, as in tests, renders all rows. It may have a `ResizeObserver` but
    // has no `visualViewport`.
    const layout =
      defaultView !== null && "ResizeObserver" in defaultView && "visualViewport" in defaultView;
    this.windowAbove = layout ? (options.windowAbove ?? 100) : Number.POSITIVE_INFINITY;
    this.locale = options.locale;
    this.functions = options.functions;
    this.#surface = surface;
    this.#components = componentsOf(options);
    const drawn = options.hydrate ? part(element, "bn-surface") : null;
    if (drawn) this.adoption = new Adoption(drawn);
    this.#host = drawn ?? this.#document.createElement("div");
    this.#host.className = "bn-surface";
    this.#announcer = new Announcer(this, this.#host);
    try {
      this.#begin(element, tree, drawn);
    } catch (fault) {
      // The caller gets no function to unmount, so everything is removed here.
      this.stop();
      throw fault;
    }
  }

  /** Draws or hydrates the current tree, and subscribes to changes. */
  #begin(
    element: HTMLElement | ShadowRoot,
    tree: Instance | null,
    drawn: HTMLElement | null,
  ): void {
    if (!drawn) element.append(this.#host);
    this.#undo.push(adoptStyle(element), this.#listen());
    const listener = (changes: readonly RendererChange[]): void => {
      this.#waiting.push(changes);
      this.#catchUp();
    };
    rowListeners.add(listener);
    this.#undo.push(this.#surface.subscribe(listener));
    if (tree) this.#mount(tree, null, null);
    this.settle();
    this.adoption?.finish();
    this.adoption = null;
    // The stylesheet and status of the server are not needed any more.
    if (drawn) {
      for (const name of ["bn-style", "bn-status"]) part(element, name)?.remove();
      for (const stray of straysOf(drawn)) stray.remove();
    }
    element.append(this.#announcer.element);
    // Components that were missing on the server may be present now.
    this.#host.removeAttribute("aria-busy");
    if (this.mirror.missing > 0) this.#announcer.changed(true);
    this.#busy = false;
    this.#catchUp();
  }

  #catchUp(): void {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#patch(next);
    } finally {
      this.#busy = false;
    }
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#waiting.length = 0;
    if (this.mirror.root) this.hide(this.mirror.root);
    this.#announcer.stop();
    this.#host.remove();
  }

  get document(): Document {
    return this.adoption?.document ?? this.#document;
  }

  newId(): string {
    ids += 1;
    return `bn-${ids}`;
  }

  show(node: MirrorNode): HTMLElement {
    if (node.view) return node.view.element;
    const make = (): HTMLElement => draw(node, this, this.#components);
    return this.adoption ? this.adoption.draw(node, make) : make();
  }

  hide(node: MirrorNode): void {
    each(node, (one) => {
      if (one.view) close(one.view);
      if (one !== node) one.view = null;
    });
    node.view?.element.remove();
    node.view = null;
  }

  input(node: MirrorNode, value: Json, prop = "value"): void {
    // The mirror stores it too, because a field with an unbound value must keep its text when its
    // row leaves the window.
    node.props.set(prop, value);
    this.#surface.input(node.key, prop, value);
  }

  trigger(node: MirrorNode, event = "action"): void {
    trigger(this.#surface, node.key, event, this);
  }

  after(task: () => void): void {
    this.#tasks.push(task);
  }

  settle(): void {
    // A task may render rows that are lists and schedule further tasks.
    for (let tasks = this.#tasks; tasks.length > 0; tasks = this.#tasks) {
      this.#tasks = [];
      for (const task of tasks) runAndReport(task);
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

  beforeChanges(listener: () => void): () => void {
    this.#changing.add(listener);
    return () => this.#changing.delete(listener);
  }

  windowed(node: MirrorNode, container: HTMLElement, items: Items): Children {
    return new RowWindow(this, node, container, items);
  }

  #patch(changes: readonly RendererChange[]): void {
    let came = false;
    const keepFocus = focusIn(this.#host);
    for (const listener of [...this.#changing]) runAndReport(listener);
    for (const change of changes) {
      if (change.kind === "rows") {
        this.#mountRows(change);
        came = true;
        continue;
      }
      if (change.kind === "mount") {
        this.#mount(change.instance, change.parent, change.before);
        came = true;
        continue;
      }
      const node = this.mirror.get(change.key);
      if (!node) continue;
      if (change.kind === "set") {
        const value = change.prop === "checks" ? change.value : evaluate(change.value, this);
        node.props.set(change.prop, value);
        this.#within(node, (view) => show(view, change.prop, value));
      } else if (change.kind === "move") {
        this.mirror.move(node, change.before);
        this.#within(node.parent, ({ children }) => children?.move(node));
      } else {
        this.#unmount(node);
        came = true;
      }
    }
    this.settle();
    keepFocus();
    if (came) this.#announcer.changed(this.mirror.missing > 0);
  }

  #mount(instance: Instance, parent: string | null, before: string | null): void {
    const known = this.mirror.get(instance.key) ?? (parent === null ? this.mirror.root : null);
    if (known) this.#unmount(known);
    const node = this.mirror.mount(instance, parent, before);
    if (!node) return;
    if (node === this.mirror.root) this.#host.append(this.show(node));
    else this.#within(node.parent, ({ children }) => children?.insert(node));
  }

  #mountRows(change: RowsMounted): void {
    const rows = this.mirror.mountRows(change);
    // In reverse order, because each row is inserted before the next one.
    this.#within(rows[0]?.parent, ({ children }) => {
      for (let at = rows.length - 1; at >= 0; at--) children?.insert(rows[at] as MirrorNode);
    });
  }

  #unmount(node: MirrorNode): void {
    const parent = node.parent;
    this.mirror.unmount(node);
    this.#within(parent, ({ children }) => children?.remove(node));
    this.hide(node);
  }

  /** Runs a task on the view of a node, if it has one. */
  #within(node: MirrorNode | null | undefined, task: (view: View) => void): void {
    const view = node?.view;
    if (view) guard(node, this, () => task(view));
  }

  /**
   * Listens to scroll, resize and pointer events. Scroll events do not bubble and do not leave a
   * shadow tree, so both roots are listened to in the capture phase.
   */
  #listen(): () => void {
    // `addEventListener` only accepts an `AbortSignal` of the same window.
    const stop = new (this.#document.defaultView ?? globalThis).AbortController();
    const options = { capture: true, passive: true, signal: stop.signal };
    const scrolled = (): void => {
      for (const listener of [...this.#scroll]) runAndReport(listener);
      this.settle();
    };
    for (const root of new Set<Node>([this.#document, this.#host.getRootNode()]))
      root.addEventListener("scroll", scrolled, options);
    this.#document.defaultView?.addEventListener("resize", scrolled, options);
    const press = (): void => {
      this.#pressed = true;
    };
    const release = (): void => {
      this.#pressed = false;
      // The click event follows the release immediately, so the tasks run later.
      if (this.#released.length > 0) {
        setTimeout(() => {
          for (const task of this.#released.splice(0)) task();
        });
      }
    };
    this.#document.addEventListener("pointerdown", press, options);
    for (const end of ["pointerup", "pointercancel", "dragend"]) {
      this.#document.addEventListener(end, release, options);
    }
    return () => stop.abort();
  }
}

/** Number of the last id; ids are unique in the page across surfaces. */
let ids = 0;

/** Returns the child of an element with a class, or `null`. */
function part(element: HTMLElement | ShadowRoot, name: string): HTMLElement | null {
  const parts = [...element.children] as HTMLElement[];
  return parts.find((one) => one.classList.contains(name)) ?? null;
}
