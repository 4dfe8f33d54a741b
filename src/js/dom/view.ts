import type { CatalogFunction, Functions } from "../functions/call-context.js";
import type { Action, Instance, Json, SurfaceChange } from "../types.js";
import type { Adoption } from "./adoption.js";
import type { Mirror, MirrorNode } from "./mirror.js";

/** What the renderer needs of a surface. */
export interface SurfaceLike {
  tree(): Instance | null;
  subscribe(listener: (changes: readonly SurfaceChange[]) => void): () => void;
  input(instanceKey: string, prop: string, value: Json): void;
  trigger(instanceKey: string, event: string): void;
}

/** The words that the renderer itself says. */
export interface Words {
  loading: string;
  loaded: string;
  updated: string;
  close: string;
  filter: string;
  /** A check that fails and says nothing. */
  invalid: string;
  /** A text that is not of the pattern of its field. */
  malformed: string;
  unknown: (component: string) => string;
  /** A component that has thrown. */
  failed: (component: string) => string;
}

export interface MountOptions {
  /** Own components, or others in place of the built-in ones. */
  components?: { [name: string]: Component };
  /** Functions of one's own by their name in the catalog, or others in place of the built-in ones. */
  functions?: Functions;
  words?: Partial<Words>;
  /** A list or column with more children than this keeps only those near the viewport in the document; 100 by default. */
  windowAbove?: number;
  /** The language of numbers and dates that functions of the catalog write; that of the browser by default. */
  locale?: string;
  /** Takes over what a server has drawn in the element, where it has. */
  hydrate?: boolean;
}

/** What stands in the document for one instance. */
export interface View {
  readonly element: HTMLElement;
  /** What `accessibility` describes, where that is not the outer element: the input of a field. */
  readonly control?: HTMLElement;
  /** Shows one property. It is called for each property once and then for each change. */
  set(prop: string, value: Json): void;
  /** Where children go; without it they have no place. */
  readonly children?: Children;
  /** What stands in the element, other than children, is drawn by somebody else: it is left alone where a server's page is taken over. */
  readonly foreign?: boolean;
  dispose?(): void;
}

/** The list items of a list, one around each child. */
export interface Items {
  /** The list item of a child, made with its content when there is none. */
  wrap(child: MirrorNode): HTMLElement;
  forget(child: MirrorNode): void;
  readonly wrappers: ReadonlyMap<MirrorNode, HTMLElement>;
}

/** Where the children of one instance go. The mirror is already changed when these are called. */
export interface Children {
  /** Shows the children that are there at the beginning. */
  fill(): void;
  insert(child: MirrorNode): void;
  move(child: MirrorNode): void;
  remove(child: MirrorNode): void;
  dispose?(): void;
}

export type Component = (node: MirrorNode, context: Context) => View;

/** What a component may use. */
export interface Context {
  readonly document: Document;
  readonly mirror: Mirror;
  readonly words: Words;
  readonly windowAbove: number;
  readonly locale: string | undefined;
  readonly functions: Functions | undefined;
  /** What a server has drawn, while it is taken over. */
  readonly adoption: Adoption | null;
  /** A new id for `for`, `aria-labelledby` and the like. */
  newId(): string;
  /** The element of a node, made when there is none yet. */
  show(node: MirrorNode): HTMLElement;
  /** Takes the elements of a node and all below it away; the mirror stays. */
  hide(node: MirrorNode): void;
  /** What the user typed or chose, for the property `value` or another one. */
  input(node: MirrorNode, value: Json, prop?: string): void;
  /** Triggers what the property `action` or another one holds. */
  trigger(node: MirrorNode, event?: string): void;
  /** Runs once, after the changes at hand are all in the document. */
  after(task: () => void): void;
  /** Runs what `after` has gathered, where no change is under way that would. */
  settle(): void;
  /** Runs at once, or when the button of the mouse is up again: what moves the page between press and release takes the click away from its target. */
  afterPress(task: () => void): void;
  /** Calls back when something scrolls or changes size; the answer takes the listener away. */
  onScroll(listener: () => void): () => void;
  /** Calls back before changes that have come are shown; the answer takes the listener away. */
  beforeChanges(listener: () => void): () => void;
  /** Children of which only those near the viewport are in the document. */
  windowed(node: MirrorNode, container: HTMLElement, items: Items): Children;
}

export type { Action, CatalogFunction, Functions };
