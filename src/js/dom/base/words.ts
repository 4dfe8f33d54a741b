import { englishChecks } from "../../functions/checks.js";
import type { Words } from "./component.js";

export const english: Words = {
  loading: "Loading",
  loaded: "Loaded",
  updated: "Updated",
  close: "Close",
  filter: "Filter",
  ...englishChecks,
  tooLarge: "This part is too large to display",
  unknown: (component) => `Unknown component ${component}`,
  failed: (component) => `${component} failed to render`,
};

/** Returns the given words, completed with the English ones. */
export function mergeWords(custom: Partial<Words> = {}): Words {
  const words = Object.entries(custom).filter(([, word]) => word !== undefined);
  return { ...english, ...Object.fromEntries(words) };
}
