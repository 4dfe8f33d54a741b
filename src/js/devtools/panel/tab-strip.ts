import { html } from "./html.js";
import type { RowList } from "./row-list.js";
import type { View } from "./view.js";

/** Tab with a list of the recorder, or with an element of the page. */
export interface Tab {
  name: string;
  button: HTMLButtonElement;
  content: { view: View; list: RowList } | HTMLSlotElement;
}

let lastTabId = 0;

/** Tabs of the panel, operated with the arrow keys, `Home` and `End`. */
export class TabStrip {
  readonly element: HTMLElement;
  readonly #onOpen: (name: string) => void;
  #all: Tab[] = [];
  /** Names of the displayed tabs in their order; all if undefined. */
  #names: readonly string[] | undefined;
  #current: Tab | undefined;
  #opened: Tab | undefined;
  /** Whether the user or the page has opened a tab. */
  #isChosen = false;

  /** `onOpen` is called when another tab is opened. */
  constructor(onOpen: (name: string) => void) {
    this.#onOpen = onOpen;
    this.element = html("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "Views",
      onkeydown: (event: KeyboardEvent) => this.#onKey(event),
    });
  }

  /** Displayed tabs in their order. */
  get tabs(): readonly Tab[] {
    const names = this.#names;
    if (!names) return this.#all;
    const isAdded = ({ content, name }: Tab): boolean =>
      content instanceof HTMLSlotElement && !names.includes(name);
    const chosen = names.flatMap((name) => this.#all.find((tab) => tab.name === name) ?? []);
    return [...chosen, ...this.#all.filter(isAdded)];
  }

  /** Open tab. */
  get current(): Tab | undefined {
    return this.#current;
  }

  add(name: string, content: Tab["content"]): void {
    const id = `tab-${++lastTabId}`;
    const attributes = { type: "button", role: "tab", id, "aria-controls": "panes" };
    const button = html("button", { ...attributes, onclick: () => this.open(name) }, name);
    this.#all.push({ name, button, content });
    this.#update();
  }

  remove(name: string): void {
    this.#all = this.#all.filter((tab) => tab.name !== name);
    this.#update();
  }

  /** Limits and orders the tabs. The first is opened, unless another one was. */
  choose(names: readonly string[] | undefined): void {
    this.#names = names;
    if (!this.#isChosen) this.#current = undefined;
    this.#update();
  }

  /** Opens a tab. Returns false if it is not displayed. */
  open(name: string): boolean {
    const tab = this.tabs.find((one) => one.name === name);
    if (!tab) return false;
    this.#current = tab;
    this.#isChosen = true;
    this.#update();
    return true;
  }

  #update(): void {
    const { tabs } = this;
    if (!this.#current || !tabs.includes(this.#current)) this.#current = tabs[0];
    const isOther = this.#current !== this.#opened;
    this.#opened = this.#current;
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    const buttons = tabs.map(({ button }) => button);
    // Moving a button would remove its focus.
    if (buttons.some((one, at) => this.element.children[at] !== one) || this.#hasOthers(buttons))
      this.element.replaceChildren(...buttons);
    for (const { button } of tabs) {
      const isCurrent = button === this.#current?.button;
      button.setAttribute("aria-selected", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
      if (button === activeElement) button.focus();
    }
    if (isOther) this.#onOpen(this.#current?.name ?? "");
  }

  #hasOthers(buttons: readonly Element[]): boolean {
    return this.element.childElementCount !== buttons.length;
  }

  #onKey(event: KeyboardEvent): void {
    const { tabs } = this;
    const at = this.#current ? tabs.indexOf(this.#current) : -1;
    const last = tabs.length - 1;
    const targets: { [key: string]: number } = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = tabs[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    this.open(next.name);
    next.button.focus();
  }
}
