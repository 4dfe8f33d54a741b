import { scripted } from "byname/llm";
import { choiceName, chosenModel, type Model, type ModelChoice } from "../model/choice.js";
import type { Example } from "./examples.js";
import { coastTopics } from "./scripted-model.js";

/** Returns the chosen model, or the scripted one with the example's replies. */
export function exampleModel(example: Pick<Example, "script"> | null): Model {
  return chosenModel(scripted({ ...coastTopics, ...example?.script }));
}

/** Describes the effect of a chosen model. */
export function describeChoice(kind: ModelChoice["kind"]): string {
  if (kind === "scripted") return "The example's script is used.";
  return `${choiceName()} answers the next questions.`;
}
