import { type ImportedLog, parseLog } from "../log-file.js";
import { Recorder } from "../recorder.js";
import { playgroundLink } from "../share-link.js";
import { css } from "./css.js";
import { countText, createElement } from "./html.js";
import { highlightInPage } from "./page-highlight.js";
import { RowList } from "./row-list.js";
import { treeView } from "./tree-view.js";
import {
  actionsView,
  changesView,
  diagnosticsView,
  logView,
  MAX_ROWS,
  runsView,
  type View,
  type ViewContext,
} from "./views.js";

/** Base class; empty without a document, because the module must load on servers and in tests. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

const VIEWS: readonly View[] = [
  ...[logView, diagnosticsView, treeView],
  ...[changesView, actionsView, runsView],
];

/** Maximum size of an imported file in bytes, because a larger one blocks the page. */
const MAX_FILE_BYTES = 50_000_000;

/** Hint for a list that is truncated. */
const LIMIT_TEXT = `At most ${MAX_ROWS} rows are displayed, the newest of a log. The export has all entries.`;

/** Tab with its list and its selected row. */
interface Tab {
  view: View;
  button: HTMLButtonElement;
  list: RowList;
}

/** Custom element `<byname-devtools>`: displays a recorder in a shadow root. */
export class BynameDevtools extends Base {
  #recorder = new Recorder();
  #playground: string | undefined;
  #imported: ImportedLog | undefined;
  #source: string | undefined;
  readonly #collapsed = new Set<string>();
  #tabs: Tab[] = [];
  #current = 0;
  #isPlanned = false;
  /** Id of the last entry whose changes were highlighted. */
  #highlighted = 0;
  #followsChanges = true;
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
      createElement("button", { type: "button", onclick }, label);

    const source = createElement("select", {
      "aria-label": "Source",
      onchange: () => this.#selectSource(),
    });
    const pause = button("Pause", () => this.#togglePause());
    const step = button("Step", () => this.#recorder.step());
    const waiting = createElement("span", { class: "muted", role: "status" });
    const follow = createElement("input", {
      type: "checkbox",
      checked: true,
      onchange: () => {
        this.#followsChanges = follow.checked;
      },
    });
    const file = createElement("input", {
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
    const bar = createElement(
      ...(["div", { class: "bar" }] as const),
      ...[createElement("strong", {}, "byname"), source, pause, step, waiting],
      createElement("label", {}, follow, "Highlight changes"),
      createElement("span", { class: "end" }),
      ...[button("Clear", () => this.#clear()), button("Export", () => this.#download())],
      ...[button("Import", () => file.click()), file, open, collapse],
    );
    collapse.addEventListener("click", () => this.#scheduleDraw());

    const back = button("Back to the page", () => {
      this.#imported = undefined;
      this.#notify("");
      this.#scheduleDraw();
    });
    const noticeText = createElement("span");
    const notice = createElement(
      "p",
      { class: "notice", role: "alert", hidden: true },
      noticeText,
      " ",
      back,
    );

    const tabList = createElement("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "Views",
      onkeydown: (event: KeyboardEvent) => this.#onTabKey(event),
    });
    this.#tabs = VIEWS.map((view, index) => {
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
      const attributes = { role: "tab", id: `tab-${index}`, "aria-controls": "panes" };
      const tab = createElement(
        "button",
        { type: "button", ...attributes, onclick: () => this.#openEntry(index) },
        view.name,
      );
      tabList.append(tab);
      return { view, button: tab, list };
    });
    const empty = createElement("p", { class: "empty" });
    const limit = createElement("p", { class: "empty", hidden: true }, LIMIT_TEXT);
    const detail = createElement("div", {
      class: "detail",
      role: "region",
      "aria-label": "Details",
      tabindex: "0",
    });
    const panes = createElement(
      "div",
      { class: "panes", id: "panes", role: "tabpanel" },
      empty,
      detail,
    );
    const region = { role: "region", "aria-label": "byname devtools" };
    const body = createElement("div", {}, tabList, notice, limit, panes);
    root.replaceChildren(createElement("div", region, bar, body));
    return {
      root,
      source,
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

  get #context(): ViewContext {
    const entries = this.#imported?.entries ?? this.#recorder.entries;
    const source = this.#source;
    return {
      recorder: this.#recorder,
      entries: source === undefined ? entries : entries.filter((one) => one.source === source),
      source,
      isImported: this.#imported !== undefined,
      collapsed: this.#collapsed,
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
    const context = this.#context;
    for (const [index, { button, view, list }] of this.#tabs.entries()) {
      const isCurrent = index === this.#current;
      button.setAttribute("aria-selected", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
      if (!isCurrent) {
        list.element.remove();
        continue;
      }
      parts.panes.setAttribute("aria-labelledby", button.id);
      const rows = view.rows(context);
      list.show(rows);
      if (list.element.parentNode !== parts.panes) parts.panes.prepend(list.element);
      list.element.hidden = rows.length === 0;
      parts.empty.hidden = rows.length > 0;
      parts.limit.hidden = rows.length < MAX_ROWS;
      parts.empty.textContent = view.empty;
      this.#drawDetail(view, context, list.selected);
    }
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
    const options = [...names].map((name) => createElement("option", { value: name }, name));
    select.replaceChildren(createElement("option", { value: "" }, "All sources"), ...options);
    select.value = this.#source ?? "";
  }

  #drawDetail(view: View, context: ViewContext, id: string | undefined): void {
    const { detail } = this.#parts ?? {};
    const nodes = id === undefined ? [] : view.detail(context, id);
    const top = detail?.scrollTop ?? 0;
    const hint = createElement("p", { class: "empty" }, "Select a row to see its details.");
    const root = this.#parts?.root;
    // Text that the user has selected stays.
    if (root?.activeElement && detail?.contains(root.activeElement) && nodes.length > 0) return;
    detail?.replaceChildren(...(nodes.length > 0 ? nodes : [hint]));
    if (detail) detail.scrollTop = top;
  }

  #showDetail(id: string): void {
    const { view } = this.#tabs[this.#current] ?? {};
    if (!view) return;
    const context = this.#context;
    this.#drawDetail(view, context, id);
    const key = view.keyOf?.(context, id);
    if (key !== undefined && !context.isImported) highlightInPage([key]);
  }

  #highlightNewChanges(): void {
    const fresh = this.#recorder.entries.filter(({ id }) => id > this.#highlighted);
    this.#highlighted = fresh.at(-1)?.id ?? this.#highlighted;
    if (!this.#followsChanges || fresh.length === 0) return;
    const changes = fresh.flatMap((entry) => (entry.kind === "changes" ? entry.changes : []));
    highlightInPage(changes.filter(({ kind }) => kind !== "unmount").map(({ key }) => key));
  }

  #openEntry(index: number): void {
    this.#current = index;
    this.#draw();
  }

  #onTabKey(event: KeyboardEvent): void {
    const last = this.#tabs.length - 1;
    const targets: { [key: string]: number } = {
      ArrowRight: this.#current === last ? 0 : this.#current + 1,
      ArrowLeft: this.#current === 0 ? last : this.#current - 1,
      Home: 0,
      End: last,
    };
    const index = targets[event.key];
    if (index === undefined) return;
    event.preventDefault();
    this.#openEntry(index);
    this.#tabs[index]?.button.focus();
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
    createElement("a", { href: address, download: "byname-log.json" }).click();
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
  interface HTMLElementTagNameMap {
    "byname-devtools": BynameDevtools;
  }
}
