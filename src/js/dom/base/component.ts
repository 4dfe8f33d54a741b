import type { Functions } from "../../functions/call-context.js";
import type { CheckWords } from "../../functions/checks.js";
import type { InputError } from "../../input-check.js";
import type { Catalog, Instance, Json, SurfaceChange } from "../../types.js";
import type { Hydration } from "./hydration.js";
import type { InstanceMirror } from "./mirror.js";
import type { Children, MirrorNode, View } from "./mirror-node.js";

/** Subset of `Surface` that the renderer uses. */
export interface SurfaceLike {
  readonly catalog?: Catalog | undefined;
  tree(): Instance | null;
  subscribe(listener: (changes: readonly SurfaceChange[]) => void): () => void;
  input(instanceKey: string, prop: string, value: Json): void;
  trigger(instanceKey: string, event: string): void;
  info?(): { theme?: Json } | null;
}

/** Labels and messages of the renderer. */
export interface Words extends CheckWords {
  loading: string;
  loaded: string;
  updated: string;
  close: string;
  filter: string;
  /** Replaces a part that exceeds `maxElements`. */
  tooLarge: string;
  unknown: (component: string) => string;
  /** Label of a component that threw. */
  failed: (component: string) => string;
}

export interface MountOptions {
  /** Custom components by name; they override built-in ones. */
  components?: { [name: string]: Component };
  /** Custom functions by their name in the catalog; they override built-in ones. */
  functions?: Functions;
  words?: Partial<Words>;
  /**
   * Number of children above which a list or column renders only those near the viewport; 100 by
   * default.
   */
  windowAbove?: number;
  /** Maximum number of elements; 20,000 by default. Parts that exceed it are not displayed. */
  maxElements?: number;
  /** Locale of numbers and dates in functions of the catalog; that of the browser by default. */
  locale?: string;
  /** Time zone in which instants are displayed and edited; that of the browser by default. */
  timeZone?: string;
  /** Whether to hydrate server-rendered elements, if there are any. */
  hydrate?: boolean;
}

/** List items around the children of a list. */
export interface ListItems {
  /** Returns the list item of a child, which is created on first use. */
  wrap(child: MirrorNode): HTMLElement;
  discard(child: MirrorNode): void;
  readonly wrappers: ReadonlyMap<MirrorNode, HTMLElement>;
}

export type Component = (node: MirrorNode, context: Context) => View;

/** Services of the renderer for components. */
export interface Context {
  readonly document: Document;
  readonly mirror: InstanceMirror;
  readonly words: Words;
  readonly windowAbove: number;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  readonly functions: Functions | undefined;
  /** Hydration in progress, or null. */
  readonly adoption: Hydration | null;
  /** Returns a new id for `for`, `aria-labelledby` and similar attributes. */
  newId(): string;
  /** Returns the element of a node, which is drawn on first use. */
  show(node: MirrorNode): HTMLElement;
  /** Removes the elements of a node and its descendants; the mirror does not change. */
  hide(node: MirrorNode): void;
  /** Reports user input for the property `value` or another one. */
  input(node: MirrorNode, value: Json, prop?: string): void;
  /** Returns the failed check of a node that takes input, or null. */
  errorOf(node: MirrorNode): InputError | null;
  /**
   * Shows the messages of the inputs in the form of a node, and focuses the first one with a failed
   * check. Returns whether all checks pass.
   */
  validateForm(node: MirrorNode): boolean;
  /** Triggers the action in the property `action` or another one. */
  trigger(node: MirrorNode, event?: string): void;
  /** Schedules a task that runs once, after the current changes are in the DOM. */
  after(task: () => void): void;
  /** Runs the tasks of `after`, outside of changes that would run them. */
  settle(): void;
  /**
   * Runs a task now, or after the pressed pointer is released, because a layout shift in between
   * would lose the click.
   */
  afterPress(task: () => void): void;
  /** Adds a listener for scrolling and resizing. Returns a function that removes it. */
  onScroll(listener: () => void): () => void;
  /**
   * Adds a listener that is called before changes are applied. Returns a function that removes it.
   */
  beforeChanges(listener: () => void): () => void;
  /**
   * Adds a listener that is called before an action of the surface reads its context. An input
   * writes text that it has not written yet. Returns a function that removes the listener.
   */
  beforeAction(listener: () => void): () => void;
  /**
   * Returns the handling of the children of a custom component, which are placed directly in a
   * container. With more than `windowAbove` children only those near the viewport are in the DOM;
   * by default all are.
   */
  children(node: MirrorNode, container: HTMLElement, windowAbove?: number): Children;
  /** Returns the handling of children of which only those near the viewport are in the DOM. */
  windowed(node: MirrorNode, container: HTMLElement, items: ListItems): Children;
}
