import { scripted } from "byname/llm";
import { chosenModel, type Model } from "../model/choice.js";
import type { Example } from "./examples.js";
import { coastTopics } from "./scripted-model.js";

/** The model of a run; the scripted one says what the example tells it. */
export function exampleModel(example: Pick<Example, "script"> | null): Model {
  return chosenModel(scripted({ ...coastTopics, ...example?.script }));
}
