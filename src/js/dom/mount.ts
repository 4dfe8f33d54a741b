import {
  assertBoolean,
  assertOptionTypes,
  describeType,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import type { Functions } from "../functions/call-context.js";
import { failedCheck } from "../functions/checks.js";
import { evaluate } from "../functions/evaluate.js";
import { type InputCheck, type InputError, inputError, validityOf } from "../input-check.js";
import { type RendererChange, type RowsMounted, rowListeners } from "../lazy-children.js";
import { RendererLink, validity } from "../renderer-link.js";
import { runAndReport } from "../report.js";
import type { Instance, Json } from "../types.js";
import { Announcer } from "./base/announcer.js";
import { childrenIn } from "./base/children-in.js";
import type { Context, ListItems, MountOptions, SurfaceLike, Words } from "./base/component.js";
import { trackFocus } from "./base/focus.js";
import { validateForm } from "./base/form.js";
import { Hydration, misplacedSiblings } from "./base/hydration.js";
import { forEachNode, InstanceMirror } from "./base/mirror.js";
import type { Children, MirrorNode, View } from "./base/mirror-node.js";
import { PageEvents } from "./base/page-events.js";
import { applyTheme } from "./base/theme.js";
import { mergeWords } from "./base/words.js";
import {
  type ComponentMap,
  disposeView,
  drawNode,
  drawOmitted,
  mergeComponents,
  runGuarded,
  setProp,
} from "./components/draw.js";
import { ElementLimit, MAX_OMITTED_PARTS } from "./element-limit/element-limit.js";
import { RENDER_OPTION_ASSERTIONS } from "./render-options.js";
import { attachStylesheet } from "./stylesheet.js";
import { triggerAction } from "./trigger.js";
import { RowWindow } from "./virtual-list/row-window.js";

const OPTION_ASSERTIONS = { ...RENDER_OPTION_ASSERTIONS, hydrate: assertBoolean };

/**
 * Renders a surface into an element and keeps it up to date. Returns a function that removes it.
 */
export function mount(
  surface: SurfaceLike,
  element: HTMLElement | ShadowRoot,
  options: MountOptions = {},
): () => void {
  assertMountable(surface, element);
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `mount`");
  const renderer = new Renderer(surface, element, options);
  return () => renderer.stop();
}

/** Throws for an invalid surface or element. Elements of other windows are accepted. */
function assertMountable(surface: unknown, element: unknown): void {
  const candidate = surface as SurfaceLike | null;
  const methods = [candidate?.tree, candidate?.subscribe, candidate?.input, candidate?.trigger];
  if (methods.some((one) => typeof one !== "function")) {
    throwExpected("the first argument of `mount`", "a surface", surface);
  }
  const target = element as HTMLElement | null;
  // A document has `append` too, but no `ownerDocument`.
  if (typeof target?.append !== "function" || target.ownerDocument === null) {
    const help =
      typeof element === "string"
        ? `pass \`document.querySelector(${JSON.stringify(element)})\``
        : "check that it is in the page";
    throwMisuse(
      `expected the second argument of \`mount\` to be an element, found ${describeType(element)}: ${help}`,
    );
  }
}

/** Number of rows that are inserted before the limit of elements is checked again. */
const ROWS_AT_ONCE = 1_000;

/** Renderer of one surface in one element: turns changes into patches of single elements. */
class Renderer implements Context {
  /** Hydration in progress, or null. */
  adoption: Hydration | null = null;
  readonly mirror = new InstanceMirror();
  readonly words: Words;
  readonly windowAbove: number;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  readonly functions: Functions | undefined;
  readonly #surface: SurfaceLike;
  readonly #components: ComponentMap;
  readonly #document: Document;
  readonly #host: HTMLElement;
  readonly #announcer: Announcer;
  readonly #link: RendererLink;
  readonly #elements: ElementLimit;
  readonly #events = new PageEvents();
  readonly #changeListeners = new Set<() => void>();
  readonly #cleanups: (() => void)[] = [];
  /** Evaluates the checks of an input, and the validation of the browser if it is rendered. */
  readonly #check: InputCheck = ({ key, props }, value) => {
    const control = this.mirror.get(key)?.view?.control as HTMLInputElement | undefined;
    return failedCheck(props, value, this) ?? (control?.validationMessage || null);
  };
  #tasks: (() => void)[] = [];
  /**
   * Changes that are not applied yet, and whether a draw is in progress. Components and hydrated
   * input may change data during a draw.
   */
  readonly #pendingChanges: (readonly RendererChange[])[] = [];
  #isDrawing = true;

  constructor(surface: SurfaceLike, element: HTMLElement | ShadowRoot, options: MountOptions) {
    // Throws for a disposed surface before anything is drawn.
    const tree = surface.tree();
    this.#document = element.ownerDocument;
    const { defaultView } = this.#document;
    this.words = mergeWords(options.words);
    // A document without layout, as in tests, renders all rows. It may have a `ResizeObserver` but
    // has no `visualViewport`.
    const layout =
      defaultView !== null && "ResizeObserver" in defaultView && "visualViewport" in defaultView;
    this.windowAbove = layout ? (options.windowAbove ?? 100) : Number.POSITIVE_INFINITY;
    this.locale = options.locale;
    this.timeZone = options.timeZone;
    this.functions = options.functions;
    this.#surface = surface;
    this.#components = mergeComponents(options);
    this.#link = new RendererLink(surface);
    this.#link[validity] = (tree) => validityOf(this.#surface.catalog, tree, this.#check);
    this.#elements = new ElementLimit(
      options.maxElements,
      this.windowAbove,
      this.#link.diagnostics,
    );
    const serverHost = options.hydrate ? childWithClass(element, "bn-surface") : null;
    if (serverHost) this.adoption = new Hydration(serverHost);
    this.#host = serverHost ?? this.#document.createElement("div");
    this.#host.className = "bn-surface";
    this.#announcer = new Announcer(this, this.#host);
    try {
      this.#renderTree(element, tree, serverHost);
    } catch (error) {
      // The caller gets no function to unmount, so everything is removed here.
      this.stop();
      throw error;
    }
  }

  /** Draws or hydrates the current tree, and subscribes to changes. */
  #renderTree(
    element: HTMLElement | ShadowRoot,
    tree: Instance | null,
    serverHost: HTMLElement | null,
  ): void {
    if (!serverHost) element.append(this.#host);
    const stopEvents = this.#events.listen(this.#document, this.#host, () => this.settle());
    this.#cleanups.push(attachStylesheet(element), stopEvents);
    const listener = (changes: readonly RendererChange[]): void => {
      this.#pendingChanges.push(changes);
      this.#applyPending();
    };
    rowListeners.add(listener);
    this.#cleanups.push(this.#surface.subscribe(listener));
    if (tree) this.#mount(tree, null, null);
    this.settle();
    this.adoption?.finish();
    this.adoption = null;
    // The stylesheet and status of the server are not needed any more.
    if (serverHost) {
      for (const name of ["bn-style", "bn-status"]) childWithClass(element, name)?.remove();
      for (const element of misplacedSiblings(serverHost)) element.remove();
    }
    element.append(this.#announcer.element);
    // Components that were missing on the server may be present now.
    this.#host.removeAttribute("aria-busy");
    if (this.mirror.missing > 0) this.#announcer.update(true);
    this.#isDrawing = false;
    this.#applyPending();
  }

  #applyPending(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      for (let next = this.#pendingChanges.shift(); next; next = this.#pendingChanges.shift())
        this.#apply(next);
    } finally {
      this.#isDrawing = false;
    }
  }

  stop(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#pendingChanges.length = 0;
    if (this.mirror.root) this.hide(this.mirror.root);
    this.#announcer.stop();
    this.#link.stop();
    this.#host.remove();
  }

  get document(): Document {
    return this.adoption?.document ?? this.#document;
  }

  newId(): string {
    lastId += 1;
    return `bn-${lastId}`;
  }

  show(node: MirrorNode): HTMLElement {
    if (node.view) return node.view.element;
    const make = (): HTMLElement =>
      this.#elements.drawWithinLimit(
        node,
        () => drawNode(node, this, this.#components),
        () => this.#drawOmitted(node),
      );
    return this.adoption ? this.adoption.drawInstance(node, make) : make();
  }

  hide(node: MirrorNode): void {
    const element = node.view?.element;
    this.#dispose(node);
    element?.remove();
  }

  /** Disposes the views of a node and its descendants. */
  #dispose(node: MirrorNode): void {
    forEachNode(node, (one) => {
      if (one.view) {
        disposeView(one.view);
        this.#elements.remove(one);
      }
      one.view = null;
    });
  }

  input(node: MirrorNode, value: Json, prop = "value"): void {
    // The mirror stores it too, because a field with an unbound value must keep its text when its
    // row leaves the window.
    node.props.set(prop, value);
    this.#surface.input(node.key, prop, value);
  }

  errorOf(node: MirrorNode): InputError | null {
    return inputError(this.#surface.catalog, node, this.#check);
  }

  validateForm(node: MirrorNode): boolean {
    return validateForm(node, this);
  }

  trigger(node: MirrorNode, event = "action"): void {
    triggerAction(this.#surface, node.key, event, this);
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
    this.#events.afterPress(task);
  }

  onScroll(listener: () => void): () => void {
    return this.#events.onScroll(listener);
  }

  beforeChanges(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  beforeAction(listener: () => void): () => void {
    const { actionListeners } = this.#link;
    const guarded = (): void => runAndReport(listener);
    actionListeners.add(guarded);
    return () => actionListeners.delete(guarded);
  }

  children(node: MirrorNode, container: HTMLElement, windowAbove?: number): Children {
    return childrenIn(this, node, container, windowAbove);
  }

  windowed(node: MirrorNode, container: HTMLElement, items: ListItems): Children {
    return new RowWindow(this, node, container, items);
  }

  #apply(changes: readonly RendererChange[]): void {
    let isStructural = false;
    const restoreFocus = trackFocus(this.#host);
    for (const listener of [...this.#changeListeners]) runAndReport(listener);
    for (let at = 0; at < changes.length; at += 1) {
      const change = changes[at] as RendererChange;
      const cleared = change.kind === "unmount" ? this.#clearChildren(changes, at) : 0;
      if (cleared > 0) {
        at += cleared - 1;
        isStructural = true;
        continue;
      }
      if (change.kind === "rows") {
        this.#mountRows(change);
        isStructural = true;
        continue;
      }
      if (change.kind === "mount") {
        this.#mount(change.instance, change.parent, change.before);
        isStructural = true;
        continue;
      }
      const node = this.mirror.get(change.key);
      if (!node) continue;
      if (change.kind === "set") {
        const value = change.prop === "checks" ? change.value : evaluate(change.value, this);
        node.props.set(change.prop, value);
        if (!this.#elements.update(node, change.appended)) this.#omitPart(node);
        else this.#withView(node, (view) => setProp(view, change.prop, value, change.appended));
      } else if (change.kind === "move") {
        this.mirror.move(node, change.before);
        this.#withView(node.parent, ({ children }) => children?.move(node));
      } else {
        this.#unmount(node);
        isStructural = true;
      }
    }
    this.#redrawOmitted();
    this.settle();
    restoreFocus();
    if (isStructural) this.#announcer.update(this.mirror.missing > 0);
  }

  #mount(instance: Instance, parent: string | null, before: string | null): void {
    const existing = this.mirror.get(instance.key) ?? (parent === null ? this.mirror.root : null);
    if (existing) this.#unmount(existing);
    const node = this.mirror.mount(instance, parent, before);
    if (!node) return;
    if (node === this.mirror.root) {
      applyTheme(this.#host, this.#surface.info?.()?.theme);
      this.#host.append(this.show(node));
    } else this.#withView(node.parent, ({ children }) => children && this.#insert(children, node));
  }

  #mountRows(change: RowsMounted): void {
    const rows = this.mirror.mountRows(change);
    this.#withView(rows[0]?.parent, ({ children }) => {
      if (!children) return;
      // From the last to the first, because each row is inserted before the next one.
      for (let end = rows.length; end > 0; end -= ROWS_AT_ONCE) {
        const part = rows.slice(Math.max(0, end - ROWS_AT_ONCE), end);
        if (!this.#insertRows(children, part)) return;
      }
    });
  }

  /** Inserts adjacent rows. Returns false if their parent was omitted. */
  #insertRows(children: Children, rows: readonly MirrorNode[]): boolean {
    const last = rows.at(-1);
    if (!children.insertRows)
      return [...rows].reverse().every((row) => this.#insert(children, row));
    children.insertRows(rows);
    return last === undefined || this.#isWithinLimit(last);
  }

  /** Inserts a child. Returns false if its parent was omitted. */
  #insert(children: Children, node: MirrorNode): boolean {
    children.insert(node);
    return this.#isWithinLimit(node);
  }

  /** Returns false if the parent of a child was omitted, because it has too many children. */
  #isWithinLimit(node: MirrorNode): boolean {
    if (this.#elements.omitted.size <= MAX_OMITTED_PARTS || !node.parent) return true;
    this.#omitPart(node.parent);
    return false;
  }

  #unmount(node: MirrorNode): void {
    const parent = node.parent;
    this.mirror.unmount(node);
    this.#withView(parent, ({ children }) => children?.remove(node));
    this.hide(node);
  }

  /** Draws the message for a part that is too large. Later parts of a surface show none. */
  #drawOmitted(node: MirrorNode): HTMLElement {
    const element = drawOmitted(node, this);
    element.hidden = this.#elements.omitted.size > 1;
    return element;
  }

  /** Replaces a rendered part that has become too large by a message. */
  #omitPart(node: MirrorNode): void {
    this.#redraw(node, () => {
      this.#elements.recordOmitted(node);
      return this.#drawOmitted(node);
    });
  }

  /** Draws omitted parts that fit in the limit now. */
  #redrawOmitted(): void {
    for (const node of [...this.#elements.omitted]) {
      if (!this.#elements.fits(node)) return;
      this.#redraw(node, () => this.show(node));
    }
  }

  /** Replaces the elements of a node at their position. */
  #redraw(node: MirrorNode, make: () => HTMLElement): void {
    const old = node.view?.element;
    const parent = old?.parentNode;
    const next = old?.nextSibling ?? null;
    this.hide(node);
    parent?.insertBefore(make(), next);
  }

  /**
   * Removes all children of a node at once if the changes from an index unmount them in order.
   * Returns the number of these changes, or 0.
   */
  #clearChildren(changes: readonly RendererChange[], from: number): number {
    const { key } = changes[from] as { key: string };
    const parent = this.mirror.get(key.slice(0, key.lastIndexOf("/")));
    const count = parent?.count ?? 0;
    if (!parent || count < 2 || from + count > changes.length) return 0;
    let at = from;
    for (let child = parent.first; child; child = child.next) {
      const change = changes[at] as RendererChange;
      if (change.kind !== "unmount" || change.key !== child.key) return 0;
      at += 1;
    }
    const children = this.mirror.unmountChildren(parent);
    this.#withView(parent, ({ children: handling }) => {
      if (handling?.clear) handling.clear(children);
      else for (const child of children) handling?.remove(child);
    });
    for (const child of children) this.#dispose(child);
    return count;
  }

  /** Runs a task on the view of a node, if it has one. */
  #withView(node: MirrorNode | null | undefined, task: (view: View) => void): void {
    const view = node?.view;
    if (view) runGuarded(node, this, () => task(view));
  }
}

/** Number of the last id; ids are unique in the page across surfaces. */
let lastId = 0;

/** Returns the child of an element with a class, or `null`. */
function childWithClass(element: HTMLElement | ShadowRoot, name: string): HTMLElement | null {
  const parts = [...element.children] as HTMLElement[];
  return parts.find((one) => one.classList.contains(name)) ?? null;
}
