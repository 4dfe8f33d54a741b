import type { Core } from "./core.js";

interface Held {
  core: WeakRef<Core>;
  close: (core: Core) => void;
}

/**
 * The registry lives for ever and so does what it holds: the store only weakly, because the
 * listeners in it may hold the very handles whose end is waited for.
 */
const registry = new FinalizationRegistry<Held>(({ core, close }) => {
  const living = core.deref();
  if (living !== undefined) close(living);
});

/** Closes what a handle has open in a store once the handle is dropped; `close` must not hold it. */
export function closeWhenDropped(handle: object, core: Core, close: (core: Core) => void): void {
  registry.register(handle, { core: new WeakRef(core), close }, handle);
}

/** For a handle that is closed by hand: what it had open may soon be somebody else's. */
export function closedByHand(handle: object): void {
  registry.unregister(handle);
}
