import type { Words } from "./view.js";

export const english: Words = {
  loading: "Loading",
  loaded: "Loaded",
  updated: "Updated",
  close: "Close",
  filter: "Filter",
  unknown: (component) => `Unknown component ${component}`,
  failed: (component) => `${component} did not draw`,
};
