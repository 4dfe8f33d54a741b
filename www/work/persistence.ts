import { byId } from "../page/element.js";
import { errorText } from "../page/format.js";
import { type Notice, showNotice, showStillLoading } from "../page/notice.js";
import {
  assignTabName,
  type Draft,
  deleteDraft,
  draftOfThisTab,
  latestDraftOfOtherTabs,
  saveDraft,
} from "./drafts.js";
import { handedId, logId } from "./handover.js";
import {
  type BenchName,
  benchNames,
  onWorkChanged,
  type SavedWork,
  textLengthOf,
  type WorkbenchState,
} from "./saved-work.js";
import type { Workbench } from "./workbench.js";

/** Milliseconds between the last change and saving. */
const saveDelay = 400;
/**
 * Length from which a state is not saved again after the storage was full, because that is slow.
 */
const largeTextLength = 500_000;

const shareButton = byId("share") as HTMLButtonElement;
const startOverButton = byId("again") as HTMLButtonElement;

let currentBench: { name: BenchName; bench: Workbench } | null = null;
/** Reasons already reported. */
const reportedReasons = new Set<string>();
/** Length of the last state of a workbench that did not fit into the storage. */
const rejectedLengths = new Map<BenchName, number>();
const openedWorkbenches = new Set<BenchName>();
/** Functions that close the notices about the current workbench. */
const workbenchNotices: (() => void)[] = [];
/** Link in the address whose state is open, or null. */
let openedLink: string | null = null;
const saveTimers = new Map<BenchName, ReturnType<typeof setTimeout>>();
/** Resolves when the drafts of this tab can be distinguished from others. */
export const tabNameAssigned = assignTabName();

/** Sets the workbench that is visible now. */
export function setCurrentWorkbench(name: string, bench: Workbench): void {
  const known = benchNames.find((one) => one === name);
  currentBench = known && bench.state ? { name: known, bench } : null;
  shareButton.hidden = currentBench === null;
  updateStartOverButton();
}

const loadLinkModule = () => import("./link.js");

/** Returns the work of a link, or null after reporting that it is invalid. */
export async function openLink(hash: string): Promise<SavedWork | null> {
  try {
    const { decodeLink } = await loadLinkModule();
    const work = await decodeLink(hash);
    openedLink = hash;
    return work;
  } catch (error) {
    const words = errorText(error);
    showNotice({ text: `${words} The page is unchanged.` });
    return null;
  }
}

/**
 * Returns the state that a workbench opens with: that of the link, or on the first visit the draft
 * of this tab. Any other draft is offered in a notice.
 */
export function stateToOpen(
  name: string,
  next: Workbench,
  example: string,
  linked: WorkbenchState | null,
): WorkbenchState | null {
  // Unsaved changes are saved before leaving.
  if (currentBench && saveTimers.has(currentBench.name)) saveNow(currentBench.name);
  const benchName = benchNames.find((one) => one === name);
  if (currentBench?.name !== benchName) for (const away of workbenchNotices.splice(0)) away();
  if (!benchName) return null;
  const first = !openedWorkbenches.has(benchName);
  openedWorkbenches.add(benchName);
  const mine = draftOfThisTab(benchName);
  if (!first) {
    const replaced = (linked !== null || example !== "") && next.state?.()?.own !== false;
    if (mine && replaced) offerDraft(mine, "Your changes are kept until you make others here.");
    return linked;
  }
  // A new hand-over does not restore the draft of an earlier one, nor does a new log.
  const isNewHandover =
    [handedId, logId].includes(example) && next.examples.some(({ id }) => id === example);
  if (mine && !linked && !isNewHandover && (example === "" || example === mine.work.example)) {
    showWorkbenchNotice({
      text: `Your changes (${describeAge(mine)}) were restored.`,
      actions: [{ label: "Start over", run: startOver }],
      autoClose: true,
    });
    return mine.work;
  }
  const other = mine ?? (linked ? null : latestDraftOfOtherTabs(benchName));
  const origin = mine ? "You have earlier changes here" : "Another tab has changes here";
  if (other) offerDraft(other, `${origin} (${describeAge(other)}).`);
  return linked;
}

function offerDraft({ bench, work }: Draft, text: string): void {
  const open = (): void => {
    if (currentBench?.name !== bench) return;
    currentBench.bench.restore?.(work);
    // The address names an example, which is not open now.
    history.replaceState(history.state, "", `#${bench}`);
  };
  showWorkbenchNotice({ text, actions: [{ label: "Restore", run: open }] });
}

/** Shows a notice that closes when another workbench is opened. */
function showWorkbenchNotice(message: Notice): void {
  workbenchNotices.push(showNotice(message));
}

function describeAge({ time }: Draft): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return `on ${new Date(time).toLocaleString()}`;
}

