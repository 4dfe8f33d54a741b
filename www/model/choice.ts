import type { LlmCallback } from "byname/llm";
import type { LocalModel } from "./local.js";

/** What was chosen. A key is held here and nowhere else, and is gone with the page. */
export type Choice =
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
  instead?: ReadonlyMap<string, string>;
}

let now: Choice = { kind: "scripted" };
const listeners = new Set<(choice: Choice) => void>();

/** Who answers in the whole page. */
export function chosen(): Choice {
  return now;
}

export function choose(choice: Choice): void {
  if (now.kind === "file" && now !== choice) void now.local.close();
  now = choice;
  for (const listener of [...listeners]) listener(choice);
}

/** Calls the listener when somebody else is to answer; answers what ends that. */
export function onChoice(listener: (choice: Choice) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function nameOf(choice: Choice = now): string {
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
  const callback = callbackOf(now) ?? script;
  return { name: nameOf(now), scripted: now.kind === "scripted", callback };
}

/** What calls the model; nothing where a script does. */
function callbackOf(choice: Choice): LlmCallback | null {
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
