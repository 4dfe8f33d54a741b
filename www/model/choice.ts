import type { LlmCallback } from "byname/llm";
import type { LocalModel } from "./local.js";

/** What was chosen. A key is held here and nowhere else, and is gone with the page. */
export type ModelChoice =
  | { kind: "scripted" }
  | { kind: "openai"; baseUrl: string; model: string; apiKey: string; callback: LlmCallback }
  | { kind: "chrome"; callback: LlmCallback }
  | { kind: "file"; name: string; local: LocalModel };

/** What answers, and what it is called. */
export interface Model {
  name: string;
  scripted: boolean;
  callback: LlmCallback;
  /** Where a script stood in for it, by what it was asked, with what was wrong with its own reply. */
  fallbackReasons?: ReadonlyMap<string, string>;
}

let current: ModelChoice = { kind: "scripted" };
const listeners = new Set<(choice: ModelChoice) => void>();

/** Who answers in the whole page. */
export function currentChoice(): ModelChoice {
  return current;
}

export function setChoice(choice: ModelChoice): void {
  if (current.kind === "file" && current !== choice) void current.local.close();
  current = choice;
  for (const listener of [...listeners]) listener(choice);
}

/** Calls the listener when somebody else is to answer; answers what ends that. */
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

/** The model that was chosen; the script of the caller where none was. */
export function chosenModel(script: LlmCallback): Model {
  const callback = callbackOf(current) ?? script;
  return { name: choiceName(current), scripted: current.kind === "scripted", callback };
}

/** What calls the model; nothing where a script does. */
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
