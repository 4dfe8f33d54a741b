import { byId } from "../page/element.js";
import { type Notice, notice, notYet } from "../page/notice.js";
import { type Draft, forget, keep, kept, keptElsewhere, nameTab } from "./drafts.js";
import { handedId } from "./handover.js";
import {
  type BenchName,
  benchNames,
  isLink,
  lengthOf,
  onWork,
  type Placed,
  type Work,
} from "./saved-work.js";
import type { Bench } from "./workbench.js";

/** What is written is kept so long after the last key, in milliseconds. */
const rest = 400;
/** A work with longer texts takes a while to be written out: where there is no room for it, it is not tried again. */
const large = 500_000;

const shareButton = byId("share") as HTMLButtonElement;
const againButton = byId("again") as HTMLButtonElement;

let shown: { name: BenchName; bench: Bench } | null = null;
/** What was told about what is not kept: each once. */
const told = new Set<string>();
/** How long the last work of a workbench was that was too large for the storage. */
const tooLarge = new Map<BenchName, number>();
const offered = new Set<BenchName>();
/** What takes away each message that is about the workbench in sight. */
const about: (() => void)[] = [];
const waiting = new Map<BenchName, ReturnType<typeof setTimeout>>();
/** What this tab has kept can be told from what others have. */
export const ready = nameTab();

/** A workbench has come into sight. */
export function nowShown(name: string, bench: Bench): void {
  const known = benchNames.find((one) => one === name);
  shown = known && bench.work ? { name: known, bench } : null;
  shareButton.hidden = shown === null;
  showAgain();
}

/** What makes links and reads them comes when the first one is. */
const links = () => import("./link.js");

/** The work in an address; nothing where it cannot be read, which is told. */
export async function openLink(hash: string): Promise<Placed | null> {
  try {
    const { readLink } = await links();
    return await readLink(hash);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    notice({ words: `${words} What was here is still here.` });
    return null;
  }
}

/**
 * What a workbench opens with: what is in the link; else, the first time, what this tab has written there. What
 * is not opened is offered: what another tab has written, or this one in another example or before the link.
 */
export function workFor(
  name: string,
  next: Bench,
  example: string,
  linked: Work | null,
): Work | null {
  // What is written last stays somebody's, wherever they go.
  if (shown && waiting.has(shown.name)) save(shown.name);
  const bench = benchNames.find((one) => one === name);
  if (shown?.name !== bench) for (const away of about.splice(0)) away();
  if (!bench) return null;
  const first = !offered.has(bench);
  offered.add(bench);
  const mine = kept(bench);
  if (!first) {
    const replaced = (linked !== null || example !== "") && next.work?.()?.own !== false;
    if (mine && replaced)
      offer(mine, "What you wrote is kept until you write something else here.");
    return linked;
  }
  // What was handed over just now is not what somebody wrote over before.
  const fresh = example === handedId && next.examples.some(({ id }) => id === example);
  if (mine && !linked && !fresh && (example === "" || example === mine.work.example)) {
    aboutThis({
      words: `What you wrote ${ago(mine)} is back.`,
      actions: [{ label: "Start over", run: startOver }],
      brief: true,
    });
    return mine.work;
  }
  const other = mine ?? (linked ? null : keptElsewhere(bench));
  const who = mine ? "You wrote something here before" : "Another tab wrote something here";
  if (other) offer(other, `${who}, ${ago(other)}.`);
  return linked;
}

function offer({ bench, work }: Draft, words: string): void {
  const open = (): void => {
    if (shown?.name !== bench) return;
    shown.bench.restore?.(work);
    // The example in the address is not what stands here now.
    history.replaceState(history.state, "", `#${bench}`);
  };
  aboutThis({ words, actions: [{ label: "Bring it back", run: open }] });
}

/** Says something that nobody needs in another workbench. */
function aboutThis(message: Notice): void {
  about.push(notice(message));
}

function ago({ time }: Draft): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return `on ${new Date(time).toLocaleString()}`;
}

/** Keeps what stands in a workbench; says once where that cannot be done. */
function save(name: BenchName): void {
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  if (shown?.name !== name) return;
  const work = shown.bench.work?.();
  if (!work) return;
  showAgain();
  if (work.own) hold(name, work);
}

