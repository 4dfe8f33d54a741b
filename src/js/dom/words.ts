import type { Words } from "./view.js";

export const english: Words = {
  loading: "Loading",
  loaded: "Loaded",
  updated: "Updated",
  close: "Close",
  filter: "Filter",
  invalid: "This value is not valid",
  malformed: "This value does not have the expected form",
  unknown: (component) => `Unknown component ${component}`,
  failed: (component) => `${component} did not draw`,
};
