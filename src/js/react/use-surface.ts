import { useEffect, useInsertionEffect, useRef, useState } from "react";
import { describeType, throwMisuse } from "../arguments.js";
import type { SurfaceLike } from "../dom/base/component.js";

type Owned = SurfaceLike & { [Symbol.dispose](): void };

/**
 * A surface that lives with the component: made when it is first rendered, disposed of once the component has gone. A surface that
 * is given is used as it is and stays the caller's.
 */
export function useSurface<S extends SurfaceLike>(surface: S): S;
export function useSurface<S extends Owned>(make: () => S): S;
export function useSurface<S extends Owned>(source: S | (() => S)): S {
  let first: S | null = null;
  const [made] = useState(() => {
    // StrictMode asks twice and takes one of the two.
    if (typeof source === "function") first ??= owned(source());
    return first;
  });
  const life = useRef({ gone: false, connected: false });
  // Of all effects only this one ends with the component alone: not when StrictMode tries effects out, and not while the component
  // is hidden and keeps its state. What was rendered and never shown is freed when it is collected.
  useInsertionEffect(() => {
    const now = life.current;
    // Where a developer edits the component, all effects end and begin again, and it goes on.
    now.gone = false;
    return () => {
      now.gone = true;
      if (!now.connected) queueMicrotask(() => now.gone && made?.[Symbol.dispose]());
    };
  }, [made]);
  // The effects of the component end later, and until then it may hand the surface messages.
  useEffect(() => {
    const now = life.current;
    now.connected = true;
    return () => {
      now.connected = false;
      if (now.gone) queueMicrotask(() => made?.[Symbol.dispose]());
    };
  }, [made]);
  return typeof source === "function" ? (made as S) : source;
}

/** What was made; throws for what is no surface that can be disposed of. */
function owned<S extends Owned>(made: S): S {
  if (typeof made?.tree === "function" && typeof made[Symbol.dispose] === "function") return made;
  return throwMisuse(
    `\`useSurface\` takes a function that gives a surface, not ${describeType(made)}`,
  );
}
