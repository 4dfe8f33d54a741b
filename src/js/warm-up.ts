import { whenLoaded } from "./wasm.js";

/** The part of a surface that warming up uses. */
interface WarmUpSurface {
  subscribe(listener: () => void): unknown;
  receive(message: string): unknown;
  [Symbol.dispose](): void;
}

/** A bound list, then rows that are mounted, unmounted, moved and changed. */
const WARM_UP_MESSAGES = [
  '{"updateComponents":{"surfaceId":"","components":[{"id":"root","component":"x","children":{"binding":{"key":"l"},"template":"r"}},{"id":"r","component":"x","t":{"binding":{"key":"t"}}}]}}',
  '{"updateDataModel":{"surfaceId":"","nodes":{"root":{"l":"*l"},"l":["*a","*b"],"a":{"t":"a"},"b":{"t":1}}}}',
  '{"updateDataModel":{"surfaceId":"","nodes":{"l":["*b","*c","*a"],"a":{"t":"é"},"c":{"t":2}}}}',
];

/**
 * Renders a few rows off-screen while the page is idle. Engines compile a function on its first
 * call, which takes longer than a first message itself.
 */
export function warmUpWhenIdle(make: () => WarmUpSurface): void {
  whenLoaded(() => globalThis.requestIdleCallback?.(() => warmUp(make())));
}

function warmUp(surface: WarmUpSurface): void {
  try {
    surface.subscribe(() => {});
    for (const message of WARM_UP_MESSAGES) surface.receive(message);
  } finally {
    surface[Symbol.dispose]();
  }
}
