import { whenLoaded } from "./wasm.js";

/** The part of a surface that warming up uses. */
interface WarmUpSurface {
  subscribe(listener: () => void): unknown;
  receive(message: string): unknown;
  [Symbol.dispose](): void;
}

/** A list bound to nodes, then rows that come, go, move and change. */
const MESSAGES = [
  '{"updateComponents":{"surfaceId":"","components":[{"id":"root","component":"x","children":{"binding":{"key":"l"},"template":"r"}},{"id":"r","component":"x","t":{"binding":{"key":"t"}}}]}}',
  '{"updateDataModel":{"surfaceId":"","nodes":{"root":{"l":"*l"},"l":["*a","*b"],"a":{"t":"a"},"b":{"t":1}}}}',
  '{"updateDataModel":{"surfaceId":"","nodes":{"l":["*b","*c","*a"],"a":{"t":"é"},"c":{"t":2}}}}',
];

/**
 * Has a page that has nothing else to do show a few rows to nobody. Engines compile a function when
 * it is first called, which takes longer than a first message itself.
 */
export function warmUpWhenIdle(make: () => WarmUpSurface): void {
  whenLoaded(() => globalThis.requestIdleCallback?.(() => warmUp(make())));
}

function warmUp(surface: WarmUpSurface): void {
  try {
    surface.subscribe(() => {});
    for (const message of MESSAGES) surface.receive(message);
  } finally {
    surface[Symbol.dispose]();
  }
}
