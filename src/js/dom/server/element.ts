import { throwMisuse } from "../../arguments.js";

/** Attribute names by string property. */
const STRING_PROPERTIES = new Map(
  Object.entries({
    className: "class",
    htmlFor: "for",
    referrerPolicy: "referrerpolicy",
    tabIndex: "tabindex",
    colSpan: "colspan",
    rowSpan: "rowspan",
    maxLength: "maxlength",
    minLength: "minlength",
    inputMode: "inputmode",
    crossOrigin: "crossorigin",
    ariaLabel: "aria-label",
    ariaDescription: "aria-description",
    ariaHidden: "aria-hidden",
    ariaLive: "aria-live",
  }),
);
for (const name of [
  ...[
    "id",
    "type",
    "name",
    "title",
    "alt",
    "src",
    "href",
    "target",
    "rel",
    "min",
    "max",
    "step",
    "rows",
  ],
  ...["placeholder", "loading", "decoding", "preload", "role", "lang", "dir"],
  ...["width", "height", "srcset", "sizes", "media", "download", "label", "start", "span", "scope"],
  ...["accept", "autocomplete", "pattern", "size", "cols", "wrap", "popover", "slot", "poster"],
])
  STRING_PROPERTIES.set(name, name);
const BOOLEAN_PROPERTIES = new Map([
  ["playsInline", "playsinline"],
  ["readOnly", "readonly"],
  ["defaultChecked", "checked"],
]);
for (const name of [
  ...["hidden", "checked", "disabled", "controls", "multiple", "required", "open", "selected"],
  ...["autofocus", "autoplay", "inert", "loop", "muted", "reversed"],
])
  BOOLEAN_PROPERTIES.set(name, name);

export type ServerNode = ServerElement | ServerText;

/** Text node on the server. */
class ServerText {
  readonly nodeType = 3;
  parentNode: ServerElement | null = null;
  data: string;

  constructor(data: string) {
    this.data = data;
  }

  get textContent(): string {
    return this.data;
  }
}

/**
 * Element on the server: the subset of the DOM that components use. Listeners are not stored,
 * because no event is dispatched.
 */
export class ServerElement {
  readonly nodeType = 1;
  readonly isConnected = false;
  readonly localName: string;
  readonly attributes = new Map<string, string>();
  readonly style = new ServerStyle();
  readonly childNodes: ServerNode[] = [];
  parentNode: ServerElement | null = null;
  readonly dataset: { [name: string]: string };

