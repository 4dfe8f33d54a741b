import type { Context } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";

/** Creates an element with a class. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  context: Context,
  tag: K,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = context.document.createElement(tag);
  if (className !== "") element.className = className;
  return element;
}

type Attributes = { readonly [name: string]: string };

/** Description of the element of an instance, with its initial attributes. */
export interface ElementModel<K extends keyof HTMLElementTagNameMap> {
  readonly tag: K;
  readonly attributes: Attributes;
  /** Elements that are cloned, by document and component id. */
  readonly originals: WeakMap<Document, Map<string, HTMLElement>>;
}

/** Returns the model of an element with a class and further attributes. */
export function elementModel<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  attributes: Attributes = {},
): ElementModel<K> {
  return { tag, attributes: { class: className, ...attributes }, originals: new WeakMap() };
}

/** Maximum number of component ids with an element that is cloned. */
const MAX_CLONED_ELEMENTS = 1000;

/**
 * Creates the element of an instance. In a page it is a clone with its component id, because a call
 * per attribute takes longer.
 */
export function createFrom<K extends keyof HTMLElementTagNameMap>(
  context: Context,
  model: ElementModel<K>,
  { id }: MirrorNode,
): HTMLElementTagNameMap[K] {
  const { document, adoption } = context;
  // The document of the server has no window.
  if (adoption || !document.defaultView) return newElement(document, model);
  let originals = model.originals.get(document);
  if (!originals || originals.size > MAX_CLONED_ELEMENTS) {
    originals = new Map();
    model.originals.set(document, originals);
  }
  let original = originals.get(id);
  if (!original) {
    original = newElement(document, model);
    original.setAttribute("data-id", id);
    originals.set(id, original);
  }
  return original.cloneNode() as HTMLElementTagNameMap[K];
}

function newElement<K extends keyof HTMLElementTagNameMap>(
  document: Document,
  { tag, attributes }: ElementModel<K>,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const name of Object.keys(attributes)) element.setAttribute(name, attributes[name] ?? "");
  return element;
}
