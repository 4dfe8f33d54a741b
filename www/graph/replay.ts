import type { Player } from "./player.js";
import type { RunEntry } from "./run-history.js";

/** Parts of the workbench that a replay needs. */
export interface ReplayHost {
  readonly player: Player;
  /** Whether the user has edited the text. */
  isEdited(): boolean;
  /** Runs a text from the start, or on the state of the current step. */
  run(text: string, fromCurrentStep: boolean): void;
  restoreText(text: string | null): void;
  setStatus(title: string, words: string): void;
}

/** Replays the saved runs up to the saved step, or until a real model would be asked. */
export async function replayRuns(
  { player, ...host }: ReplayHost,
  runs: readonly RunEntry[],
  text: string | null,
  at: number,
): Promise<void> {
  for (const one of runs) {
    const { run } = player;
    if (one.from >= 0) await player.goToWhenReached(one.from);
    // The user has started something else.
    if (run !== player.run || host.isEdited()) return;
    if (player.at < one.from) {
      host.setStatus(...notAsked("Press Ask to ask it."));
      host.restoreText(text ?? runs.at(-1)?.text ?? null);
      return;
    }
    host.run(one.text, one.from >= 0);
  }
  host.restoreText(text);
  if (at < 0) return;
  const { run } = player;
  await player.goToWhenReached(at);
  if (run === player.run && !run?.done && player.at < at && !host.isEdited())
    host.setStatus(...notAsked("Press Play to ask it."));
}

/** Title and note of a model that is not asked without a click, because it may cost money. */
export function notAsked(how: string): [title: string, words: string] {
  return ["Not asked again", `Replies of a model are not saved. ${how}`];
}
