import type { FlowRunOptions, NodeCall } from "../flow/types.js";
import type { FlowEvent } from "../types.js";
import { overrideMethod } from "./override.js";
import type { Recorder } from "./recorder.js";
import { failureOf } from "./session-observer.js";
import type { ObservedFlow } from "./types.js";

type Nodes = FlowRunOptions["nodes"];

/**
 * Records the runs of a workflow by their events, which the core has freed of secrets. While the
 * page is paused, calls of nodes wait.
 */
export function observeFlow(recorder: Recorder, source: string, flow: ObservedFlow): () => void {
  const { log } = recorder;
  return overrideMethod(flow, "run", (runFlow) => async (options) => {
    const run = log.newRun();
    const title = describeInputs(options);
    recorder.addLater(() => log.add(source, { kind: "begin", run, title }));
    const onEvent = (event: FlowEvent): unknown => {
      recorder.addLater(() => log.add(source, { kind: "event", run, event }));
      return options.onEvent?.(event);
    };
    const nodes = isNodeMap(options?.nodes) ? gatedNodes(recorder, options.nodes) : options?.nodes;
    try {
      const result = await runFlow({ ...options, nodes, onEvent } as FlowRunOptions);
      const { status, diagnostics } = result;
      recorder.addLater(() => log.add(source, { kind: "end", run, status, diagnostics }));
      return result;
    } catch (error) {
      const diagnostics = failureOf(error);
      recorder.addLater(() => log.add(source, { kind: "end", run, status: "failed", diagnostics }));
      throw error;
    }
  });
}

function isNodeMap(nodes: unknown): nodes is Nodes {
  const isObject = typeof nodes === "object" && nodes !== null;
  return isObject && Object.values(nodes).every((node) => typeof node === "function");
}

/**
 * Returns callbacks that wait while the page is paused. A proxy keeps the properties of the
 * callback, such as the workflow that it runs.
 */
function gatedNodes({ gate }: Recorder, nodes: Nodes): Nodes {
  const gated = Object.entries(nodes).map(([type, callback]) => [
    type,
    new Proxy(callback, {
      apply(target, self, args: [NodeCall]) {
        const [call] = args;
        if (!gate.isClosed) return Reflect.apply(target, self, args);
        const run = (): unknown => Reflect.apply(target, self, args);
        return gate.waitForTurn(`node ${call.id}`, call.signal).then(run);
      },
    }),
  ]);
  return Object.fromEntries(gated) as Nodes;
}

/** Names the inputs of a run; their values may be secrets. */
function describeInputs(options: FlowRunOptions | undefined): string {
  const names = Object.keys(options?.inputs ?? {});
  const start = options?.resume === undefined ? "run" : "resumed run";
  return names.length === 0 ? start : `${start} with ${names.join(", ")}`;
}
