import { throwMisuse } from "../../arguments.js";
import { type ImportedLog, parseLog } from "../log-file.js";
import { Recorder } from "../recorder.js";
import { playgroundLink } from "../share-link.js";
import { css } from "./css.js";
import { scrollToPlace } from "./details.js";
import { countText, html } from "./html.js";
import { nodesView } from "./nodes-view.js";
import { highlightInPage } from "./page-highlight.js";
import { RowList } from "./row-list.js";
import { type SelectDetail, selectionOf, type TabDetail } from "./selection.js";
import { TabStrip } from "./tab-strip.js";
import { treeView } from "./tree-view.js";
import { emptyText, MAX_ROWS, partsOf, rowId, type View, type ViewContext } from "./view.js";
import { actionsView, changesView, diagnosticsView, logView, runsView } from "./views.js";

/** Base class; empty without a document, because the module must load on servers and in tests. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

const VIEWS: readonly View[] = [
  ...[logView, diagnosticsView, treeView, nodesView],
  ...[changesView, actionsView, runsView],
];

/** Names of the tabs of the panel. */
const VIEW_NAMES = VIEWS.map(({ name }) => name);

/** Maximum size of an imported file in bytes, because a larger one blocks the page. */
const MAX_FILE_BYTES = 50_000_000;

/** Hint for a list that is truncated. */
const LIMIT_TEXT = `At most ${MAX_ROWS} rows are displayed, the newest of a log. The export has all entries.`;

/** Custom element `<byname-devtools>`: displays a recorder in a shadow root. */
export class BynameDevtools extends Base {
  #recorder = new Recorder();
  #playground: string | undefined;
  #imported: ImportedLog | undefined;
  #source: string | undefined;
  readonly #collapsed = new Set<string>();
  #tabs: TabStrip | undefined;
  /** Elements of the page by the name of their tab. */
  readonly #added = new Map<string, HTMLElement>();
  #views: readonly string[] | undefined;
  #filter = "";
  #isPlanned = false;
  /** Id of the last entry whose changes were highlighted. */
  #highlighted = 0;
  #highlightsChanges = true;
  #unsubscribe: (() => void) | undefined;
  #parts: ReturnType<BynameDevtools["build"]> | undefined;

  /** Recorder that the panel displays. */
  get recorder(): Recorder {
    return this.#recorder;
  }

