import { codeOf } from "./code/copy.js";
import { listenToDrops } from "./model/file-drop.js";
import { measureBars } from "./page/bottom-bar.js";
import { schemeSwitch } from "./page/colour-scheme.js";
import { byId, element } from "./page/element.js";
import { wanted } from "./page/load-script.js";
import { notice } from "./page/notice.js";
import { keepOffline } from "./page/offline.js";
import { listenToKeys } from "./page/shortcuts.js";
import { handoverBases } from "./story/handover-examples.js";
import { storyBench } from "./story/workbench.js";
import { setHandoverBases } from "./work/handover.js";
import { nowShown, openLink, ready, workFor } from "./work/persistence.js";
import { isLink, onWork, type Placed, record } from "./work/saved-work.js";
import type { Bench } from "./work/workbench.js";

const menu = byId("examples") as HTMLSelectElement;
/** What is about the workbench in sight. */
const ofBench = [menu, ...["share", "code", "again"].map((id) => byId(id) as HTMLButtonElement)];

const names = ["story", "surface", "graph", "flow"] as const;
type Name = (typeof names)[number];
const titles = { story: "Story", surface: "Surface", graph: "Graph", flow: "Flow" } as const;
let shown: Name | null = null;
let bench: Bench | null = null;
let turn = 0;
/** What stands in the menu. */
let listed = "";
/** The workbench that the entry of the history is of, once it has been entered, and those that ever were. */
let here: Name | null = null;
/** The workbench that `bench` is. */
let entered: Name | null = null;
const visited = new Set<Name>();
/** Takes away that a workbench did not load. */
let away: (() => void) | null = null;

/** The code of a workbench is loaded when it is first looked at. */
const benches: { readonly [name in Name]: () => Bench | Promise<Bench> } = {
  story: () => storyBench,
  surface: async () => (await import("./surface/workbench.js")).surfaceBench,
  graph: async () => (await import("./graph/workbench.js")).graphBench,
  flow: async () => (await import("./flow/workbench.js")).flowBench,
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
  show("surface");
  try {
    const { examples } = await import("./surface/examples/index.js");
    if (!examples.some(({ id }) => id === first)) return { name: "story", id: "", known: false };
  } catch {
    // Without a network it may be an example; that it did not load is told when the workbench is opened.
  }
  return { name: "surface", id: first, known: true };
}

async function go(): Promise<void> {
  turn += 1;
  const mine = turn;
  here = null;
  let linked: Placed | null = null;
  if (isLink(location.hash)) {
    linked = await openLink(location.hash);
    if (mine !== turn) return;
    if (!linked) {
      // What is here stays, and the address is of that again.
      history.replaceState(null, "", shown === null ? location.pathname : `#${shown}`);
      if (bench) return;
    }
  }
  const to = linked ? { name: linked.bench, id: linked.work.example, known: true } : await route();
  if (mine !== turn) return;
  const { name } = to;
  if (!to.known) {
    notice({ words: `There is nothing at “${location.hash}”. This is the story.` });
    history.replaceState(null, "", "#story");
  }
  show(name);
  if (bench && entered !== name) offerNothing();
  let next: Bench;
  away?.();
  try {
    next = await wanted(benches[name]);
    await ready;
  } catch (error) {
    if (mine !== turn) return;
    const fault = error instanceof Error ? error.message : String(error);
    const words = navigator.onLine ? fault : "there is no network";
    away = notice({
      words: `This workbench did not load: ${words}.`,
      actions: [{ label: "Try again", run: () => void go() }],
    });
    return;
  }
  // Somebody has gone on to another one meanwhile.
  if (mine !== turn) return;
  const stood = linked ? null : stoodHere(name);
  const stays = stood !== null && visited.has(name) && stood === next.now();
  const id = stays ? "" : to.id || (stood ?? "");
  const work = workFor(name, next, id, linked?.work ?? null);
  if (bench !== next) bench?.leave();
  bench = next;
  visited.add(name);
  here = name;
  entered = name;
  for (const one of ofBench) one.disabled = false;
  next.enter(id, work ?? undefined);
  showWhatStands();
  nowShown(name, next);
  codeOf(next);
}

/** The menu and the buttons beside it are still about the workbench before. */
function offerNothing(): void {
  for (const one of ofBench) one.disabled = true;
  menu.selectedIndex = -1;
}

/** Every example of the workbench in sight can be chosen in the menu. */
function showMenu(): void {
  if (!bench) return;
  const now = bench.now();
  const other = now === "" ? [{ id: "", title: bench.other?.() ?? "" }] : [];
  const list = [...other, ...bench.examples].map(({ id, title }) => ({ id, title }));
  const key = JSON.stringify(list);
  // Whoever has it open goes on choosing from what stands in it.
  if (key !== listed)
    menu.replaceChildren(
      ...list.map(({ id, title }) =>
        element("option", { value: id, ...(id === "" ? { disabled: "" } : {}) }, title),
      ),
    );
  listed = key;
  menu.value = now;
}

/** What stood in a workbench when somebody left this entry of the history, or its page; nothing in a new one. */
function stoodHere(name: Name): string | null {
  const { bench, example } = record(history.state);
  return bench === name && typeof example === "string" ? example : null;
}

/** The menu names what stands in the workbench in sight, and so does the entry of the history, for whoever comes back. */
function showWhatStands(): void {
  showMenu();
  const example = bench?.now();
  if (here === null || example === undefined || stoodHere(here) === example) return;
  history.replaceState({ bench: here, example }, "");
}

function show(name: Name): void {
  if (shown === name) return;
  shown = name;
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

onWork(showWhatStands);
menu.addEventListener("change", () => {
  const hash = `#${shown}/${menu.value}`;
  // The same address again is no change of it, and still a wish to begin anew.
  if (location.hash !== hash) location.hash = hash;
  else {
    history.replaceState(null, "");
    void go();
  }
});
addEventListener("hashchange", () => void go());
setHandoverBases(handoverBases);
schemeSwitch(byId("scheme"));
measureBars();
listenToKeys();
listenToDrops();
void go();
// The others come once the story has told its first answer, so that they are there without a network.
setTimeout(() => {
  for (const name of names) void Promise.resolve(benches[name]()).catch(() => {});
  keepOffline();
}, 12_000);
