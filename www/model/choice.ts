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

let current: ModelChoice = { kind: "scripted" };
const listeners = new Set<(choice: ModelChoice) => void>();

/** Returns the model choice of the page. */
export function currentChoice(): ModelChoice {
  return current;
}

export function setChoice(choice: ModelChoice): void {
  if (current.kind === "file" && current !== choice) void current.local.close();
  current = choice;
  for (const listener of [...listeners]) listener(choice);
}

/** Calls the listener when another model is chosen; returns an unsubscribe function. */
export function onModelChosen(listener: (choice: ModelChoice) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function choiceName(choice: ModelChoice = current): string {
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
  const callback = callbackOf(current) ?? script;
  return { name: choiceName(current), scripted: current.kind === "scripted", callback };
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