/** Saves the state of a workbench; reports once if that is not possible. */
function saveNow(name: BenchName): void {
  clearTimeout(saveTimers.get(name));
  saveTimers.delete(name);
  if (currentBench?.name !== name) return;
  const work = currentBench.bench.state?.();
  if (!work) return;
  updateStartOverButton();
  if (work.own) storeDraft(name, work);
}

function storeDraft(name: BenchName, work: WorkbenchState): void {
  const length = textLengthOf(work.parts);
  // A slightly shorter state will not fit either.
  if (length > 0.9 * (rejectedLengths.get(name) ?? Number.POSITIVE_INFINITY)) return;
  try {
    saveDraft(name, work);
    // The state differs from the link now, so a reload must restore the draft. A new link in the
    // address is about to be opened.
    if (location.hash === openedLink) {
      history.replaceState(history.state, "", `#${name}`);
      // The same link can be entered again.
      openedLink = null;
    }
  } catch (error) {
    const full = (error as { name?: string } | null)?.name === "QuotaExceededError";
    const isLarge = full && length > largeTextLength;
    if (isLarge) rejectedLengths.set(name, length);
    reportNotSaved(
      isLarge
        ? "they are too large for the storage of this browser. A reload discards them."
        : `${full ? "the storage of this browser is full" : "this browser does not allow storage"}. Share creates a link instead.`,
    );
  }
}

function reportNotSaved(why: string): void {
  if (!reportedReasons.has(why)) showNotice({ text: `Your changes are not saved: ${why}` });
  reportedReasons.add(why);
}

function updateStartOverButton(): void {
  startOverButton.hidden = currentBench?.bench.state?.()?.own !== true;
}

function startOver(): void {
  if (!currentBench) return;
  const { name, bench } = currentBench;
  const before = bench.state?.();
  deleteDraft(name);
  bench.enter(before?.example ?? "");
  updateStartOverButton();
  if (!before?.own) return;
  const back = (): void => {
    bench.restore?.(before);
    storeDraft(name, before);
  };
  showWorkbenchNotice({
    text: "The example was reset.",
    actions: [{ label: "Restore my changes", run: back }],
  });
}

async function shareLink(): Promise<void> {
  const name = currentBench?.name;
  const work = currentBench?.bench.state?.();
  if (!name || !work) return showStillLoading("Nothing to share");
  const making = createLink({ bench: name, work });
  const [made, copied] = await Promise.allSettled([making, copyText(making)]);
  if (made.status === "rejected") {
    const { reason } = made;
    if (!(reason instanceof LinkTooLongError)) return showStillLoading("Nothing to share");
    showNotice({ text: reason.message });
    return;
  }
  const link = made.value;
  const description = describeLink(link, name, work);
  if (copied.status === "fulfilled") {
    showNotice({ text: `Link copied. ${description}`, autoClose: true });
    return;
  }
  // Without clipboard access the address becomes the link.
  history.replaceState(null, "", link);
  openedLink = location.hash;
  showNotice({
    text: `This browser does not allow copying. The link is in the address bar now: copy it there. ${description}`,
  });
}

class LinkTooLongError extends Error {}

async function createLink(placed: SavedWork): Promise<string> {
  const { encodeLink, MAX_LINK_LENGTH } = await loadLinkModule();
  const link = `${location.href.split("#")[0]}${await encodeLink(placed)}`;
  if (link.length <= MAX_LINK_LENGTH) return link;
  throw new LinkTooLongError(
    `Too large for a link: ${link.length.toLocaleString()} characters, and many programs truncate links longer than ${MAX_LINK_LENGTH.toLocaleString()}. Remove data, or send the texts themselves.`,
  );
}

/**
 * Copies a text that is being created. Safari only allows that during a click, so it gets the
 * promise.
 */
async function copyText(text: Promise<string>): Promise<void> {
  const { clipboard } = navigator;
  if (!("ClipboardItem" in globalThis)) return await clipboard.writeText(await text);
  // Not all browsers accept a promise of a string.
  const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
  await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** Describes the content of a link. */
function describeLink(link: string, bench: BenchName, { parts }: WorkbenchState): string {
  if (bench === "story") return "It asks this question again. It contains no API key.";
  const fieldNote = "input" in parts ? ", and the input of its fields" : "";
  const excluded = {
    surface: "no API key and no password",
    flow: "no API key and no value of a secret input",
    graph: "no API key",
  }[bench];
  return `It has ${link.length.toLocaleString()} characters and contains the state of this workbench${fieldNote}, but ${excluded}.`;
}

onWorkChanged((name, how) => {
  if (how === "loaded") {
    if (currentBench?.name === name) updateStartOverButton();
    return;
  }
  clearTimeout(saveTimers.get(name));
  saveTimers.set(
    name,
    setTimeout(() => saveNow(name), saveDelay),
  );
});
addEventListener("pagehide", () => {
  for (const name of saveTimers.keys()) saveNow(name);
});
shareButton.addEventListener("click", () => void shareLink());
startOverButton.addEventListener("click", startOver);
