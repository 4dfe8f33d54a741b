import { textPart, type WorkbenchState } from "../work/saved-work.js";
import type { TextEditors } from "./text-editors.js";

type Texts = Partial<TextEditors["all"]>;

/** Returns the texts of a saved state; those that it does not contain are missing. */
export function savedTexts(saved: WorkbenchState): Texts {
  const texts: Texts = {};
  for (const [name, part] of [
    ["workflow", "workflow"],
    ["registry", "types"],
    ["inputs", "inputs"],
  ] as const) {
    const text = textPart(saved, part);
    if (text !== null) texts[name] = text;
  }
  return texts;
}

/** Shows texts in their editors. */
export function setTexts(editors: TextEditors, { workflow, registry, inputs }: Texts): void {
  if (workflow !== undefined) editors.setText("workflow", workflow);
  if (registry !== undefined) editors.setText("registry", registry);
  if (inputs !== undefined) editors.setText("inputs", inputs);
}
