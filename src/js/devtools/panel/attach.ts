import { assertOptionTypes, assertString, throwExpected, throwMisuse } from "../../arguments.js";
import { recordTargets } from "../observe.js";
import { Recorder } from "../recorder.js";
import type { Targets } from "../types.js";
import { BynameDevtools, defineElement } from "./element.js";

/** Options of `attach`. */
export interface AttachOptions {
  /** Recorder to add to; by default that of the panel. Without a document it is required. */
  recorder?: Recorder;
  /** Panel to display it; null for none. By default the first of the page, or a new one. */
  panel?: BynameDevtools | null;
  /** Address of a playground that opens logs. */
  playground?: string;
}

const ASSERTIONS = {
  recorder: (value: unknown): void => {
    if (!(value instanceof Recorder)) throwExpected("`recorder`", "a `Recorder`", value);
  },
  panel: (value: unknown): void => {
    if (value !== null && !(value instanceof BynameDevtools))
      throwExpected("`panel`", "a `<byname-devtools>` element or null", value);
  },
  playground: (value: unknown): void => assertString(value, "`playground`"),
};

/**
 * Records what surfaces, sessions and workflows do, and displays it in a panel. Returns a function
 * that ends the recording, lets waiting updates through and restores the targets.
 */
export function attach(targets: Targets, options: AttachOptions = {}): () => void {
  defineElement();
  assertOptionTypes(options, ASSERTIONS, "the options of `attach`");
  const { panel = findPanel(), playground } = options;
  const recorder = options.recorder ?? panel?.recorder;
  if (!recorder) throwMisuse("missing `recorder`: without a panel, pass a `new Recorder()`");
  const stop = recordTargets(targets, recorder);
  if (!panel) return stop;
  if (options.recorder) panel.recorder = recorder;
  if (playground !== undefined) panel.playground = playground;
  // A panel that the page passes is placed by the page.
  const isOwn = options.panel === undefined && !panel.isConnected;
  if (isOwn) {
    panel.setAttribute("docked", "");
    document.body.append(panel);
  }
  return () => {
    stop();
    if (isOwn) panel.remove();
  };
}

/** Returns the first panel of the page, or a new one; null without a document. */
function findPanel(): BynameDevtools | null {
  if (typeof document === "undefined") return null;
  return document.querySelector("byname-devtools") ?? document.createElement("byname-devtools");
}
