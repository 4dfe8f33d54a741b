import { choiceName, type ModelChoice } from "../model/choice.js";
import { byId } from "../page/element.js";
import { numberPart, type WorkbenchState } from "../work/saved-work.js";

const selectOf = (id: string) => byId(`flow-${id}`) as HTMLSelectElement;

/** Returns the number that is selected in an option of a run. */
export const selectedNumber = (id: "at-once" | "speed"): number => Number(selectOf(id).value);

/** Returns the options as parts of a saved state. */
export const runOptions = () => ({
  atOnce: selectedNumber("at-once"),
  speed: selectedNumber("speed"),
});

/** Selects the options of a saved state. */
export function restoreOptions(saved: WorkbenchState): void {
  for (const [id, part] of [
    ["at-once", "atOnce"],
    ["speed", "speed"],
  ] as const) {
    const select = selectOf(id);
    const value = String(numberPart(saved, part, Number(select.value)));
    if ([...select.options].some((option) => option.value === value)) select.value = value;
  }
}

/** Describes the effect of a chosen model. */
export function describeChoice({ kind }: ModelChoice): string {
  return kind === "scripted"
    ? "The example's script is used."
    : `${choiceName()} is used in the next run.`;
}