  constructor(tag: string) {
    if (!/^[a-z][\w.-]*$/i.test(tag)) throwMisuse(`invalid tag name ${JSON.stringify(tag)}`);
    this.localName = tag;
    this.dataset = new Proxy({} as { [name: string]: string }, {
      get: (_, name) => this.attributes.get(dataAttributeName(String(name))),
      set: (_, name, value) => {
        this.setAttribute(dataAttributeName(String(name)), value);
        return true;
      },
    });
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  setAttribute(name: string, value: unknown): void {
    if (!/^[^\s"'<>/=\p{Cc}]+$/u.test(name))
      throwMisuse(`invalid attribute name ${JSON.stringify(name)}`);
    this.attributes.set(name, String(value));
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  toggleAttribute(name: string, on = !this.hasAttribute(name)): boolean {
    if (!on) this.removeAttribute(name);
    else if (!this.hasAttribute(name)) this.setAttribute(name, "");
    return on;
  }

  get classList() {
    const names = new Set(this.getAttribute("class")?.split(/\s+/).filter(Boolean));
    const store = (): void => this.setAttribute("class", [...names].join(" "));
    return {
      contains: (name: string): boolean => names.has(name),
      add: (...added: string[]): void => {
        for (const name of added) names.add(name);
        store();
      },
      remove: (...removed: string[]): void => {
        for (const name of removed) names.delete(name);
        store();
      },
      toggle: (name: string, on = !names.has(name)): void => {
        if (on) names.add(name);
        else names.delete(name);
        store();
      },
    };
  }

  /** Value of a control: its attribute, or the text of a text area. */
  get value(): string {
    if (this.localName === "textarea") return this.textContent;
    const value = this.getAttribute("value");
    if (value !== null || this.getAttribute("type") !== "range") return value ?? "";
    // A slider without a value is in the middle.
    const [min, max] = ["min", "max"].map((name) => this.getAttribute(name));
    return String((Number(min ?? 0) + Number(max ?? 100)) / 2);
  }

  set value(value: string) {
    if (this.localName === "textarea") this.textContent = value;
    else if (value === "") this.removeAttribute("value");
    else this.setAttribute("value", value);
  }

  get textContent(): string {
    return this.childNodes.map((one) => one.textContent).join("");
  }

  set textContent(text: string | null) {
    const data = String(text ?? "");
    this.replaceChildren(...(data === "" ? [] : [data]));
  }

  get innerText(): string {
    return this.textContent;
  }

  set innerText(text: string) {
    this.textContent = text;
  }

  get children(): ServerElement[] {
    return this.childNodes.filter((one) => one instanceof ServerElement);
  }

  get firstChild(): ServerNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): ServerNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get firstElementChild(): ServerElement | null {
    return this.children[0] ?? null;
  }

  get lastElementChild(): ServerElement | null {
    return this.children.at(-1) ?? null;
  }

  get childElementCount(): number {
    return this.children.length;
  }

  get nextSibling(): ServerNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get parentElement(): ServerElement | null {
    return this.parentNode;
  }

  append(...added: (ServerNode | string)[]): void {
    this.#insert(added, this.childNodes.length);
  }

  prepend(...added: (ServerNode | string)[]): void {
    this.#insert(added, 0);
  }

  after(...added: (ServerNode | string)[]): void {
    const parent = this.parentNode;
    if (parent) parent.#insert(added, parent.childNodes.indexOf(this) + 1);
  }

  before(...added: (ServerNode | string)[]): void {
    const parent = this.parentNode;
    if (parent) parent.#insert(added, parent.childNodes.indexOf(this));
  }

  appendChild<T extends ServerNode>(node: T): T {
    this.append(node);
    return node;
  }

  insertBefore<T extends ServerNode>(node: T, before: ServerNode | null): T {
    this.#insert(
      [node],
      before === null ? this.childNodes.length : this.childNodes.indexOf(before),
    );
    return node;
  }

  replaceChild(node: ServerElement, old: ServerElement): ServerElement {
    if (old.parentNode === this) old.replaceWith(node);
    return old;
  }

  removeChild(node: ServerElement): ServerElement {
    if (node.parentNode === this) node.remove();
    return node;
  }

  replaceChildren(...added: (ServerNode | string)[]): void {
    for (const child of this.childNodes.splice(0)) child.parentNode = null;
    this.append(...added);
  }

  replaceWith(...nodes: (ServerNode | string)[]): void {
    this.after(...nodes);
    this.remove();
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  contains(node: ServerNode): boolean {
    return node === this || (node.parentNode !== null && this.contains(node.parentNode));
  }

  getRootNode(): ServerElement {
    return this.parentNode?.getRootNode() ?? this;
  }

  addEventListener(): void {}

  removeEventListener(): void {}

  #insert(inserted: (ServerNode | string)[], at: number): void {
    const before = this.childNodes[at];
    const added = inserted.flatMap((one) =>
      one instanceof ServerFragment ? [...one.childNodes] : one,
    );
    for (const one of added) {
      // The DOM converts other values to text.
      const isNode = one instanceof ServerElement || one instanceof ServerText;
      const node = isNode ? one : new ServerText(String(one));
      const old = node.parentNode?.childNodes;
      old?.splice(old.indexOf(node), 1);
      node.parentNode = this;
      this.childNodes.splice(
        before ? this.childNodes.indexOf(before) : this.childNodes.length,
        0,
        node,
      );
    }
  }
}

/** Document fragment on the server. */
class ServerFragment extends ServerElement {
  constructor() {
    super("fragment");
  }
}

for (const [property, name] of STRING_PROPERTIES) {
  Object.defineProperty(ServerElement.prototype, property, {
    get(this: ServerElement): string {
      return this.getAttribute(name) ?? "";
    },
    set(this: ServerElement, value: unknown) {
      this.setAttribute(name, value);
    },
  });
}
for (const [property, name] of BOOLEAN_PROPERTIES) {
  Object.defineProperty(ServerElement.prototype, property, {
    get(this: ServerElement): boolean {
      return this.hasAttribute(name);
    },
    set(this: ServerElement, on: unknown) {
      if (on) this.setAttribute(name, "");
      else this.removeAttribute(name);
    },
  });
}

/** Inline styles of an element by property name. */
class ServerStyle {
  [property: string]: unknown;

  setProperty(name: string, value: string): void {
    this[name] = value;
  }

  removeProperty(name: string): void {
    delete this[name];
  }
}

/** Document for components on the server. */
export const serverDocument = {
  createElement: (tag: string) => new ServerElement(tag.toLowerCase()),
  createElementNS: (_: string, tag: string) => new ServerElement(tag),
  createTextNode: (text: string) => new ServerText(text),
  createDocumentFragment: () => new ServerFragment(),
};

/** Returns the attribute name of a dataset key: `data-foo-bar` for `fooBar`. */
function dataAttributeName(name: string): string {
  return `data-${toKebabCase(name)}`;
}

export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
