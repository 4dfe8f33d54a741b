import type { Core } from "./core.js";

interface Cleanup {
  core: WeakRef<Core>;
  close: (core: Core) => void;
}

/**
 * The registry lives for ever and so does what it holds: the store only weakly, because the
 * listeners in it may hold the very handles whose end is waited for.
 */
const registry = new FinalizationRegistry<Cleanup>(({ core, close }) => {
  const target = core.deref();
  if (target !== undefined) close(target);
});

/** Closes what a handle has open in a store once the handle is dropped; `close` must not hold it. */
export function closeOnCollect(handle: object, core: Core, close: (core: Core) => void): void {
  registry.register(handle, { core: new WeakRef(core), close }, handle);
}

/** For a handle that is closed by hand: what it had open may soon be somebody else's. */
export function cancelCleanup(handle: object): void {
  registry.unregister(handle);
}
