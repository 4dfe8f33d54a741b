import { setProgramSource } from "./code/copy.js";
import { handlePageDrops } from "./model/file-drop.js";
import { measureBottomBar } from "./page/bottom-bar.js";
import { wireSchemeButton } from "./page/colour-scheme.js";
import { byId, element } from "./page/element.js";
import { loadOrReload } from "./page/load-script.js";
import { showNotice } from "./page/notice.js";
import { registerServiceWorker } from "./page/offline.js";
import { listenToShortcuts } from "./page/shortcuts.js";
import { handoverBases } from "./story/handover-examples.js";
import { storyWorkbench } from "./story/workbench.js";
import { setHandoverBases } from "./work/handover.js";
import { openLink, setCurrentWorkbench, stateToOpen, tabNameAssigned } from "./work/persistence.js";
import { asRecord, isLink, onWorkChanged, type SavedWork } from "./work/saved-work.js";
import type { Workbench } from "./work/workbench.js";

const menu = byId("examples") as HTMLSelectElement;
/** What is about the workbench in sight. */
const workbenchControls = [
  menu,
  ...["share", "code", "again"].map((id) => byId(id) as HTMLButtonElement),
];

const names = ["story", "surface", "graph", "flow"] as const;
type Name = (typeof names)[number];
const titles = { story: "Story", surface: "Surface", graph: "Graph", flow: "Flow" } as const;
let shownName: Name | null = null;
let workbench: Workbench | null = null;
let navigationId = 0;
/** What stands in the menu. */
let menuKey = "";
/** The workbench that the entry of the history is of, once it has been entered, and those that ever were. */
let historyName: Name | null = null;
/** The workbench that `bench` is. */
let workbenchName: Name | null = null;
const visited = new Set<Name>();
/** Takes away that a workbench did not load. */
let closeLoadError: (() => void) | null = null;

/** The code of a workbench is loaded when it is first looked at. */
const loaders: { readonly [name in Name]: () => Workbench | Promise<Workbench> } = {
  story: () => storyWorkbench,
  surface: async () => (await import("./surface/workbench.js")).surfaceWorkbench,
  graph: async () => (await import("./graph/workbench.js")).graphWorkbench,
  flow: async () => (await import("./flow/workbench.js")).flowWorkbench,
};

/**
 * `#graph/paths` is an example of a workbench; a bare `#team` is one of the surface; nothing is the story, and so
 * is what nobody knows.
 */
async function route(): Promise<{ name: Name; id: string; known: boolean }> {
  const [first = "", second = ""] = location.hash.slice(1).split("/");
  const name = names.find((one) => one === first);
  if (name || first === "") return { name: name ?? "story", id: second, known: true };
  // Most likely it is one: the story is not to flash up before it is known.
  showPage("surface");
  try {
    const { examples } = await import("./surface/examples/index.js");
    if (!examples.some(({ id }) => id === first)) return { name: "story", id: "", known: false };
  } catch {
    // Without a network it may be an example; that it did not load is told when the workbench is opened.
  }
  return { name: "surface", id: first, known: true };
}

async function navigate(): Promise<void> {
  navigationId += 1;
  const mine = navigationId;
  historyName = null;
  let linked: SavedWork | null = null;
  if (isLink(location.hash)) {
    linked = await openLink(location.hash);
    if (mine !== navigationId) return;
    if (!linked) {
      // What is here stays, and the address is of that again.
      history.replaceState(null, "", shownName === null ? location.pathname : `#${shownName}`);
      if (workbench) return;
    }
  }
  const to = linked ? { name: linked.bench, id: linked.work.example, known: true } : await route();
  if (mine !== navigationId) return;
  const { name } = to;
  if (!to.known) {
    showNotice({ text: `There is nothing at “${location.hash}”. This is the story.` });
    history.replaceState(null, "", "#story");
  }
  showPage(name);
  if (workbench && workbenchName !== name) disableControls();
  let next: Workbench;
  closeLoadError?.();
  try {
    next = await loadOrReload(loaders[name]);
    await tabNameAssigned;
  } catch (error) {
    if (mine !== navigationId) return;
    const fault = error instanceof Error ? error.message : String(error);
    const words = navigator.onLine ? fault : "there is no network";
    closeLoadError = showNotice({
      text: `This workbench did not load: ${words}.`,
      actions: [{ label: "Try again", run: () => void navigate() }],
    });
    return;
  }
  // Somebody has gone on to another one meanwhile.
  if (mine !== navigationId) return;
  const stood = linked ? null : exampleInHistory(name);
  const stays = stood !== null && visited.has(name) && stood === next.currentId();
  const id = stays ? "" : to.id || (stood ?? "");
  const work = stateToOpen(name, next, id, linked?.work ?? null);
  if (workbench !== next) workbench?.leave();
  workbench = next;
  visited.add(name);
  historyName = name;
  workbenchName = name;
  for (const one of workbenchControls) one.disabled = false;
  next.enter(id, work ?? undefined);
  updateMenuAndHistory();
  setCurrentWorkbench(name, next);
  setProgramSource(next);
}

/** The menu and the buttons beside it are still about the workbench before. */
function disableControls(): void {
  for (const one of workbenchControls) one.disabled = true;
  menu.selectedIndex = -1;
}

/** Every example of the workbench in sight can be chosen in the menu. */
function updateMenu(): void {
  if (!workbench) return;
  const now = workbench.currentId();
  const other = now === "" ? [{ id: "", title: workbench.otherTitle?.() ?? "" }] : [];
  const list = [...other, ...workbench.examples].map(({ id, title }) => ({ id, title }));
  const key = JSON.stringify(list);
  // Whoever has it open goes on choosing from what stands in it.
  if (key !== menuKey)
    menu.replaceChildren(
      ...list.map(({ id, title }) =>
        element("option", { value: id, ...(id === "" ? { disabled: "" } : {}) }, title),
      ),
    );
  menuKey = key;
  menu.value = now;
}

/** What stood in a workbench when somebody left this entry of the history, or its page; nothing in a new one. */
function exampleInHistory(name: Name): string | null {
  const { bench, example } = asRecord(history.state);
  return bench === name && typeof example === "string" ? example : null;
}

/** The menu names what stands in the workbench in sight, and so does the entry of the history, for whoever comes back. */
function updateMenuAndHistory(): void {
  updateMenu();
  const example = workbench?.currentId();
  if (historyName === null || example === undefined || exampleInHistory(historyName) === example)
    return;
  history.replaceState({ bench: historyName, example }, "");
}

function showPage(name: Name): void {
  if (shownName === name) return;
  shownName = name;
  // The list of what was visited tells one from the other.
  document.title = `${titles[name]} · byname playground`;
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
menu.addEventListener("change", () => {
  const hash = `#${shownName}/${menu.value}`;
  // The same address again is no change of it, and still a wish to begin anew.
  if (location.hash !== hash) location.hash = hash;
  else {
    history.replaceState(null, "");
    void navigate();
  }
});
addEventListener("hashchange", () => void navigate());
setHandoverBases(handoverBases);
wireSchemeButton(byId("scheme"));
measureBottomBar();
listenToShortcuts();
handlePageDrops();
void navigate();
// The others come once the story has told its first answer, so that they are there without a network.
setTimeout(() => {
  for (const name of names) void Promise.resolve(loaders[name]()).catch(() => {});
  registerServiceWorker();
}, 12_000);
