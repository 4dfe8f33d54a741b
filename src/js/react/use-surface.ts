import { useEffect, useInsertionEffect, useRef, useState } from "react";
import { describeType, throwMisuse } from "../arguments.js";
import type { SurfaceLike } from "../dom/base/component.js";

type DisposableSurface = SurfaceLike & { [Symbol.dispose](): void };

/**
 * Returns a surface that a component owns: it is created at the first render and disposed of after
 * unmount. A surface argument is returned unchanged and stays the caller's.
 */
export function useSurface<S extends SurfaceLike>(surface: S): S;
export function useSurface<S extends DisposableSurface>(create: () => S): S;
export function useSurface<S extends DisposableSurface>(source: S | (() => S)): S {
  let firstResult: S | null = null;
  const [created] = useState(() => {
    // StrictMode calls this twice and keeps one result.
    if (typeof source === "function") firstResult ??= assertSurface(source());
    return firstResult;
  });
  const state = useRef({ unmounted: false, connected: false });
  // Insertion effects end only on unmount: not when StrictMode repeats effects, and not while the
  // component is hidden. The garbage collector frees surfaces that were never committed.
  useInsertionEffect(() => {
    const current = state.current;
    // Fast Refresh ends all effects and starts them again.
    current.unmounted = false;
    return () => {
      current.unmounted = true;
      if (!current.connected)
        queueMicrotask(() => current.unmounted && created?.[Symbol.dispose]());
    };
  }, [created]);
  // Other effects end later and may still pass messages to the surface.
  useEffect(() => {
    const current = state.current;
    current.connected = true;
    return () => {
      current.connected = false;
      if (current.unmounted) queueMicrotask(() => created?.[Symbol.dispose]());
    };
  }, [created]);
  return typeof source === "function" ? (created as S) : source;
}

/** Returns the created surface. Throws if it is not a disposable surface. */
function assertSurface<S extends DisposableSurface>(created: S): S {
  if (typeof created?.tree === "function" && typeof created[Symbol.dispose] === "function")
    return created;
  return throwMisuse(
    `\`useSurface\` expects a function that returns a surface, not ${describeType(created)}`,
  );
}
