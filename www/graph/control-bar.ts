import { showMeasurements, stepItem, wasmSize } from "../page/control-bar.js";
import { byId } from "../page/element.js";
import { setEnabled } from "../page/focus.js";
import { formatCount, formatMilliseconds, truncate } from "../page/format.js";
import { toneOfStatus } from "./inspector.js";
import type { Player } from "./player.js";
import type { Frame } from "./run.js";

export const control = (id: string) => byId(`graph-${id}`) as HTMLButtonElement;

/** Updates the buttons and the steps of a run. */
export function showControlBar(player: Player, hasUnsavedText: boolean): void {
  const { at, playing, hasMore: more } = player;
  const idle = player.run === null;
  control("play").textContent = playing
    ? "Pause"
    : more || idle || hasUnsavedText
      ? "Play"
      : "Play again";
  control("play").disabled = idle;
  setEnabled(control("back"), at > 0, control("play"));
  setEnabled(control("next"), more || hasUnsavedText, control("play"));
  setEnabled(control("end"), more, control("play"));
  control("on").hidden = !hasUnsavedText || at < 0;
  showSteps(player);
}

/** Parts of the workbench that the buttons need. */
export interface PlayerActions {
  /** Runs the text from the start, or on the state of the current step. */
  run(fromCurrentStep: boolean, how?: "next"): void;
  /** Whether the user has edited the text. */
  isEdited(): boolean;
  /** Called when the user continues the run. */
  continued(): void;
}

/** Makes the buttons step through the run, or run an edited text. */
export function wirePlayer(player: Player, { run, isEdited, continued }: PlayerActions): void {
  const onClick = (id: string, act: () => void): void =>
    control(id).addEventListener("click", () => {
      if (["play", "next", "end"].includes(id)) continued();
      act();
    });
  onClick("play", () => {
    if (player.playing) player.pause();
    else if (isEdited()) run(false);
    else void player.play();
  });
  onClick("back", () => player.goTo(Math.max(0, player.at - 1)));
  onClick("next", () => {
    if (isEdited()) run(false, "next");
    else void player.next();
  });
  onClick("end", () => void player.end());
  onClick("run", () => run(false));
  onClick("on", () => run(true));
}

/** Renders the steps as buttons, scrolled to the current one. */
function showSteps(player: Player): void {
  const strip = byId("graph-steps");
  const focused = strip.contains(document.activeElement);
  strip.replaceChildren(...player.frames.map((frame, index) => renderStep(player, frame, index)));
  const current = strip.querySelector<HTMLElement>("[aria-current]");
  if (focused) current?.focus();
  // Before scrolling, because the numbers change the width of the strip.
  showNumbers(player.frames[player.at]);
  if (current) strip.scrollLeft = current.offsetLeft - strip.clientWidth / 2;
}

function renderStep(player: Player, frame: Frame, index: number): HTMLElement {
  const { at } = player;
  const state = index === at ? "now" : index <= at ? "done" : "later";
  const command = truncate(frame.record ? frame.record.command : frame.title, 80);
  const outcome = frame.kind === "step" ? `, ${frame.status.replace("_", " ")}` : "";
  return stepItem(
    `${state} ${toneOfStatus(frame.status)} ${frame.kind}`,
    `${index + 1}. ${command}${outcome}`,
    index === at,
    () => player.goTo(index),
  );
}

function showNumbers(frame: Frame | undefined): void {
  showMeasurements(byId("graph-numbers"), [
    ...(frame?.time == null ? [] : [formatMilliseconds(frame.time)]),
    ...(frame?.result?.total == null ? [] : [formatCount(frame.result.total, "row")]),
    ...(frame && frame.exchanges > 0 ? [formatCount(frame.exchanges, "model call")] : []),
    ...wasmSize(),
  ]);
}
