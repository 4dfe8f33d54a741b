import type { Core } from "./core.js";

interface Cleanup {
  core: WeakRef<Core>;
  close: (core: Core) => void;
}

/**
 * Holds the store weakly, because the registry is global and listeners of the store may hold the
 * handles.
 */
const registry = new FinalizationRegistry<Cleanup>(({ core, close }) => {
  const target = core.deref();
  if (target !== undefined) close(target);
});

/** Calls `close` after a handle is garbage-collected; `close` must not reference the handle. */
export function closeOnCollect(handle: object, core: Core, close: (core: Core) => void): void {
  registry.register(handle, { core: new WeakRef(core), close }, handle);
}

/** Cancels the cleanup of a handle that was closed explicitly, because its id may be reused. */
export function cancelCleanup(handle: object): void {
  registry.unregister(handle);
}