  set recorder(recorder: Recorder) {
    this.#unsubscribe?.();
    this.#recorder = recorder;
    this.#highlighted = recorder.entries.at(-1)?.id ?? 0;
    this.#unsubscribe = this.isConnected
      ? recorder.subscribe(() => this.#scheduleDraw())
      : undefined;
    this.#scheduleDraw();
  }

  /** Address of a playground, for `Open in playground`. */
  get playground(): string | undefined {
    return this.#playground;
  }

  set playground(address: string | undefined) {
    this.#playground = address;
    if (this.#parts) this.#parts.open.hidden = address === undefined;
  }

  /** Names of the displayed tabs in their order; all by default. */
  get views(): readonly string[] {
    return this.#views ?? VIEW_NAMES;
  }

  set views(names: readonly string[]) {
    for (const name of names) {
      const all = VIEW_NAMES.map((one) => `\`${one}\``).join(", ");
      if (!VIEW_NAMES.includes(name)) throwMisuse(`unknown view \`${name}\`; available: ${all}`);
    }
    this.#views = [...names];
    this.#tabs?.choose(this.#views);
  }

  /** Whether changes are highlighted in the page as they happen. */
  get highlightsChanges(): boolean {
    return this.#highlightsChanges;
  }

  set highlightsChanges(isOn: boolean) {
    this.#highlightsChanges = isOn;
    if (this.#parts) this.#parts.follow.checked = isOn;
  }

  /** Adds a tab with an element of the page. Returns a function that removes it. */
  addTab(name: string, element: HTMLElement): () => void {
    if (this.#added.has(name) || VIEW_NAMES.includes(name))
      throwMisuse(`expected a new name of a tab, found \`${name}\``);
    this.#added.set(name, element);
    element.slot = name;
    this.append(element);
    this.#tabs?.add(name, html("slot", { name }));
    return () => {
      if (this.#added.get(name) !== element) return;
      this.#added.delete(name);
      element.remove();
      this.#tabs?.remove(name);
    };
  }

  /** Opens a tab. Returns false if it is not displayed. */
  showTab(name: string): boolean {
    return this.#tabs?.open(name) ?? false;
  }

  /** Selects an instance in the tree, without opening it. */
  select(key: string, source = this.#recorder.surfaces.keys().next().value ?? ""): void {
    this.#parts ??= this.build();
    this.#selectRow("Tree", rowId(source, key));
  }

  connectedCallback(): void {
    this.#parts ??= this.build();
    this.recorder = this.#recorder;
  }

  disconnectedCallback(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Returns the log as JSON text: that of the selected source, or of all. */
  exportLog(): string {
    return this.#recorder.export(this.#source);
  }

  /** Displays an exported log instead of the page. Returns whether it is valid. */
  importLog(text: string): boolean {
    const parsed = parseLog(text);
    if (parsed.ok) {
      this.#imported = parsed.log;
      const { entries, messages } = parsed.log;
      const counts = `${countText(entries.length, "entry", "entries")}, ${countText(messages.length, "message")}`;
      this.#notify(`Imported log: ${counts}. It does not change the page.`, true);
    } else this.#notify(parsed.error);
    this.#scheduleDraw();
    return parsed.ok;
  }

  /** @internal Builds the shadow root. */
  build() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    const button = (label: string, onclick: () => void): HTMLButtonElement =>
      html("button", { type: "button", onclick }, label);

    const source = html("select", {
      part: "source",
      "aria-label": "Source",
      onchange: () => this.#selectSource(),
    });
    const pause = button("Pause", () => this.#togglePause());
    const step = button("Step", () => this.#recorder.step());
    const waiting = html("span", { class: "muted", role: "status" });
    const follow = html("input", {
      type: "checkbox",
      checked: this.#highlightsChanges,
      onchange: () => {
        this.#highlightsChanges = follow.checked;
      },
    });
    const file = html("input", {
      type: "file",
      hidden: true,
      accept: ".json,application/json",
      onchange: () => void this.#importFile(file),
    });
    const open = button("Open in playground", () => void this.#openPlayground());
    open.hidden = this.#playground === undefined;
    const collapse = button(
      "Hide",
      () => this.toggleAttribute("collapsed") && this.#scheduleDraw(),
    );
    const bar = html(
      ...(["div", { class: "bar" }] as const),
      ...[html("strong", { part: "title" }, "byname"), source, pause, step, waiting],
      html("label", { part: "highlight" }, follow, "Highlight changes"),
      html("span", { class: "end" }),
      ...[button("Clear", () => this.#clear()), button("Export", () => this.#download())],
      ...[button("Import", () => file.click()), file, open, collapse],
    );
    const parts = { pause, step, waiting, hide: collapse };
    for (const [name, part] of Object.entries(parts)) part.part.add(name);
    collapse.addEventListener("click", () => this.#scheduleDraw());

    const back = button("Back to the page", () => {
      this.#imported = undefined;
      this.#notify("");
      this.#scheduleDraw();
    });
    const noticeText = html("span");
    const notice = html(
      "p",
      { class: "notice", role: "alert", hidden: true },
      noticeText,
      " ",
      back,
    );

    const find = html("input", {
      type: "search",
      placeholder: "Find",
      "aria-label": "Find rows",
      oninput: () => {
        this.#filter = find.value.toLowerCase();
        this.#draw();
      },
    });
    const tabs = new TabStrip((name) => {
      this.#draw();
      this.dispatchEvent(new CustomEvent("byname-tab", { detail: { name } }));
    });
    const empty = html("p", { class: "empty" });
    const limit = html("p", { class: "empty", hidden: true }, LIMIT_TEXT);
    const detail = html("div", {
      class: "detail",
      role: "region",
      "aria-label": "Details",
      tabindex: "0",
    });
    const panes = html("div", { class: "panes", id: "panes", role: "tabpanel" }, empty, detail);
    const region = { role: "region", "aria-label": "byname devtools" };
    const head = html("div", { class: "head" }, tabs.element, find);
    const added = html("div", { class: "added", role: "tabpanel", hidden: true });
    const body = html("div", { class: "body" }, head, notice, limit, panes, added);
    root.replaceChildren(html("div", { ...region, class: "panel" }, bar, body));
    this.#fillTabs(tabs);
    return {
      root,
      source,
      find,
      follow,
      added,
      pause,
      step,
      waiting,
      open,
      collapse,
      notice,
      noticeText,
      back,
      body,
      empty,
      limit,
      detail,
      panes,
    };
  }

  #fillTabs(tabs: TabStrip): void {
    for (const view of VIEWS) {
      const list = new RowList({
        role: view.role,
        label: view.name,
        onSelect: (id) => this.#showDetail(id),
        onExpand: (id, isExpanded) => {
          if (isExpanded) this.#collapsed.delete(id);
          else this.#collapsed.add(id);
          this.#draw();
        },
      });
      tabs.add(view.name, { view, list });
    }
    for (const name of this.#added.keys()) tabs.add(name, html("slot", { name }));
    tabs.choose(this.#views);
    this.#tabs = tabs;
  }

  get #context(): ViewContext {
    const entries = this.#imported?.entries ?? this.#recorder.entries;
    const source = this.#source;
    return {
      recorder: this.#recorder,
      entries: source === undefined ? entries : entries.filter((one) => one.source === source),
      source,
      isImported: this.#imported !== undefined,
      collapsed: this.#collapsed,
      matches: (text) => this.#filter === "" || text().toLowerCase().includes(this.#filter),
      show: (view, id) => this.#showRow(view, id),
    };
  }

  /** Draws at most once per animation frame. */
  #scheduleDraw(): void {
    if (this.#isPlanned || !this.#parts || !this.isConnected) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.#highlightNewChanges();
      this.#draw();
    });
  }

  #draw(): void {
    const parts = this.#parts;
    if (!parts) return;
    const { isPaused, waiting } = this.#recorder;
    parts.pause.textContent = isPaused ? "Resume" : "Pause";
    parts.step.disabled = !isPaused || waiting.length === 0;
    const [next] = waiting;
    parts.waiting.textContent =
      next === undefined ? (isPaused ? "paused" : "") : `${waiting.length} waiting, next: ${next}`;
    this.#drawSources(parts.source);
    const isCollapsed = this.hasAttribute("collapsed");
    parts.body.hidden = isCollapsed;
    parts.collapse.textContent = isCollapsed ? "Show" : "Hide";
    parts.collapse.setAttribute("aria-expanded", String(!isCollapsed));
    if (isCollapsed) return;
    for (const { content, button } of this.#tabs?.tabs ?? [])
      if (button !== this.#tabs?.current?.button && !(content instanceof HTMLSlotElement))
        content.list.element.remove();
    const { button, content } = this.#tabs?.current ?? {};
    const isAdded = content instanceof HTMLSlotElement;
    parts.panes.hidden = isAdded;
    parts.find.hidden = isAdded;
    parts.added.hidden = !isAdded;
    parts.added.replaceChildren(...(isAdded ? [content] : []));
    const panel = isAdded ? parts.added : parts.panes;
    if (button) panel.setAttribute("aria-labelledby", button.id);
    if (content && !isAdded) this.#drawList(content.view, content.list);
    else parts.limit.hidden = true;
  }

  #drawList(view: View, list: RowList): void {
    const parts = this.#parts;
    if (!parts) return;
    const context = this.#context;
    const rows = view.rows(context);
    list.show(rows);
    if (list.element.parentNode !== parts.panes) parts.panes.prepend(list.element);
    list.element.hidden = rows.length === 0;
    parts.empty.hidden = rows.length > 0;
    parts.limit.hidden = rows.length < MAX_ROWS;
    parts.empty.textContent = this.#filter === "" ? emptyText(view, context) : "No row matches.";
    const newest = view.followsNewest ? rows.at(-1)?.id : undefined;
    this.#drawDetail(view, context, list.selected ?? newest);
  }

  #drawSources(select: HTMLSelectElement): void {
    const entries = this.#imported?.entries ?? this.#recorder.entries;
    const names = new Set([
      ...this.#recorder.surfaces.keys(),
      ...entries.map(({ source }) => source),
    ]);
    if (this.#source !== undefined) names.add(this.#source);
    const wanted = ["", ...names].join("\n");
    if (select.dataset["names"] === wanted) return;
    select.dataset["names"] = wanted;
    const options = [...names].map((name) => html("option", { value: name }, name));
    select.replaceChildren(html("option", { value: "" }, "All sources"), ...options);
    select.value = this.#source ?? "";
  }

  #drawDetail(view: View, context: ViewContext, id: string | undefined): void {
    const { detail } = this.#parts ?? {};
    const nodes = id === undefined ? [] : view.detail(context, id);
    const top = detail?.scrollTop ?? 0;
    const hint = html("p", { class: "empty" }, "Select a row to see its details.");
    const root = this.#parts?.root;
    // Text that the user has selected stays.
    if (root?.activeElement && detail?.contains(root.activeElement) && nodes.length > 0) return;
    detail?.replaceChildren(...(nodes.length > 0 ? nodes : [hint]));
    if (detail) detail.scrollTop = top;
  }

  #showDetail(id: string): void {
    const { content } = this.#tabs?.current ?? {};
    if (!content || content instanceof HTMLSlotElement) return;
    const context = this.#context;
    const { view } = content;
    this.#drawDetail(view, context, id);
    if (this.#parts) scrollToPlace(this.#parts.detail);
    const key = view.keyOf?.(context, id);
    if (key !== undefined && !context.isImported) highlightInPage([key]);
    const detail = selectionOf(view, id, context, key);
    if (detail) this.dispatchEvent(new CustomEvent("byname-select", { detail }));
  }

  /** Opens a tab with a selected row, and moves the focus from the details to its list. */
  #showRow(name: string, id: string): void {
    (this.#parts?.root.activeElement as HTMLElement | null)?.blur();
    this.#selectRow(name, id);
    this.showTab(name);
    const { content } = this.#tabs?.current ?? {};
    if (content && !(content instanceof HTMLSlotElement)) content.list.element.focus();
  }

  /** Selects a row of a tab; its ancestors in the tree are expanded. */
  #selectRow(name: string, id: string): void {
    const { content } = this.#tabs?.tabs.find((tab) => tab.name === name) ?? {};
    if (!content || content instanceof HTMLSlotElement) return;
    const [source, key] = partsOf(id);
    for (const other of this.#collapsed) {
      const [of, ancestor] = partsOf(other);
      if (of === source && key.startsWith(`${ancestor}/`)) this.#collapsed.delete(other);
    }
    if (this.#filter !== "" && this.#parts) {
      this.#filter = "";
      this.#parts.find.value = "";
    }
    content.list.mark(id);
    this.#draw();
  }

  #highlightNewChanges(): void {
    const fresh = this.#recorder.entries.filter(({ id }) => id > this.#highlighted);
    this.#highlighted = fresh.at(-1)?.id ?? this.#highlighted;
    if (!this.#highlightsChanges || fresh.length === 0) return;
    const changes = fresh.flatMap((entry) => (entry.kind === "changes" ? entry.changes : []));
    highlightInPage(changes.filter(({ kind }) => kind !== "unmount").map(({ key }) => key));
  }

  #togglePause(): void {
    if (this.#recorder.isPaused) this.#recorder.resume();
    else this.#recorder.pause();
  }

  #selectSource(): void {
    this.#source = this.#parts?.source.value || undefined;
    this.#draw();
  }

  #clear(): void {
    this.#recorder.clear();
  }

  #download(): void {
    const address = URL.createObjectURL(new Blob([this.exportLog()], { type: "application/json" }));
    html("a", { href: address, download: "byname-log.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async #importFile(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) {
      this.#notify("expected a file of at most 50 MB: open a part of it");
      return;
    }
    try {
      this.importLog(await file.text());
    } catch {
      this.#notify("the file could not be read: select it again");
    }
  }

  async #openPlayground(): Promise<void> {
    const link = await playgroundLink(this.#playground ?? "", this.exportLog());
    if (link !== undefined) open(link, "_blank", "noopener");
    else
      this.#notify(
        "The log is too long for a link: export it, and open the file in the playground.",
      );
  }

  /** Shows a notice; an empty text hides it. */
  #notify(text: string, isImport = false): void {
    if (!this.#parts) return;
    this.#parts.notice.hidden = text === "";
    this.#parts.noticeText.textContent = text;
    this.#parts.back.hidden = !isImport && this.#imported === undefined;
  }
}

/** Defines `<byname-devtools>` once. Does nothing without a custom element registry. */
export function defineElement(): void {
  const elements = globalThis.customElements;
  if (elements && !elements.get("byname-devtools"))
    elements.define("byname-devtools", BynameDevtools);
}

declare global {
  interface HTMLElementEventMap {
    "byname-select": CustomEvent<SelectDetail>;
    "byname-tab": CustomEvent<TabDetail>;
  }
  interface HTMLElementTagNameMap {
    "byname-devtools": BynameDevtools;
  }
}
