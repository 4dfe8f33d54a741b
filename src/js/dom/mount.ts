import { assertBoolean, assertOptionTypes, describeType, throwMisuse } from "../arguments.js";
import type { Functions } from "../functions/call-context.js";
import { evaluate } from "../functions/evaluate.js";
import { type RendererChange, type RowsMounted, rowListeners } from "../lazy-children.js";
import { runAndReport } from "../report.js";
import type { Instance, Json } from "../types.js";
import { trigger } from "./act.js";
import { Adoption, straysOf } from "./adoption.js";
import { Announcer } from "./announce.js";
import { type Components, close, componentsOf, draw, guard, show } from "./draw.js";
import { focusIn } from "./focus.js";
import { each, Mirror, type MirrorNode } from "./mirror.js";
import { DRAW_NEEDS } from "./options.js";
import { adoptStyle } from "./style.js";
import type { Children, Context, Items, MountOptions, SurfaceLike, View, Words } from "./view.js";
import { RowWindow } from "./window.js";
import { wordsOf } from "./words.js";

const NEEDS = { ...DRAW_NEEDS, hydrate: assertBoolean };

/** Renders a surface into an element and keeps it up to date; the answer takes everything away again. */
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

/** Throws for what cannot be mounted, or not there. Elements of other windows are as good as ours. */
function needMountable(surface: unknown, element: unknown): void {
  const given = surface as SurfaceLike | null;
  const needed = [given?.tree, given?.subscribe, given?.input, given?.trigger];
  if (needed.some((one) => typeof one !== "function")) {
    throwMisuse(`\`mount\` takes a surface, not ${describeType(surface)}`);
  }
  const place = element as HTMLElement | null;
  // A document can be appended to as well, and is in none.
  if (typeof place?.append !== "function" || place.ownerDocument === null) {
    const help =
      typeof element === "string"
        ? `give \`document.querySelector(${JSON.stringify(element)})\``
        : "is it in the page yet?";
    throwMisuse(`\`mount\` takes the element to draw in, not ${describeType(element)}: ${help}`);
  }
}

/** One surface in one element: it turns changes into patches of single elements. */
class Renderer implements Context {
  /** What the server has drawn, while it is taken over. */
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
  /** What is still to be shown, and whether something is being drawn: a component, or input that is taken over, may change data meanwhile. */
  readonly #waiting: (readonly RendererChange[])[] = [];
  #busy = true;
  #released: (() => void)[] = [];
  #pressed = false;

  constructor(surface: SurfaceLike, element: HTMLElement | ShadowRoot, options: MountOptions) {
    // A surface that was disposed of throws before anything is drawn.
    const tree = surface.tree();
    this.#document = element.ownerDocument;
    const { defaultView } = this.#document;
    this.words = wordsOf(options.words);
    // A document without layout, as tests have it, shows all rows: it may have an observer, which never sees a size, but no viewport.
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
      // Nobody gets what would take it away.
      this.stop();
      throw fault;
    }
  }

  /** Draws what there is, or takes it over, and listens from then on. */
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
    // What a server sends beside the surface has done its work.
    if (drawn) {
      for (const name of ["bn-style", "bn-status"]) part(element, name)?.remove();
      for (const stray of straysOf(drawn)) stray.remove();
    }
    element.append(this.#announcer.element);
    // What a server waited for may be there.
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
    // The mirror learns it too: a field with an unbound value keeps what was typed when its row leaves the window.
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
    // A task may show rows that are lists themselves and leave tasks of their own.
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
    // From the last to the first, each in front of the one that stands.
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

  /** Does something to what is drawn for a node, if it is. */
  #within(node: MirrorNode | null | undefined, task: (view: View) => void): void {
    const view = node?.view;
    if (view) guard(node, this, () => task(view));
  }

  /** Scroll events do not bubble and do not leave a shadow tree, so both roots are listened to on the way down. */
  #listen(): () => void {
    // Events take the signals of their own window alone.
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
      // The click comes after the release, in the same breath.
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

/** Ids are unique in the page, whatever the number of surfaces. */
let ids = 0;

/** A part of the surface that stands in the element, of those that a server draws. */
function part(element: HTMLElement | ShadowRoot, name: string): HTMLElement | null {
  const parts = [...element.children] as HTMLElement[];
  return parts.find((one) => one.classList.contains(name)) ?? null;
}
