import { button, byId, element } from "../element.js";
import { count, milliseconds, wasmBytes } from "../words.js";
import type { Player } from "./player.js";
import type { Frame } from "./run.js";
import { tone } from "./why.js";

/** The steps of a run as a strip of buttons, with the one that is shown in the middle. */
export function showSteps(player: Player): void {
  const strip = byId("graph-steps");
  const focused = strip.contains(document.activeElement);
  strip.replaceChildren(
    ...player.frames.map((frame, index) => element("li", {}, dotOf(player, frame, index))),
  );
  const current = strip.querySelector<HTMLElement>("[aria-current]");
  if (focused) current?.focus();
  // The numbers take of the width of the strip.
  showNumbers(player.frames[player.at]);
  if (current) strip.scrollLeft = current.offsetLeft - strip.clientWidth / 2;
}

function dotOf(player: Player, frame: Frame, index: number): HTMLElement {
  const { at } = player;
  const state = index === at ? "now" : index <= at ? "done" : "later";
  const words = frame.record ? frame.record.command : frame.title;
  const label = `${index + 1}. ${words.length > 80 ? `${words.slice(0, 80)}…` : words}`;
  const ended = frame.kind === "step" ? `, ${frame.status.replace("_", " ")}` : "";
  const told = {
    class: `step ${state} ${tone(frame.status)} ${frame.kind}`,
    "aria-label": label + ended,
    title: label + ended,
  };
  const dot = button("", told, () => player.goTo(index));
  if (index === at) dot.setAttribute("aria-current", "step");
  return dot;
}

/** Every number is of what just happened here. */
function showNumbers(frame: Frame | undefined): void {
  const bytes = wasmBytes();
  const parts = [
    ...(frame?.time == null ? [] : [milliseconds(frame.time)]),
    ...(frame?.result?.total == null ? [] : [count(frame.result.total, "row")]),
    ...(frame && frame.exchanges > 0 ? [count(frame.exchanges, "model call")] : []),
    ...(bytes > 0 ? [`wasm ${Math.round(bytes / 1000).toLocaleString()} kB`] : []),
  ];
  byId("graph-numbers").replaceChildren(...parts.map((part) => element("span", {}, part)));
}
