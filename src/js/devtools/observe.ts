import { assertOptions, throwExpected, throwMisuse } from "../arguments.js";
import { observeFlow } from "./flow-observer.js";
import type { Recorder } from "./recorder.js";
import { observeSession } from "./session-observer.js";
import { SurfaceObserver } from "./surface-observer.js";
import { observeSurfaces, uniqueSource } from "./surfaces-observer.js";
import type { Named, ObservedSurface, ObservedSurfaces, Targets } from "./types.js";

const TARGETS = ["surfaces", "sessions", "flows"];

/**
 * Records what the targets do. Returns a function that ends the recording, lets waiting updates
 * through and restores the targets.
 */
export function recordTargets(targets: Targets, recorder: Recorder): () => void {
  assertOptions(targets, TARGETS, "the targets of `attach`");
  const { surfaces, sessions, flows } = targets;
  if (surfaces === undefined && sessions === undefined && flows === undefined)
    throwMisuse("missing targets: pass `surfaces`, `sessions` or `flows`");
  // All are checked before the first is changed.
  const all = [
    ...namedTargets(surfaces, ["receive", "subscribe"], "`surfaces`").map(
      ([name, target]) =>
        () =>
          observeAnySurface(recorder, name, target),
    ),
    ...namedTargets(sessions, ["run", "solve"], "`sessions`").map(
      ([name, target]) =>
        () =>
          observeSession(recorder, name || "session", target),
    ),
    ...namedTargets(flows, ["run"], "`flows`").map(
      ([name, target]) =>
        () =>
          observeFlow(recorder, name || "flow", target),
    ),
  ];
  const ends: (() => void)[] = [];
  const stop = (): void => {
    if (ends.length > 0) recorder.resume();
    for (const end of ends.splice(0).reverse()) end();
  };
  try {
    for (const start of all) ends.push(start());
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

function observeAnySurface(
  recorder: Recorder,
  name: string,
  target: ObservedSurface | ObservedSurfaces,
): () => void {
  if ("list" in target) return observeSurfaces(recorder, name, target);
  // An attached surface is not recorded twice.
  if ([...recorder.surfaces.values()].some(({ surface }) => surface === target)) return () => {};
  const source = uniqueSource(recorder, name || "surface");
  const observer = new SurfaceObserver(recorder, source, target);
  return () => observer.stop();
}

/** Returns targets with their names; one target, or targets of a list, have none. */
function namedTargets<T extends object>(
  value: Named<T> | undefined,
  methods: readonly string[],
  what: string,
): [name: string, target: T][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null)
    throwExpected(what, "an object, a list or an object by name", value);
  const isTarget = (one: unknown): one is T =>
    typeof one === "object" && one !== null && methods.every((name) => name in one);
  if (isTarget(value)) return [["", value]];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((one) => ["", one])
    : Object.entries(value);
  return entries.map(([name, one]) => {
    if (!isTarget(one)) throwExpected(`each of ${what}`, `an object with \`${methods[0]}\``, one);
    return [name, one];
  });
}
