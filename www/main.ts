import { setProgramSource } from "./code/copy.js";
import { handlePageDrops } from "./model/file-drop.js";
import { measureBottomBar } from "./page/bottom-bar.js";
import { wireSchemeButton } from "./page/colour-scheme.js";
import { byId, element } from "./page/element.js";
import { errorText } from "./page/format.js";
import { asRecord } from "./page/json.js";
import { loadOrReload } from "./page/load-script.js";
import { showNotice } from "./page/notice.js";
import { registerServiceWorker } from "./page/offline.js";
import { listenToShortcuts } from "./page/shortcuts.js";
import { handoverBases } from "./story/handover-examples.js";
import { storyWorkbench } from "./story/workbench.js";
import { setHandoverBases } from "./work/handover.js";
import { openLink, setCurrentWorkbench, stateToOpen, tabNameAssigned } from "./work/persistence.js";
import { isLink, onWorkChanged, type SavedWork } from "./work/saved-work.js";
import type { Workbench } from "./work/workbench.js";

const exampleMenu = byId("examples") as HTMLSelectElement;
/** Controls of the current workbench. */
const workbenchControls = [
  exampleMenu,
  ...["share", "code", "again"].map((id) => byId(id) as HTMLButtonElement),
];

const workbenchNames = ["story", "surface", "graph", "flow"] as const;
type WorkbenchName = (typeof workbenchNames)[number];
const workbenchTitles = {
  story: "Story",
  surface: "Surface",
  graph: "Graph",
  flow: "Flow",
} as const;
let shownName: WorkbenchName | null = null;
let currentWorkbench: Workbench | null = null;
let navigationId = 0;
/** Key of the options in the menu. */
let menuKey = "";
/** Workbench of the history entry once it is opened; null while it loads. */
let historyName: WorkbenchName | null = null;
/** Name of `workbench`. */
let workbenchName: WorkbenchName | null = null;
const visitedWorkbenches = new Set<WorkbenchName>();
let closeLoadError: (() => void) | null = null;

/** Loaders; the code of a workbench is loaded when it is first opened. */
const loaders: { readonly [name in WorkbenchName]: () => Workbench | Promise<Workbench> } = {
  story: () => storyWorkbench,
  surface: async () => (await import("./surface/workbench.js")).surfaceWorkbench,
  graph: async () => (await import("./graph/workbench.js")).graphWorkbench,
  flow: async () => (await import("./flow/workbench.js")).flowWorkbench,
};

/**
 * Parses the address: `#graph/paths` is an example of a workbench, `#team` one of the surface; an
 * empty or unknown one is the story.
 */
async function parseAddress(): Promise<{ name: WorkbenchName; id: string; known: boolean }> {
  const [first = "", second = ""] = location.hash.slice(1).split("/");
  const name = workbenchNames.find((one) => one === first);
  if (name || first === "") return { name: name ?? "story", id: second, known: true };
  // Probably a surface example, so the story must not appear first.
  showPage("surface");
  try {
    const { examples } = await import("./surface/examples/index.js");
    if (!examples.some(({ id }) => id === first)) return { name: "story", id: "", known: false };
  } catch {
    // Offline the id cannot be checked; opening the workbench reports the error.
  }
  return { name: "surface", id: first, known: true };
}

