import { button, byId, element } from "../page/element.js";
import { setEnabled } from "../page/focus.js";
import { formatCount, formatTime, wasmBytes } from "../page/format.js";
import { tone } from "./inspector.js";
import type { Player } from "./player.js";
import type { Frame } from "./run.js";

export const control = (id: string) => byId(`graph-${id}`) as HTMLButtonElement;

/** Updates the buttons and the steps of a run. */
export function showControlBar(player: Player, hasUnsavedText: boolean): void {
  const { at, playing, more } = player;
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

/** Renders the steps as buttons, scrolled to the current one. */
function showSteps(player: Player): void {
  const strip = byId("graph-steps");
  const focused = strip.contains(document.activeElement);
  strip.replaceChildren(
    ...player.frames.map((frame, index) => element("li", {}, stepButton(player, frame, index))),
  );
  const current = strip.querySelector<HTMLElement>("[aria-current]");
  if (focused) current?.focus();
  // Before scrolling, because the numbers change the width of the strip.
  showNumbers(player.frames[player.at]);
  if (current) strip.scrollLeft = current.offsetLeft - strip.clientWidth / 2;
}

function stepButton(player: Player, frame: Frame, index: number): HTMLElement {
  const { at } = player;
  const state = index === at ? "now" : index <= at ? "done" : "later";
  const commandText = frame.record ? frame.record.command : frame.title;
  const label = `${index + 1}. ${commandText.length > 80 ? `${commandText.slice(0, 80)}…` : commandText}`;
  const outcome = frame.kind === "step" ? `, ${frame.status.replace("_", " ")}` : "";
  const attributes = {
    class: `step ${state} ${tone(frame.status)} ${frame.kind}`,
    "aria-label": label + outcome,
    title: label + outcome,
  };
  const dot = button("", attributes, () => player.goTo(index));
  if (index === at) dot.setAttribute("aria-current", "step");
  return dot;
}

function showNumbers(frame: Frame | undefined): void {
  const bytes = wasmBytes();
  const parts = [
    ...(frame?.time == null ? [] : [formatTime(frame.time)]),
    ...(frame?.result?.total == null ? [] : [formatCount(frame.result.total, "row")]),
    ...(frame && frame.exchanges > 0 ? [formatCount(frame.exchanges, "model call")] : []),
    ...(bytes > 0 ? [`wasm ${Math.round(bytes / 1000).toLocaleString()} kB`] : []),
  ];
  byId("graph-numbers").replaceChildren(...parts.map((part) => element("span", {}, part)));
}