function hold(name: BenchName, work: Work): void {
  const length = lengthOf(work.parts);
  // A few letters less make no room.
  if (length > 0.9 * (tooLarge.get(name) ?? Number.POSITIVE_INFINITY)) return;
  try {
    keep(name, work);
    // From here on it is not what the link holds, and a reload shall bring it back.
    if (isLink(location.hash)) history.replaceState(history.state, "", `#${name}`);
  } catch (error) {
    const full = (error as { name?: string } | null)?.name === "QuotaExceededError";
    const isLarge = full && length > large;
    if (isLarge) tooLarge.set(name, length);
    sayNotKept(
      isLarge
        ? "it is too large for the storage of this browser. Everything works; a reload begins without it."
        : `${full ? "the storage of this browser is full" : "this browser keeps nothing of this page"}. Everything works; Share makes a link of it.`,
    );
  }
}

function sayNotKept(why: string): void {
  if (!told.has(why)) notice({ words: `What you write is not kept: ${why}` });
  told.add(why);
}

function showAgain(): void {
  againButton.hidden = shown?.bench.work?.()?.own !== true;
}

function startOver(): void {
  if (!shown) return;
  const { name, bench } = shown;
  const before = bench.work?.();
  forget(name);
  bench.enter(before?.example ?? "");
  showAgain();
  if (!before?.own) return;
  const back = (): void => {
    bench.restore?.(before);
    hold(name, before);
  };
  aboutThis({
    words: "The example is as it was.",
    actions: [{ label: "Back to what I wrote", run: back }],
  });
}

async function share(): Promise<void> {
  const name = shown?.name;
  const work = shown?.bench.work?.();
  if (!name || !work) return notYet("There is nothing to share");
  const making = addressOf({ bench: name, work });
  const [made, copied] = await Promise.allSettled([making, copy(making)]);
  if (made.status === "rejected") {
    const { reason } = made;
    if (!(reason instanceof TooLong)) return notYet("There is nothing to share");
    notice({ words: reason.message });
    return;
  }
  const link = made.value;
  const held = heldIn(link, name, work);
  if (copied.status === "fulfilled") {
    notice({ words: `The link is copied. ${held}`, brief: true });
    return;
  }
  // Without the clipboard the address itself is the link.
  history.replaceState(null, "", link);
  notice({
    words: `This browser does not let the page copy. The link stands in the address now: copy it there. ${held}`,
  });
}

/** What stands here is too much for a link. */
class TooLong extends Error {}

async function addressOf(placed: Placed): Promise<string> {
  const { linkOf, longest } = await links();
  const link = `${location.href.split("#")[0]}${await linkOf(placed)}`;
  if (link.length <= longest) return link;
  throw new TooLong(
    `This is too much for a link: ${link.length.toLocaleString()} characters, and what carries links cuts them beyond ${longest.toLocaleString()}. Take out data, or send the texts themselves.`,
  );
}

/** Copies a text that is being made. Safari lets a page copy while it answers a press and not later, so it gets the promise. */
async function copy(text: Promise<string>): Promise<void> {
  const { clipboard } = navigator;
  if (!("ClipboardItem" in globalThis)) return await clipboard.writeText(await text);
  // Not every browser takes a promise of a string.
  const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
  await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** What whoever gets a link gets with it, and what not. */
function heldIn(link: string, bench: BenchName, { parts }: Work): string {
  if (bench === "story") return "It asks this question again. No key of a model is in it.";
  const typed = "input" in parts ? ", and what was typed into its fields" : "";
  const not =
    bench === "surface"
      ? "no key of a model and nothing from a password field"
      : "no key of a model";
  return `It has ${link.length.toLocaleString()} characters, which hold everything that stands here${typed}, but ${not}.`;
}

onWork((name, how) => {
  if (how === "brought") {
    if (shown?.name === name) showAgain();
    return;
  }
  clearTimeout(waiting.get(name));
  waiting.set(
    name,
    setTimeout(() => save(name), rest),
  );
});
// What is written in the last moment is kept too.
addEventListener("pagehide", () => {
  for (const name of waiting.keys()) save(name);
});
shareButton.addEventListener("click", () => void share());
againButton.addEventListener("click", startOver);
