import { matchesSignature } from "./instance-signature.js";
import type { MirrorNode, View } from "./mirror-node.js";
import { focusedElement, insertElement, playingMedia } from "./move-element.js";
import { MutationLog } from "./mutation-log.js";

/**
 * Hydration of server-rendered elements. Components run as usual, but `createElement` returns the
 * existing element, and mutations are logged and not done. `finish` then reconciles each element
 * with its log. If the page matches, no node is replaced or moved, so focus, selection and scroll
 * positions are kept.
 */
export class Hydration {
  /** Document for components; its `createElement` prefers existing elements. */
  readonly document: Document;
  /** Elements by key of the instances that are not drawn yet. */
  readonly #undrawn = new Map<string, HTMLElement>();
  /**
   * Stack of the instances being drawn: all their elements, and the unclaimed ones in document
   * order.
   */
  readonly #drawing: { readonly all: readonly Element[]; unclaimed: Element[] }[] = [];
  readonly #claimed = new Set<Element>();
  readonly #foreignContents = new Set<Element>();
  readonly #log = new MutationLog();
  readonly #userInputs: UserInput[];
  /** Keys of the instances with user input, focus or playing media, and of their ancestors. */
  readonly #usedKeys: ReadonlySet<string>;

  constructor(host: HTMLElement) {
    // A custom component may contain another surface, which has the same keys.
    for (const element of host.querySelectorAll<HTMLElement>(INSTANCE_SELECTOR))
      if (element.closest(".bn-surface") === host)
        this.#undrawn.set(element.dataset["key"] ?? "", element);
    this.#userInputs = [...host.querySelectorAll<Control>("input,textarea,select")]
      .filter(differsFromMarkup)
      .map(captureInput);
    this.#usedKeys = new Set(
      [
        ...this.#userInputs.map(({ control }) => control),
        focusedElement(host),
        ...playingMedia(host),
      ].flatMap(enclosingKeys),
    );
    this.document = hydrationDocument(host.ownerDocument, (tag, createNew) => {
      const existing = this.claimMatching((element) => element.localName === tag.toLowerCase());
      if (existing) return existing;
      // Mutations of a new element are logged too, including its removal.
      const created = createNew();
      this.claimElement(created);
      return created;
    });
    this.claimElement(host);
  }

  /** Draws an instance from its server-rendered elements if they are of the same component. */
  drawInstance({ key, component, props }: MirrorNode, make: () => HTMLElement): HTMLElement {
    const element = this.#undrawn.get(key);
    const isSameComponent =
      element && matchesSignature(element.dataset["bn"] ?? "", component, props.keys());
    if (isSameComponent) this.#undrawn.delete(key);
    element?.removeAttribute("data-bn");
    const all = isSameComponent ? [element, ...ownDescendants(element)] : [];
    this.#drawing.push({ all, unclaimed: [...all] });
    const created = make();
    this.#drawing.pop();
    return created;
  }

  /**
   * Returns whether an instance has user input, focus or playing media, so that it must stay in the
   * DOM.
   */
  isUsed(key: string): boolean {
    return this.#usedKeys.has(key);
  }

  /**
   * Releases the elements claimed by the current instance, because its component threw and a
   * fallback is drawn next.
   */
  releaseClaimed(): void {
    const instance = this.#drawing.at(-1);
    if (!instance) return;
    instance.unclaimed = [...instance.all];
    for (const element of instance.all) {
      this.#log.detach(element);
      this.#claimed.delete(element);
      this.#foreignContents.delete(element);
      this.#log.clear(element);
    }
  }

  /** Returns the next unclaimed element of the current instance that matches, or `null`. */
  claimMatching(matches: (element: Element) => boolean): HTMLElement | null {
    const unclaimed = this.#drawing.at(-1)?.unclaimed;
    const at = unclaimed?.findIndex(matches) ?? -1;
    if (!unclaimed || at < 0) return null;
    const [element] = unclaimed.splice(at, 1) as [HTMLElement];
    this.claimElement(element);
    return element;
  }

  /** Leaves the contents of a view's element unchanged, because other code renders them. */
  skipContents(view: View): void {
    this.#foreignContents.add(view.element);
  }

  /** Applies the logged mutations to each element, then restores user input. */
  finish(): void {
    for (const element of this.#claimed) this.#log.detach(element);
    for (const element of this.#claimed)
      if (!this.#foreignContents.has(element))
        this.#reconcileChildNodes(element, this.#log.nodesIn(element));
    // Rows that were removed after the server rendered them.
    for (const element of this.#undrawn.values()) if (!this.#isForeign(element)) element.remove();
    const fields = this.#userInputs.filter(({ control }) => this.#claimed.has(control));
    for (const field of fields) field.restore();
    for (const { control, event } of fields)
      control.dispatchEvent(new Event(event, { bubbles: true }));
  }

  /** Returns whether an element is inside contents that other code renders. */
  #isForeign(element: Element): boolean {
    let ancestor = element.parentElement;
    while (ancestor && !this.#claimed.has(ancestor)) ancestor = ancestor.parentElement;
    return ancestor !== null && this.#foreignContents.has(ancestor);
  }

  /** Claims an element and starts to log its mutations. */
  claimElement(element: Element): void {
    this.#claimed.add(element);
    this.#log.attach(element);
  }

  /**
   * Reconciles the child nodes of an element with its log. Without a log, only unclaimed child
   * elements are removed.
   */
  #reconcileChildNodes(element: Element, logged: readonly Node[] | undefined): void {
    const target = new Set<Node>(logged);
    for (const child of [...element.children])
      if (!target.has(child) && (!this.#claimed.has(child) || this.#log.removed.has(child)))
        child.remove();
    if (!logged) return;
    let cursor = element.firstChild;
    for (const node of logged) {
      while (cursor && cursor !== node && !target.has(cursor) && !isText(cursor))
        cursor = cursor.nextSibling;
      const hasSameData = isText(node) && isText(cursor) && node.data === cursor.data;
      if (node === cursor || (hasSameData && this.#log.stringTexts.has(node))) {
        cursor = cursor?.nextSibling ?? null;
      } else if (hasSameData) {
        // The component has a reference to this text node and may change its data.
        element.insertBefore(node, cursor);
        cursor = removeText(cursor as ChildNode);
      } else if (isText(node)) element.insertBefore(node, cursor);
      else insertElement(element, node as HTMLElement, cursor);
    }
    for (; cursor; cursor = removeText(cursor));
  }
}

/**
 * Selector of instance elements in server-rendered markup. An element with `data-key` alone may be
 * of other code.
 */
const INSTANCE_SELECTOR = "[data-key][data-bn]";

/** Returns the keys of the instances that contain an element, innermost first. */
function enclosingKeys(element: Element | null): string[] {
  const ancestor = element?.closest<HTMLElement>(INSTANCE_SELECTOR);
  return ancestor ? [ancestor.dataset["key"] ?? "", ...enclosingKeys(ancestor.parentElement)] : [];
}

/**
 * Returns the elements that the HTML parser moved out of a surface. A button nested in a button
 * closes the outer one, so the rest of the surface becomes its sibling.
 */
export function misplacedSiblings(host: Element): Element[] {
  const misplaced: Element[] = [];
  for (let next = host.nextElementSibling; next; next = next.nextElementSibling)
    if (next.matches('[class^="bn"]:not(.bn-surface, .bn-style, .bn-status)')) misplaced.push(next);
  return misplaced;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** User input from before the hydration. */
interface UserInput {
  readonly control: Control;
  /** Event that the control dispatches on user input. */
  readonly event: "change" | "input";
  restore(): void;
}

/** Returns whether the state of a control differs from its markup. */
function differsFromMarkup(control: Control): boolean {
  if (isSelect(control))
    return (
      selectedValues(control).join() !==
      selectedValues(control.cloneNode(true) as typeof control).join()
    );
  if (control.localName === "textarea") return control.value !== control.defaultValue;
  // Browsers normalise the values of dates and sliders, so a new input with the same attributes is
  // compared.
  const reference = document.createElement("input");
  for (const { name, value } of control.attributes) reference.setAttribute(name, value);
  return control.value !== reference.value || isChecked(control) !== reference.checked;
}

function captureInput(control: Control): UserInput {
  if (isSelect(control)) {
    const selected = new Set(selectedValues(control));
    const restore = (): void => {
      for (const option of control.options) option.selected = selected.has(option.value);
    };
    return { control, event: "change", restore };
  }
  if (control.type === "checkbox" || control.type === "radio") {
    const checked = isChecked(control);
    const restore = (): void => {
      (control as HTMLInputElement).checked = checked;
    };
    return { control, event: "change", restore };
  }
  const { value, selectionStart, selectionEnd } = control;
  const restore = (): void => {
    if (control.value === value) return;
    control.value = value;
    if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd);
  };
  return { control, event: "input", restore };
}

function isSelect(control: Control): control is HTMLSelectElement {
  return control.localName === "select";
}

function selectedValues(select: HTMLSelectElement): string[] {
  return [...select.selectedOptions].map(({ value }) => value);
}

function isChecked(control: Control): boolean {
  return "checked" in control && control.checked;
}

function isText(node: Node | null): node is Text {
  return node?.nodeType === 3;
}

/** Removes a node if it is a text. Returns its next sibling. */
function removeText(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  if (isText(node)) node.remove();
  return next;
}

/** Returns the descendants of an element that are of the same instance, in document order. */
function ownDescendants(element: Element): Element[] {
  return [...element.children].flatMap((child) =>
    child.matches(INSTANCE_SELECTOR) ? [] : [child, ...ownDescendants(child)],
  );
}

/** Returns a proxy of a document whose element factories call `find`. */
function hydrationDocument(
  document: Document,
  find: (tag: string, createNew: () => HTMLElement) => HTMLElement,
): Document {
  const createElement = (tag: string) => find(tag, () => document.createElement(tag));
  const createElementNS = (space: string, tag: string) =>
    find(tag, () => document.createElementNS(space, tag) as HTMLElement);
  return new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return createElement;
      if (name === "createElementNS") return createElementNS;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