async function openAddressedWorkbench(): Promise<void> {
  navigationId += 1;
  const mine = navigationId;
  historyName = null;
  let linked: SavedWork | null = null;
  if (isLink(location.hash)) {
    linked = await openLink(location.hash);
    if (mine !== navigationId) return;
    if (!linked) {
      // Keeps the open workbench and restores its address.
      history.replaceState(null, "", shownName === null ? location.pathname : `#${shownName}`);
      if (currentWorkbench) return;
    }
  }
  const to = linked
    ? { name: linked.bench, id: linked.work.example, known: true }
    : await parseAddress();
  if (mine !== navigationId) return;
  const { name } = to;
  if (!to.known) {
    showNotice({ text: `Unknown address “${location.hash}”. Showing the story.` });
    history.replaceState(null, "", "#story");
  }
  showPage(name);
  if (currentWorkbench && workbenchName !== name) disableControls();
  let next: Workbench;
  closeLoadError?.();
  try {
    next = await loadOrReload(loaders[name]);
    await tabNameAssigned;
  } catch (error) {
    if (mine !== navigationId) return;
    const message = errorText(error);
    const words = navigator.onLine ? message : "there is no network";
    closeLoadError = showNotice({
      text: `Could not load this workbench: ${words}.`,
      actions: [{ label: "Try again", run: () => void openAddressedWorkbench() }],
    });
    return;
  }
  // The user has opened another workbench.
  if (mine !== navigationId) return;
  const stood = linked ? null : exampleInHistory(name);
  const stays = stood !== null && visitedWorkbenches.has(name) && stood === next.currentId();
  const id = stays ? "" : to.id || (stood ?? "");
  const work = stateToOpen(name, next, id, linked?.work ?? null);
  if (currentWorkbench !== next) currentWorkbench?.leave();
  currentWorkbench = next;
  visitedWorkbenches.add(name);
  historyName = name;
  workbenchName = name;
  for (const one of workbenchControls) one.disabled = false;
  next.enter(id, work ?? undefined);
  updateMenuAndHistory();
  setCurrentWorkbench(name, next);
  setProgramSource(next);
}

/** Disables the controls until the new workbench is open. */
function disableControls(): void {
  for (const one of workbenchControls) one.disabled = true;
  exampleMenu.selectedIndex = -1;
}

/** Lists the examples of the current workbench in the menu. */
function updateMenu(): void {
  if (!currentWorkbench) return;
  const now = currentWorkbench.currentId();
  const other = now === "" ? [{ id: "", title: currentWorkbench.otherTitle?.() ?? "" }] : [];
  const list = [...other, ...currentWorkbench.examples].map(({ id, title }) => ({ id, title }));
  const key = JSON.stringify(list);
  // An open menu is not rebuilt.
  if (key !== menuKey)
    exampleMenu.replaceChildren(
      ...list.map(({ id, title }) =>
        element("option", { value: id, ...(id === "" ? { disabled: "" } : {}) }, title),
      ),
    );
  menuKey = key;
  exampleMenu.value = now;
}

/** Returns the example that the history entry has stored for a workbench, or null. */
function exampleInHistory(name: WorkbenchName): string | null {
  const { bench, example } = asRecord(history.state);
  return bench === name && typeof example === "string" ? example : null;
}

/** Shows the current example in the menu and stores it in the history entry. */
function updateMenuAndHistory(): void {
  updateMenu();
  const example = currentWorkbench?.currentId();
  if (historyName === null || example === undefined || exampleInHistory(historyName) === example)
    return;
  history.replaceState({ bench: historyName, example }, "");
}

function showPage(name: WorkbenchName): void {
  if (shownName === name) return;
  shownName = name;
  // The title distinguishes the history entries.
  document.title = `${workbenchTitles[name]} · byname playground`;
  for (const one of document.querySelectorAll<HTMLElement>(".bench")) {
    one.hidden = one.dataset["bench"] !== name;
  }
  for (const link of document.querySelectorAll<HTMLElement>(".benches a")) {
    const here = link.getAttribute("href") === `#${name}`;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

onWorkChanged(updateMenuAndHistory);
exampleMenu.addEventListener("change", () => {
  const hash = `#${shownName}/${exampleMenu.value}`;
  // An unchanged hash fires no event, but the user wants to restart the example.
  if (location.hash !== hash) location.hash = hash;
  else {
    history.replaceState(null, "");
    void openAddressedWorkbench();
  }
});
addEventListener("hashchange", () => void openAddressedWorkbench());
setHandoverBases(handoverBases);
wireSchemeButton(byId("scheme"));
measureBottomBar();
listenToShortcuts();
handlePageDrops();
void openAddressedWorkbench();
// The other workbenches load later, so that they are available offline.
setTimeout(() => {
  for (const name of workbenchNames) void Promise.resolve(loaders[name]()).catch(() => {});
  registerServiceWorker();
}, 12_000);
