import { closeOnOutsideClick, showDialog } from "./dialog.js";
import { button, byId, div, element } from "./element.js";
import { readSetting, storeSetting } from "./storage.js";

interface Shortcut {
  keys: readonly string[];
  description: string;
  run(bench: HTMLElement): void;
}

const clickIn = (bench: HTMLElement, selector: string): void =>
  [...bench.querySelectorAll<HTMLButtonElement>(selector)].find((one) => !one.disabled)?.click();
const openWorkbench = (name: string) => (): void => {
  location.hash = `#${name}`;
};

/** Single-key shortcuts. They can be turned off, because they interfere with speech input. */
const shortcuts: readonly Shortcut[] = [
  { keys: ["k"], description: "Play or pause; in Flow, run or cancel", run: playOrPause },
  { keys: ["l"], description: "Next step", run: (bench) => clickStep(bench, 1) },
  { keys: ["j"], description: "Previous step", run: (bench) => clickStep(bench, -1) },
  { keys: ["u"], description: "Undo, in Surface", run: (bench) => clickIn(bench, "#undo") },
  { keys: ["U"], description: "Redo, in Surface", run: (bench) => clickIn(bench, "#redo") },
  { keys: ["e"], description: "Focus the editor", run: focusEditor },
  { keys: ["]"], description: "Focus the next pane", run: (bench) => focusPane(bench, 1) },
  { keys: ["["], description: "Focus the previous pane", run: (bench) => focusPane(bench, -1) },
  { keys: ["1"], description: "Story", run: openWorkbench("story") },
  { keys: ["2"], description: "Surface", run: openWorkbench("surface") },
  { keys: ["3"], description: "Graph", run: openWorkbench("graph") },
  { keys: ["4"], description: "Flow", run: openWorkbench("flow") },
  { keys: ["?"], description: "Show this list", run: () => showShortcutDialog() },
];

/** Shortcuts of the editor itself. */
const editorShortcuts: readonly [keys: string, words: string][] = [
  ["Ctrl + Enter", "Apply, or run"],
  ["Ctrl + Space", "Show completions"],
  ["Ctrl + Z, Ctrl + Y", "Undo and redo edits"],
  ["Ctrl + F", "Search"],
  ["F8", "Go to the next problem"],
  ["Esc", "Leave the editor; Tab leaves it too"],
];

const storageKey = "byname-keys";
let areEnabled = true;

export function listenToShortcuts(): void {
  areEnabled = readSetting(storageKey) !== "off";
  byId("keys").addEventListener("click", () => showShortcutDialog());
  addEventListener("keydown", (event) => {
    if (!areEnabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (document.querySelector("dialog[open]") || isTextInput(event.composedPath()[0])) return;
    const found = shortcuts.find(({ keys }) => keys.includes(event.key));
    const bench = document.querySelector<HTMLElement>(".bench:not([hidden])");
    if (!found || !bench) return;
    event.preventDefault();
    found.run(bench);
  });
}

function isTextInput(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

function playOrPause(bench: HTMLElement): void {
  clickIn(bench, bench.querySelector("#flow-cancel:enabled") ? "#flow-cancel" : ".bar .main");
}

/** Clicks the next or previous step button. */
function clickStep(bench: HTMLElement, by: 1 | -1): void {
  const ahead = bench.querySelector<HTMLButtonElement>("#next, #graph-next, #story-next");
  if (by === 1 && ahead) {
    if (!ahead.disabled) ahead.click();
    return;
  }
  const all = [...bench.querySelectorAll<HTMLButtonElement>(".steps button")];
  const now = all.findIndex((one) => one.hasAttribute("aria-current"));
  all[now + by]?.click();
}

function focusEditor(bench: HTMLElement): void {
  bench.querySelector<HTMLElement>('.switch [data-pane="text"]')?.click();
  const box = bench.querySelector<HTMLElement>(".editor:not([hidden])");
  const code = box?.querySelector(".code")?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
  (code ?? box?.querySelector<HTMLElement>("textarea"))?.focus();
}

/** Focuses the next or previous pane, from where Tab reaches its controls. */
function focusPane(bench: HTMLElement, by: 1 | -1): void {
  const all = [...bench.querySelectorAll<HTMLElement>(".pane")];
  const now = all.findIndex((one) => one.contains(document.activeElement));
  const next =
    all[now < 0 ? (by === 1 ? 0 : all.length - 1) : (now + by + all.length) % all.length];
  if (!next) return;
  // Narrow screens show one pane, selected by its tab.
  bench.querySelector<HTMLElement>(`.switch [aria-controls="${next.id}"]`)?.click();
  next.tabIndex = -1;
  next.focus();
}

function showShortcutDialog(): void {
  const row = (keys: readonly string[], description: string): HTMLElement =>
    div(
      "key-row",
      element("dt", ...keys.map((key) => element("kbd", key))),
      element("dd", description),
    );
  const box = element("input", { type: "checkbox" });
  box.checked = areEnabled;
  box.addEventListener("change", () => {
    areEnabled = box.checked;
    storeSetting(storageKey, areEnabled ? "on" : "off");
  });
  const dialog = element(
    "dialog",
    { class: "dialog", "aria-labelledby": "keys-head" },
    element("h2", { id: "keys-head" }, "Keyboard shortcuts"),
    element("label", { class: "choice" }, box, "Enable these shortcuts, except in text fields"),
    element(
      "dl",
      { class: "key-list" },
      ...shortcuts.map(({ keys, description }) => row(keys, description)),
    ),
    element("h3", "In an editor"),
    element(
      "dl",
      { class: "key-list" },
      ...editorShortcuts.map(([keys, words]) => row([keys], words)),
    ),
    div(
      "group",
      button("Close", {}, () => dialog.close()),
    ),
  );
  closeOnOutsideClick(dialog);
  showDialog(dialog);
}
