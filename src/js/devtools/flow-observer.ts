import type { FlowRunOptions } from "../flow/types.js";
import { HOLD, type Hold } from "../hold.js";
import type { FlowEvent } from "../types.js";
import { overrideMethod } from "./override.js";
import type { Recorder } from "./recorder.js";
import { failureOf } from "./session-observer.js";
import type { ObservedFlow } from "./types.js";

/**
 * Records the runs of a workflow by their events, which the core has freed of secrets. While the
 * page is paused, calls of nodes wait.
 */
export function observeFlow(recorder: Recorder, source: string, flow: ObservedFlow): () => void {
  const { log, gate } = recorder;
  let isAttached = true;
  /** Also for the nodes of workflows inside of nodes. */
  const hold: Hold = async (path, signal) => {
    if (isAttached) await gate.waitForTurn(`node ${path}`, signal);
  };
  const restore = overrideMethod(flow, "run", (runFlow) => async (options) => {
    const run = log.newRun();
    const title = describeInputs(options);
    recorder.addLater(() => log.add(source, { kind: "begin", run, title }));
    const onEvent = (event: FlowEvent): unknown => {
      recorder.addLater(() => log.add(source, { kind: "event", run, event }));
      return options.onEvent?.(event);
    };
    try {
      const result = await runFlow({ ...options, onEvent, [HOLD]: hold } as FlowRunOptions);
      const { status, diagnostics } = result;
      recorder.addLater(() => log.add(source, { kind: "end", run, status, diagnostics }));
      return result;
    } catch (error) {
      const diagnostics = failureOf(error);
      recorder.addLater(() => log.add(source, { kind: "end", run, status: "failed", diagnostics }));
      throw error;
    }
  });
  return () => {
    isAttached = false;
    restore();
  };
}

/** Names the inputs of a run; their values may be secrets. */
function describeInputs(options: FlowRunOptions | undefined): string {
  const names = Object.keys(options?.inputs ?? {});
  const start = options?.resume === undefined ? "run" : "resumed run";
  return names.length === 0 ? start : `${start} with ${names.join(", ")}`;
}
