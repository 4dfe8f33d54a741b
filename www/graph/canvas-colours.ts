import { span } from "../page/element.js";

/** Number of colours of a measure. */
export const colourSteps = 16;

/** Colours of the canvas, read from the custom properties of the page. */
export interface CanvasColours {
  ink: string;
  muted: string;
  paper: string;
  accent: string;
  edge: string;
  node: string;
  /** Colours of a measure, the lowest first. */
  measure: readonly string[];
}

/** Reads the colours; custom properties are resolved by a hidden element. */
export function readColours(host: Element): CanvasColours {
  const probe = span("colour-probe");
  host.append(probe);
  const resolve = (colour: string): string => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ink: resolve("var(--ink)"),
    muted: resolve("var(--muted)"),
    paper: resolve("var(--paper)"),
    accent: resolve("var(--accent)"),
    edge: resolve("color-mix(in oklab, var(--muted) 45%, var(--paper))"),
    node: resolve("color-mix(in oklab, var(--muted) 85%, var(--paper))"),
    measure: Array.from({ length: colourSteps }, (_, step) => {
      const part = ((100 * step) / (colourSteps - 1)).toFixed(1);
      return resolve(`color-mix(in oklab, var(--measure-high) ${part}%, var(--measure-low))`);
    }),
  };
  probe.remove();
  return colours;
}

/** Calls a function when the page or the system changes its colours. */
export function onColoursChanged(changed: () => void): void {
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", changed);
  // The page stores the choice of the user in the style of its root.
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ["style"] });
}
