import { fits } from "./instance-signature.js";
import type { MirrorNode, View } from "./mirror-node.js";
import { focused, place, playing } from "./move-element.js";
import { Notes } from "./mutation-log.js";

/**
 * Takes over the elements that a server has drawn. Components run as always; where they would make an element, they get the one that
 * stands there, and what they put into it is noted and not done. In the end each element gets what was noted, which in a page that is as
 * it should be is what it has: nothing is replaced, moved or taken out for a moment, so focus, selection and scroll positions stay.
 */
export class Adoption {
  /** The document, for components: what they make may be there already. */
  readonly document: Document;
  /** The elements of instances by key, until they are drawn. */
  readonly #waiting = new Map<string, HTMLElement>();
  /** For each instance that is being drawn, its elements that nobody has taken yet, in the order of the document. */
  readonly #instances: { readonly all: readonly Element[]; left: Element[] }[] = [];
  readonly #taken = new Set<Element>();
  readonly #foreign = new Set<Element>();
  readonly #notes = new Notes();
  readonly #entered: Entered[];
  /** The keys of the instances that the user is at or has been at, and of those around them. */
  readonly #used: ReadonlySet<string>;

  constructor(host: HTMLElement) {
    // What a component of one's own draws may hold another surface, whose keys are the same.
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
      // What is put into a new one is noted too, and that it is taken out again.
      const made = fresh();
      this.take(made);
      return made;
    });
    this.take(host);
  }

  /** Draws an instance out of the elements that stand for it, where they are those of the same component. */
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

  /** Whether the user has entered something in an instance, is in it, or lets it play: it must not be lost, wherever it is. */
  isUsed(key: string): boolean {
    return this.#used.has(key);
  }

  /** Gives back what the instance at hand has taken: its component has thrown, and another one begins again. */
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

  /** The next element of the instance at hand that matches and was not taken yet. */
  claim(matches: (element: Element) => boolean): HTMLElement | null {
    const left = this.#instances.at(-1)?.left;
    const at = left?.findIndex(matches) ?? -1;
    if (!left || at < 0) return null;
    const [element] = left.splice(at, 1) as [HTMLElement];
    this.take(element);
    return element;
  }

  /** Leaves what stands in an element to somebody else. */
  leave(view: View): void {
    this.#foreign.add(view.element);
  }

  /** Gives each element what was put into it, and the fields what the user had entered. */
  finish(): void {
    for (const element of this.#taken) this.#notes.end(element);
    for (const element of this.#taken)
      if (!this.#foreign.has(element)) this.#arrange(element, this.#notes.of(element));
    // Rows that have gone since the server drew them.
    for (const element of this.#waiting.values()) if (!this.#isForeign(element)) element.remove();
    const fields = this.#entered.filter(({ control }) => this.#taken.has(control));
    for (const field of fields) field.restore();
    for (const { control, event } of fields)
      control.dispatchEvent(new Event(event, { bubbles: true }));
  }

  /** Whether an element stands in what somebody else draws. */
  #isForeign(element: Element): boolean {
    let around = element.parentElement;
    while (around && !this.#taken.has(around)) around = around.parentElement;
    return around !== null && this.#foreign.has(around);
  }

  /** An element that the page's own code would have made. */
  take(element: Element): void {
    this.#taken.add(element);
    this.#notes.begin(element);
  }

  /** Brings what stands in an element into the sequence that was noted. Nothing noted means that all is the text that was set. */
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
        // Its component holds it, to change what it says.
        element.insertBefore(node, cursor);
        cursor = drop(cursor as ChildNode);
      } else if (isText(node)) element.insertBefore(node, cursor);
      else place(element, node as HTMLElement, cursor);
    }
    for (; cursor; cursor = drop(cursor));
  }
}

/** The elements of instances, as a server marks them: with the component, and the properties that it was drawn with. An element with a key alone may be anybody's. */
const instance = "[data-key][data-bn]";

/** The keys of the instances that an element stands in. */
function keysAround(element: Element | null): string[] {
  const around = element?.closest<HTMLElement>(instance);
  return around ? [around.dataset["key"] ?? "", ...keysAround(around.parentElement)] : [];
}

/**
 * What the page's parser has put behind a surface: a button in a button, which a model likes to write, closes what is around it, so that
 * the rest of the surface stands outside.
 */
export function straysOf(host: Element): Element[] {
  const strays: Element[] = [];
  for (let next = host.nextElementSibling; next; next = next.nextElementSibling)
    if (next.matches('[class^="bn"]:not(.bn-surface, .bn-style, .bn-status)')) strays.push(next);
  return strays;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the user had entered in a field before there was any code to hear of it. */
interface Entered {
  readonly control: Control;
  /** What a field says when somebody enters something. */
  readonly event: "change" | "input";
  /** Shows it again. */
  restore(): void;
}

/** Whether a field shows something else than it would if nobody had touched it. */
function isChanged(control: Control): boolean {
  if (isSelect(control))
    return chosenOf(control).join() !== chosenOf(control.cloneNode(true) as typeof control).join();
  if (control.localName === "textarea") return control.value !== control.defaultValue;
  // A date or a slider may show another value than was written for it, so one that is as it was written is asked.
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

/** Takes a text away that nobody wants; answers what follows. */
function drop(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  if (isText(node)) node.remove();
  return next;
}

/** The elements below one that are of the same instance. */
function ownParts(element: Element): Element[] {
  return [...element.children].flatMap((child) =>
    child.matches(instance) ? [] : [child, ...ownParts(child)],
  );
}

/** A document of which elements are asked for first. */
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
