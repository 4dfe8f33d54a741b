import { scripted } from "byname/llm";
import { chosenModel, type Model } from "../model/choice.js";
import type { Example } from "./examples.js";
import { coastTopics } from "./scripted-model.js";

/** Returns the chosen model, or the scripted one with the example's replies. */
export function exampleModel(example: Pick<Example, "script"> | null): Model {
  return chosenModel(scripted({ ...coastTopics, ...example?.script }));
}
