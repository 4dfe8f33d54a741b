import type { Model } from "../model/choice.js";
import { button } from "../page/element.js";
import type { Player } from "./player.js";

/**
 * Returns a button that resumes the plan if it was interrupted and the last step is shown. The model
 * is that of the time when it is pressed.
 */
export function resumeOffer(player: Player, model: () => Model): (Node | string)[] {
  const { run, at, frames } = player;
  if (!run?.isInterrupted || at < frames.length - 1) return [];
  const resume = (): void => {
    void run.resume(model());
    void player.end();
  };
  return [" This plan was interrupted. ", button("Resume", { class: "small" }, resume)];
}
