import { fits } from "./instance-signature.js";
import type { MirrorNode, View } from "./mirror-node.js";
import { focused, place, playing } from "./move-element.js";
import { Notes } from "./mutation-log.js";

/**
 * Hydration of server-rendered elements. Components run as usual, but `createElement` returns the
 * existing element, and mutations are logged and not done. `finish` then reconciles each element
 * with its log. If the page matches, no node is replaced or moved, so focus, selection and scroll
 * positions are kept.
 */
export class Adoption {
  /** Document for components; its `createElement` prefers existing elements. */
  readonly document: Document;
  /** Elements by key of the instances that are not drawn yet. */
  readonly #waiting = new Map<string, HTMLElement>();
  /**
   * Stack of the instances being drawn: all their elements, and the unclaimed ones in document
   * order.
   */
  readonly #instances: { readonly all: readonly Element[]; left: Element[] }[] = [];
  readonly #taken = new Set<Element>();
  readonly #foreign = new Set<Element>();
  readonly #notes = new Notes();
  readonly #entered: Entered[];
  /** Keys of the instances with user input, focus or playing media, and of their ancestors. */
  readonly #used: ReadonlySet<string>;

  constructor(host: HTMLElement) {
    // A custom component may contain another surface, which has the same keys.
    for (const element of host.querySelectorAll<HTMLElement>(instance))
      if (element.closest(".bn-surface") === host)
        this.#waiting.set(element.dataset["key"] ?? "", element);
    this.#entered = [...host.querySelectorAll<Control>("input,textarea,select")]
      .filter(isChanged)
      .map(remember);
    this.#used = new Set(
      [...this.#entered.map(({ control }) => control), focused(host), ...playing(host)].flatMap(
        keysAround,
      ),
    );
    this.document = standIn(host.ownerDocument, (tag, fresh) => {
      const found = this.claim((element) => element.localName === tag.toLowerCase());
      if (found) return found;
      // Mutations of a new element are logged too, including its removal.
      const made = fresh();
      this.take(made);
      return made;
    });
    this.take(host);
  }

  /** Draws an instance from its server-rendered elements if they are of the same component. */
  draw({ key, component, props }: MirrorNode, make: () => HTMLElement): HTMLElement {
    const element = this.#waiting.get(key);
    const same = element && fits(element.dataset["bn"] ?? "", component, props.keys());
    if (same) this.#waiting.delete(key);
    element?.removeAttribute("data-bn");
    const all = same ? [element, ...ownParts(element)] : [];
    this.#instances.push({ all, left: [...all] });
    const made = make();
    this.#instances.pop();
    return made;
  }

  /**
   * Reports whether an instance has user input, focus or playing media, so that it must stay in the
   * DOM.
   */
  isUsed(key: string): boolean {
    return this.#used.has(key);
  }

  /**
   * Releases the elements claimed by the current instance, because its component threw and a
   * fallback is drawn next.
   */
  restart(): void {
    const instance = this.#instances.at(-1);
    if (!instance) return;
    instance.left = [...instance.all];
    for (const element of instance.all) {
      this.#notes.end(element);
      this.#taken.delete(element);
      this.#foreign.delete(element);
      this.#notes.forget(element);
    }
  }

  /** Returns the next unclaimed element of the current instance that matches, or `null`. */
  claim(matches: (element: Element) => boolean): HTMLElement | null {
    const left = this.#instances.at(-1)?.left;
    const at = left?.findIndex(matches) ?? -1;
    if (!left || at < 0) return null;
    const [element] = left.splice(at, 1) as [HTMLElement];
    this.take(element);
    return element;
  }

  /** Leaves the contents of a view's element unchanged, because other code renders them. */
  leave(view: View): void {
    this.#foreign.add(view.element);
  }

  /** Applies the logged mutations to each element, then restores user input. */
  finish(): void {
    for (const element of this.#taken) this.#notes.end(element);
    for (const element of this.#taken)
      if (!this.#foreign.has(element)) this.#arrange(element, this.#notes.of(element));
    // Rows that were removed after the server rendered them.
    for (const element of this.#waiting.values()) if (!this.#isForeign(element)) element.remove();
    const fields = this.#entered.filter(({ control }) => this.#taken.has(control));
    for (const field of fields) field.restore();
    for (const { control, event } of fields)
      control.dispatchEvent(new Event(event, { bubbles: true }));
  }

  /** Reports whether an element is inside contents that other code renders. */
  #isForeign(element: Element): boolean {
    let around = element.parentElement;
    while (around && !this.#taken.has(around)) around = around.parentElement;
    return around !== null && this.#foreign.has(around);
  }

  /** Claims an element and starts to log its mutations. */
  take(element: Element): void {
    this.#taken.add(element);
    this.#notes.begin(element);
  }

  /**
   * Reconciles the child nodes of an element with its log. Without a log, only unclaimed child
   * elements are removed.
   */
  #arrange(element: Element, noted: readonly Node[] | undefined): void {
    const wanted = new Set<Node>(noted);
    for (const child of [...element.children])
      if (!wanted.has(child) && (!this.#taken.has(child) || this.#notes.dropped.has(child)))
        child.remove();
    if (!noted) return;
    let cursor = element.firstChild;
    for (const node of noted) {
      while (cursor && cursor !== node && !wanted.has(cursor) && !isText(cursor))
        cursor = cursor.nextSibling;
      const isSame = isText(node) && isText(cursor) && node.data === cursor.data;
      if (node === cursor || (isSame && this.#notes.words.has(node))) {
        cursor = cursor?.nextSibling ?? null;
      } else if (isSame) {
        // The component has a reference to this text node and may change its data.
        element.insertBefore(node, cursor);
        cursor = drop(cursor as ChildNode);
      } else if (isText(node)) element.insertBefore(node, cursor);
      else place(element, node as HTMLElement, cursor);
    }
    for (; cursor; cursor = drop(cursor));
  }
}

/**
 * Selector of instance elements in server-rendered markup. An element with `data-key` alone may be
 * of other code.
 */
const instance = "[data-key][data-bn]";

/** Returns the keys of the instances that contain an element, innermost first. */
function keysAround(element: Element | null): string[] {
  const around = element?.closest<HTMLElement>(instance);
  return around ? [around.dataset["key"] ?? "", ...keysAround(around.parentElement)] : [];
}

/**
 * Returns the elements that the HTML parser moved out of a surface. A button nested in a button
 * closes the outer one, so the rest of the surface becomes its sibling.
 */
export function straysOf(host: Element): Element[] {
  const strays: Element[] = [];
  for (let next = host.nextElementSibling; next; next = next.nextElementSibling)
    if (next.matches('[class^="bn"]:not(.bn-surface, .bn-style, .bn-status)')) strays.push(next);
  return strays;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** User input from before the hydration. */
interface Entered {
  readonly control: Control;
  /** Event that the control dispatches on user input. */
  readonly event: "change" | "input";
  restore(): void;
}

/** Reports whether the state of a control differs from its markup. */
function isChanged(control: Control): boolean {
  if (isSelect(control))
    return chosenOf(control).join() !== chosenOf(control.cloneNode(true) as typeof control).join();
  if (control.localName === "textarea") return control.value !== control.defaultValue;
  // Browsers normalise the values of dates and sliders, so a new input with the same attributes is
  // compared.
  const fresh = document.createElement("input");
  for (const { name, value } of control.attributes) fresh.setAttribute(name, value);
  return control.value !== fresh.value || isChecked(control) !== fresh.checked;
}

function remember(control: Control): Entered {
  if (isSelect(control)) {
    const chosen = new Set(chosenOf(control));
    const restore = (): void => {
      for (const option of control.options) option.selected = chosen.has(option.value);
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

function chosenOf(select: HTMLSelectElement): string[] {
  return [...select.selectedOptions].map(({ value }) => value);
}

function isChecked(control: Control): boolean {
  return "checked" in control && control.checked;
}

function isText(node: Node | null): node is Text {
  return node?.nodeType === 3;
}

/** Removes a node if it is a text. Returns its next sibling. */
function drop(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  if (isText(node)) node.remove();
  return next;
}

/** Returns the descendants of an element that are of the same instance, in document order. */
function ownParts(element: Element): Element[] {
  return [...element.children].flatMap((child) =>
    child.matches(instance) ? [] : [child, ...ownParts(child)],
  );
}

/** Returns a proxy of a document whose element factories call `find`. */
function standIn(
  document: Document,
  find: (tag: string, fresh: () => HTMLElement) => HTMLElement,
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
