import type { LlmCallback } from "byname/llm";
import type { LocalModel } from "./local.js";

/** Chosen model. An API key is stored in memory only. */
export type ModelChoice =
  | { kind: "scripted" }
  | { kind: "openai"; baseUrl: string; model: string; apiKey: string; callback: LlmCallback }
  | { kind: "chrome"; callback: LlmCallback }
  | { kind: "file"; name: string; local: LocalModel };

export interface Model {
  name: string;
  scripted: boolean;
  callback: LlmCallback;
  /** Requests that a script answered instead, by id, with the error of the model. */
  fallbackReasons?: ReadonlyMap<string, string>;
}

let chosen: ModelChoice = { kind: "scripted" };
const choiceListeners = new Set<(choice: ModelChoice) => void>();

/** Returns the model choice of the page. */
export function currentChoice(): ModelChoice {
  return chosen;
}

export function setChoice(choice: ModelChoice): void {
  if (chosen.kind === "file" && chosen !== choice) void chosen.local.close();
  chosen = choice;
  for (const listener of [...choiceListeners]) listener(choice);
}

/** Calls the listener when another model is chosen; returns an unsubscribe function. */
export function onModelChosen(listener: (choice: ModelChoice) => void): () => void {
  choiceListeners.add(listener);
  return () => choiceListeners.delete(listener);
}

export function choiceName(choice: ModelChoice = chosen): string {
  switch (choice.kind) {
    case "openai":
      return choice.model;
    case "chrome":
      return "Chrome";
    case "file":
      return choice.name;
    case "scripted":
      return "scripted";
  }
}

/** Returns the chosen model, or the caller's script if none is chosen. */
export function chosenModel(script: LlmCallback): Model {
  const callback = callbackOf(chosen) ?? script;
  return { name: choiceName(chosen), scripted: chosen.kind === "scripted", callback };
}

function callbackOf(choice: ModelChoice): LlmCallback | null {
  switch (choice.kind) {
    case "openai":
    case "chrome":
      return choice.callback;
    case "file":
      return choice.local.callback;
    case "scripted":
      return null;
  }
}
