import { html } from "./html.js";

/** Row of a list or tree. */
export interface Row {
  id: string;
  /** Value that changes with the content; an equal one keeps the element. */
  version: unknown;
  draw: () => (Node | string)[];
  /** Level from 1, for a tree. */
  level?: number;
  /** Whether the children are displayed; undefined without children. */
  isExpanded?: boolean | undefined;
}

export interface RowListOptions {
  role: "listbox" | "tree";
  label: string;
  onSelect(id: string): void;
  onExpand?(id: string, isExpanded: boolean): void;
}

let lastListId = 0;

/**
 * List or tree with one selected row. It is one stop of the tab key; the arrow keys select. Focus
 * stays on the list, so that rows can be replaced.
 */
export class RowList {
  readonly element: HTMLUListElement;
  readonly #options: RowListOptions;
  readonly #prefix = `list-${++lastListId}`;
  #rows: readonly Row[] = [];
  #elements = new Map<string, { version: unknown; element: HTMLLIElement }>();
  #selected: string | undefined;
  #isFirst = true;
  #isScrollDue = false;

  constructor(options: RowListOptions) {
    this.#options = options;
    this.element = html("ul", {
      class: "list",
      role: options.role,
      tabindex: "0",
      "aria-label": options.label,
      onkeydown: (event: KeyboardEvent) => this.#onKey(event),
    });
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** Replaces the rows; those with an equal version keep their elements. */
  show(rows: readonly Row[]): void {
    const { element } = this;
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 8;
    const before = this.#elements;
    this.#elements = new Map();
    for (const row of rows) {
      const old = before.get(row.id);
      const isSame = old !== undefined && old.version === row.version;
      const made = isSame ? old.element : this.#draw(row, old !== undefined);
      this.#elements.set(row.id, { version: row.version, element: made });
    }
    this.#rows = rows;
    const all = [...this.#elements.values()].map((one) => one.element);
    if (
      all.length !== element.childElementCount ||
      all.some((one, at) => element.children[at] !== one)
    )
      element.replaceChildren(...all);
    this.#isFirst = false;
    this.#markSelected();
    if (this.#isScrollDue) this.#isScrollDue = !this.#scrollToSelected();
    else if (isAtEnd && this.#options.role === "listbox" && !this.#isFocused)
      element.scrollTop = element.scrollHeight;
  }

  /** Selects a row and shows its details. */
  select(id: string): void {
    this.mark(id);
    this.#options.onSelect(id);
  }

  /** Marks a row as selected, also one that is added later. */
  mark(id: string): void {
    this.#selected = id;
    this.#isScrollDue = !this.#scrollToSelected();
    this.#markSelected();
  }

  /** Scrolls to the selected row. Returns false if it is not displayed. */
  #scrollToSelected(): boolean {
    const element = this.#elements.get(this.#selected ?? "")?.element;
    if (!element?.isConnected) return false;
    element.scrollIntoView({ block: "nearest" });
    return true;
  }

  get #isFocused(): boolean {
    return (this.element.getRootNode() as ShadowRoot).activeElement === this.element;
  }

  #draw(row: Row, isUpdate: boolean): HTMLLIElement {
    const isTree = this.#options.role === "tree";
    const isNew = !this.#isFirst && !isUpdate && !isTree;
    const element = html(
      "li",
      {
        role: isTree ? "treeitem" : "option",
        // An id in an attribute has no spaces.
        id: `${this.#prefix}-${encodeURIComponent(row.id)}`,
        ...(isNew && { class: "new" }),
        ...(isTree && { "aria-level": String(row.level ?? 1) }),
        ...(row.isExpanded !== undefined && { "aria-expanded": String(row.isExpanded) }),
        onclick: () => this.select(row.id),
        ondblclick: () => this.#toggle(row.id),
      },
      ...row.draw(),
    );
    // Scripts may set styles under a policy that forbids them in markup.
    if (isTree) element.style.paddingInlineStart = `${6 + 14 * ((row.level ?? 1) - 1)}px`;
    return element;
  }

  #markSelected(): void {
    for (const [id, { element }] of this.#elements)
      element.setAttribute("aria-selected", String(id === this.#selected));
    const active = this.#selected === undefined ? undefined : this.#elements.get(this.#selected);
    if (active) this.element.setAttribute("aria-activedescendant", active.element.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#rows.findIndex(({ id }) => id === this.#selected);
    const last = this.#rows.length - 1;
    const targets: { [key: string]: number } = {
      ArrowDown: Math.min(at + 1, last),
      ArrowUp: at < 0 ? last : Math.max(at - 1, 0),
      Home: 0,
      End: last,
      PageDown: Math.min(at + 10, last),
      PageUp: Math.max(at - 10, 0),
    };
    const next = this.#rows[targets[event.key] ?? -1];
    if (next) this.select(next.id);
    else if (this.#options.role !== "tree" || !this.#moveInTree(event.key, at)) return;
    event.preventDefault();
  }

  /** Expands, collapses or moves to the parent. Returns whether the key has an effect. */
  #moveInTree(key: string, at: number): boolean {
    const row = this.#rows[at];
    if (!row) return false;
    if (key === "Enter" || key === " ") return this.#toggle(row.id);
    if (key === "ArrowRight" && row.isExpanded === false) return this.#toggle(row.id);
    if (key !== "ArrowLeft") return false;
    if (row.isExpanded === true) return this.#toggle(row.id);
    const before = this.#rows.slice(0, at).reverse();
    const parent = before.find(({ level = 1 }) => level < (row.level ?? 1));
    if (parent) this.select(parent.id);
    return true;
  }

  #toggle(id: string): boolean {
    const row = this.#rows.find((one) => one.id === id);
    if (row?.isExpanded === undefined) return false;
    this.#options.onExpand?.(id, !row.isExpanded);
    return true;
  }
}
