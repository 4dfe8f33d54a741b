/** Delays the next part of a run. `what` names it: the kind of a request, or the path of a node. */
export type Hold = (what: string, signal: AbortSignal) => Promise<void>;

/** Key of the {@link Hold} in the options of a run. Only `byname/devtools` sets it. */
export const HOLD = Symbol("byname.hold");

/** Returns the {@link Hold} of the options of a run, or `undefined` if the run is not attached. */
export function holdOf(options: object): Hold | undefined {
  return (options as { [HOLD]?: Hold })[HOLD];
}
