import { useCallback, useMemo, useSyncExternalStore } from "react";
import { describeType, isJsonCompatible, throwMisuse } from "../arguments.js";
import type { DataContext } from "../data-context.js";
import type { ApplyResult, Binding, Json, Reading } from "../types.js";

/** Parts of a store that a binding uses. */
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
 * Returns the reading of a binding and a function that writes through it. The component renders
 * only if value, status or ref changed; until then the reading is the same object. Throws, like
 * `subscribe`, if the binding is malformed.
 */
export function useBinding(
  store: BindingStore,
  binding: Binding,
  context?: DataContext,
): [reading: Reading, write: (value: Json) => ApplyResult] {
  if (typeof store?.read !== "function")
    throwMisuse(`\`useBinding\` expects a store, not ${describeType(store)}`);
  // A literal is a new object in each render.
  const text = textOf(binding);
  const source = useMemo(
    () => bindingSource(store, JSON.parse(text) as Binding, context),
    [store, text, context],
  );
  const reading = useSyncExternalStore(source.subscribe, source.get, source.get);
  const write = useCallback(
    (value: Json) => store.write(JSON.parse(text) as Binding, value, context),
    [store, text, context],
  );
  return [reading, write];
}

/** Returns a binding as JSON text. Throws if it is not an object. */
function textOf(binding: Binding): string {
  try {
    if (isJsonCompatible(binding)) {
      const text: string | undefined = JSON.stringify(binding);
      if (text?.startsWith("{")) return text;
    }
  } catch {
    // The error is reported below.
  }
  return throwMisuse(
    `\`useBinding\` expects a binding, as in { key: "name" }, not ${describeType(binding)}`,
  );
}

/**
 * Returns the external store of a binding. Its snapshot is the same object while the reading is
 * equal.
 */
function bindingSource(store: BindingStore, binding: Binding, context: DataContext | undefined) {
  let reading: Reading | undefined;
  let subscriberCount = 0;
  return {
    get: (): Reading => {
      // A subscription reports changes. Before the first commit there is none.
      if (reading !== undefined && subscriberCount > 0) return reading;
      const current = store.read(binding, context);
      if (reading === undefined || !isSameReading(reading, current)) reading = current;
      return reading;
    },
    subscribe: (notify: () => void): (() => void) => {
      const stop = store.subscribe(
        binding,
        (current) => {
          reading = current;
          notify();
        },
        context,
      );
      const current = store.read(binding, context);
      if (reading === undefined || !isSameReading(reading, current)) reading = current;
      subscriberCount += 1;
      return () => {
        subscriberCount -= 1;
        stop();
      };
    },
  };
}

function isSameReading(a: Reading, b: Reading): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
