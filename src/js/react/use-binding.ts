import { useCallback, useMemo, useSyncExternalStore } from "react";
import { describeType, isJsonCompatible, throwMisuse } from "../arguments.js";
import type { DataContext } from "../data-context.js";
import type { ApplyResult, Binding, Json, Reading } from "../types.js";

/** What a binding needs of a store. */
export interface BindingStore {
  read(binding: Binding, context?: DataContext): Reading;
  write(binding: Binding, value: Json, context?: DataContext): ApplyResult;
  subscribe(
    binding: Binding,
    listener: (reading: Reading) => void,
    context?: DataContext,
  ): () => void;
}

/**
 * What a binding shows, and what writes through it. The component renders again when value, status or ref changed, and not
 * otherwise; the reading is the same object until then. Throws, like `subscribe`, where the binding is malformed.
 */
export function useBinding(
  store: BindingStore,
  binding: Binding,
  context?: DataContext,
): [reading: Reading, write: (value: Json) => ApplyResult] {
  if (typeof store?.read !== "function")
    throwMisuse(`\`useBinding\` takes a store, not ${describeType(store)}`);
  // A literal in the component's code is another object at each render and means the same.
  const text = textOf(binding);
  const watched = useMemo(
    () => watch(store, JSON.parse(text) as Binding, context),
    [store, text, context],
  );
  const reading = useSyncExternalStore(watched.subscribe, watched.get, watched.get);
  const write = useCallback(
    (value: Json) => store.write(JSON.parse(text) as Binding, value, context),
    [store, text, context],
  );
  return [reading, write];
}

/** A binding as JSON text; throws for what is none. */
function textOf(binding: Binding): string {
  try {
    if (isJsonCompatible(binding)) {
      const text: string | undefined = JSON.stringify(binding);
      if (text?.startsWith("{")) return text;
    }
  } catch {
    // It is refused below, whatever it says.
  }
  return throwMisuse(
    `\`useBinding\` takes a binding, as in { key: "name" }, not ${describeType(binding)}`,
  );
}

/** A binding for `useSyncExternalStore`: the reading that it answers is another object only when it is another reading. */
function watch(store: BindingStore, binding: Binding, context: DataContext | undefined) {
  let reading: Reading | undefined;
  let listening = 0;
  return {
    get: (): Reading => {
      // While it is told of changes, it knows them; before the first render is on screen it has to look.
      if (reading !== undefined && listening > 0) return reading;
      const now = store.read(binding, context);
      if (reading === undefined || !same(reading, now)) reading = now;
      return reading;
    },
    subscribe: (changed: () => void): (() => void) => {
      const stop = store.subscribe(
        binding,
        (now) => {
          reading = now;
          changed();
        },
        context,
      );
      const now = store.read(binding, context);
      if (reading === undefined || !same(reading, now)) reading = now;
      listening += 1;
      return () => {
        listening -= 1;
        stop();
      };
    },
  };
}

function same(one: Reading, other: Reading): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
