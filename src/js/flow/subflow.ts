import { assertFunction, assertOptions, throwMisuse } from "../arguments.js";
import { HOLD } from "../hold.js";
import { CALL_CONTEXT, type CallContext, CHILD_FLOW, ChildOutcome } from "./context.js";
import { Flow, runFlow } from "./flow.js";
import type { FlowRunOptions, NodeAnswer, NodeCall, NodeCallback } from "./types.js";

/** Options of a workflow that a node runs. */
export interface SubflowOptions {
  /** Implementations of its node types, besides those of the parent. */
  nodes?: FlowRunOptions["nodes"];
}

/**
 * Returns a callback that runs a workflow inside of a node. The inputs of the call, and the params
 * with the names of its inputs, are the inputs of the workflow. Its outputs are those of the node.
 * The trace of the parent contains its trace, so a resumed parent continues inside of it.
 */
export function subflow(flow: Flow, options: SubflowOptions = {}): NodeCallback {
  if (!(flow instanceof Flow)) throwMisuse("expected `flow` to be a flow of `compileFlow`");
  assertOptions(options, ["nodes"], "the options of `subflow`");
  for (const [type, callback] of Object.entries(options.nodes ?? {})) {
    assertFunction(callback, `\`${type}\``);
  }
  const { graph } = flow.toJSON() as { graph: { inputs?: object } };
  const inputNames = Object.keys(graph.inputs ?? {});
  const callback = async (call: NodeCall): Promise<NodeAnswer> => {
    const context = (call as { [CALL_CONTEXT]?: CallContext })[CALL_CONTEXT];
    if (!context) throwMisuse("pass the arguments of the call to the callback of `subflow`");
    const { resume, answers, concurrency, graceMs, hold } = context;
    const result = await runFlow(
      flow,
      {
        nodes: { ...context.nodes, ...options.nodes },
        inputs: { ...paramsOf(call, inputNames), ...call.inputs },
        signal: call.signal,
        ...(hold && { [HOLD]: hold }),
        ...(concurrency !== undefined && { concurrency }),
        ...(graceMs !== undefined && { graceMs }),
        ...(resume !== undefined && { resume }),
        ...(answers !== undefined && { answers }),
      },
      context,
    );
    call.signal.throwIfAborted();
    return new ChildOutcome(result) as unknown as NodeAnswer;
  };
  return Object.assign(callback, { [CHILD_FLOW]: flow });
}

/** Returns the params with the names of inputs of the workflow. */
function paramsOf({ params }: NodeCall, inputNames: string[]): NodeCall["inputs"] {
  const entries = Object.entries(params).filter(([name]) => inputNames.includes(name));
  return Object.fromEntries(entries);
}
